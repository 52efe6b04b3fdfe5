// A round step by step: links, the range and the arrow keys change the step without a new page.
"use strict";

const replay = document.querySelector("[data-steps]");
if (replay) {
  const last = Number(replay.dataset.steps), {here} = replay.dataset;
  const place = replay.querySelector("[data-part=step]"), range = replay.querySelector("[data-range]");
  const drawn = new Map([[Number(replay.dataset.at), place.innerHTML]]);
  let at = Number(replay.dataset.at);

  const drawing = async (step) => {
    if (!drawn.has(step)) {
      const answer = await fetch(`${here}?step=${step}&part=1`);
      if (!answer.ok || answer.redirected) { location.assign(`${here}?step=${step}`); return ""; }
      drawn.set(step, await answer.text());
    }
    return drawn.get(step);
  };
  // The seat that a step is about, or the dealer, comes into sight where the felt is wider than the screen.
  const aim = () => {
    const felt = place.querySelector(".au-felt");
    if (!felt || felt.scrollWidth <= felt.clientWidth) return;
    const about = felt.querySelector(`#seat-${felt.dataset.seat || 0}`) ?? felt.querySelector("#felt-dealer"), box = about?.getBoundingClientRect();
    if (box) felt.scrollLeft += box.left + box.width / 2 - felt.getBoundingClientRect().left - felt.clientWidth / 2;
  };
  const mark = () => {
    const goes = {First: 1, Back: Math.max(at - 1, 1), Next: Math.min(at + 1, last), Last: last};
    for (const link of replay.querySelectorAll("[data-go]")) {
      const to = goes[link.dataset.go];
      link.href = `${here}?step=${to}`;
      to === at ? link.setAttribute("aria-disabled", "true") : link.removeAttribute("aria-disabled");
    }
    range.value = at;
    for (const link of replay.querySelectorAll(".au-steps [data-step]")) {
      if (Number(link.dataset.step) !== at) { link.removeAttribute("aria-current"); continue; }
      link.setAttribute("aria-current", "step");
      const list = link.closest("ol"), box = link.getBoundingClientRect(), around = list.getBoundingClientRect();
      if (box.top < around.top) list.scrollTop -= around.top - box.top;
      else if (box.bottom > around.bottom) list.scrollTop += box.bottom - around.bottom;
    }
    aim();
  };
  const go = async (step) => {
    const to = Math.min(Math.max(step, 1), last);
    if (to === at) return;
    at = to;
    const text = await drawing(to);
    if (to !== at || !text) return;  // another step was chosen meanwhile
    place.innerHTML = text;
    history.replaceState(null, "", `${here}?step=${at}`);
    mark();
    if (at < last) drawing(at + 1);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step], [data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(Number(new URL(link.href).searchParams.get("step")));
  });
  range.addEventListener("input", () => go(Number(range.value)));
  range.form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea, .au-felt")) return;
    const step = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 1, End: last}[event.key];
    if (step !== undefined) { event.preventDefault(); go(step); }
  });
  for (const each of replay.querySelectorAll("[data-noscript]")) each.hidden = true;
  mark();
}
