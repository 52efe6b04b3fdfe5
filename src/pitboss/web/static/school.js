// Questions: a clock that counts down, and keys. The server measures the time that counts.
"use strict";
{
  const began = performance.now();
  const clock = document.querySelector("[data-left]"), form = document.getElementById("answer");
  const tick = () => {
    const left = Math.max(0, Number(clock.dataset.left) - Math.floor((performance.now() - began) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`, shown = clock.querySelector("b");
    if (shown.textContent !== text) shown.textContent = text;
    clock.classList.toggle("short", left <= 10);
    if (left) setTimeout(tick, 250);
    else if (form?.elements.question) setTimeout(() => form.checkValidity() ? form.requestSubmit() : location.reload(), 1500);
  };
  if (clock) tick();
  const open = () => [...(form?.querySelectorAll("fieldset") ?? [])].find((each) => each.querySelector("[type=radio]") && !each.querySelector(":checked"));
  if (form) (open() ?? form).querySelector("input:not([type=hidden]), select")?.focus({preventScroll: true});
  document.addEventListener("keydown", (event) => {  // 1 to 9 choose in the question that has the focus, or in the first open one
    const {target, key} = event;
    if (!form || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(key) || target.matches("input:not([type=radio], [type=checkbox]), select, textarea")) return;
    const group = target.closest("fieldset") ?? open();
    const option = group?.querySelectorAll("[type=radio], [type=checkbox]")[Number(key) - 1];
    if (!option) return;
    event.preventDefault();
    option.click();
    (option.type === "radio" ? open()?.querySelector("[type=radio]") ?? option : option).focus();
  });
  form?.addEventListener("keydown", (event) => {  // Enter answers from a box or a place in an order, too
    if (event.key === "Enter" && event.target.matches("select, [type=checkbox]")) { event.preventDefault(); form.requestSubmit(); }
  });
}
