// Signs: a submission from the desk, and how the sign fits its paper.
"use strict";

const box = document.getElementById("field-submission");
if (new URLSearchParams(location.search).has("desk")) {
  box.closest("details").open = true;
  addEventListener("DOMContentLoaded", () => { if (box.value.trim()) box.form.requestSubmit(); });
}
const fit = document.querySelector("[data-fit]"), sheet = document.querySelector(".sg-paper img");
if (sheet && !fit.textContent) {
  fetch(sheet.src).then((answer) => { fit.textContent = decodeURIComponent(answer.headers.get("X-Fit") ?? ""); });
}
