// The Analyst: figures follow what is typed. Without it a button counts them.
"use strict";
{
  const form = document.getElementById("an"), WAIT = 300, name = Math.random().toString(36).slice(2);
  document.body.classList.add("scripted");
  document.querySelector(".an-tabs [aria-current]")?.scrollIntoView({block: "nearest", inline: "center"});
  let timer, turn = 0, busy = null, failed = 0;
  const shownAt = () => document.querySelector("[data-at]")?.dataset.at;

  // The address is what the page shows, so that it can be sent and printed.
  const follow = () => {
    const at = shownAt();
    if (at && at !== location.pathname + location.search) {
      history.replaceState(null, "", at);
      dispatchEvent(new Event("moved"));
    }
  };
  const settle = () => {
    for (const row of document.querySelectorAll(".an-pays tr[id]")) {
      const input = row.querySelector("input");
      if (input) row.classList.contains("wrong") ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid");
    }
    const file = document.querySelector("[data-file]");
    if (file && !file.dataset.done) { file.dataset.done = "1"; location.assign(file.dataset.file); }
  };
  addEventListener("shown", () => { if (!busy) follow(); settle(); });

  const count = async () => {
    const mine = ++turn, was = shownAt() ?? "";
    busy?.abort();
    busy = new AbortController();
    try {
      const asked = new URLSearchParams(new FormData(form));
      const answer = await fetch(`${form.getAttribute("action")}?${asked}`, {headers: {"X-Regions": "1", "X-Was": was, "X-Window": name}, signal: busy.signal});
      if (!answer.ok) throw new Error(answer.status);
      const message = await answer.json();
      if (mine !== turn) return;
      busy = null;
      failed = 0;
      document.title = `${message.title} · pitboss`;
      show(message);
    } catch (problem) {
      if (problem.name === "AbortError" || mine !== turn) return;
      busy = null;
      if (++failed < 4) later(1000); else form.requestSubmit();  // which leaves the field
    }
  };
  const later = (wait) => { clearTimeout(timer); timer = setTimeout(count, wait); };
  if (form) {
    document.addEventListener("input", ({target}) => { if (target.form === form && target.matches("input:not([type=date])")) later(WAIT); });
    document.addEventListener("change", ({target}) => {
      if (target.form === form && target.matches("[data-again]") && (target.value || target.type !== "date")) { clearTimeout(timer); form.requestSubmit(); }
      if (target.dataset?.more && target.value) {
        const input = Object.assign(document.createElement("input"), {name: `${target.dataset.more}${target.value}|`, value: "1 to 1", type: "hidden"});
        input.setAttribute("form", "an");
        const row = `cell-${target.dataset.more.slice(5)}${target.value}`;
        form.after(input);
        count().then(() => { input.remove(); document.getElementById(row)?.select(); });
      }
    });
    form.addEventListener("submit", (event) => {
      if (event.submitter?.matches("[data-plain]") || (!event.submitter && document.activeElement?.matches(".an-pays input"))) { event.preventDefault(); later(0); }
    });
  }
  settle();
  follow();
}
