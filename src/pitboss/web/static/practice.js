// Tables, practice and watching: presses without a new page, keys, spots of a drawing, the pace. All work without it.
"use strict";

const form = document.getElementById("play");
const said = document.getElementById("near") ?? document.getElementById("said");
const place = () => document.querySelector("[data-version]");
let queue = Promise.resolve();

// A press goes to the server; the answer has the regions as they are then. One with a key acts once however often it is
// sent.
const send = async (fields, tries = 3) => {
  const answer = await fetch(location.pathname + location.search, {method: "POST", headers: {"X-Window": "1"}, body: fields}).catch(() => null);
  if (!answer && tries && fields.has("key")) {
    await new Promise((done) => setTimeout(done, 1000));
    return send(fields, tries - 1);
  }
  if (!answer) { said.textContent = "The server doesn't answer. Press again in a moment: nothing is lost."; return; }
  if (!answer.headers.get("Content-Type")?.includes("json")) { location.reload(); return; }
  const {regions, mark, version, said: words} = await answer.json();
  if (version >= Number(place().dataset.version) || !regions.status) show({regions, mark});
  said.innerHTML = words;
  said.querySelector("[autofocus]")?.focus();
  if (words.trim()) said.scrollIntoView({block: "nearest"});
  if (document.activeElement === document.body) document.querySelector(".choice.first:not(:disabled), .choice:not(:disabled)")?.focus({preventScroll: true});
};
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");
const press = (value, more = {}) => {
  const fields = new URLSearchParams(new FormData(form));
  fields.set("do", value);
  if (fields.has("key")) fields.set("key", newKey());
  for (const [name, text] of Object.entries(more)) fields.set(name, text);
  queue = queue.then(() => { fields.set("saved", form.elements.saved?.value ?? ""); return send(fields); }).catch(() => location.reload());
  return queue;
};
form.addEventListener("submit", (event) => {
  if (!event.submitter) return;
  event.preventDefault();
  leaving = false;
  press(event.submitter.value);
});

// Spots of a drawing take chips as buttons do.
const onSpot = (target) => {
  const spot = target.closest?.(".drawing [role=button][data-wager]");
  if (spot) press(JSON.stringify({do: "chip", wager: spot.dataset.wager, seat: Number(spot.closest("[data-seat]")?.dataset.seat ?? 0)}));
  return Boolean(spot);
};
document.addEventListener("click", ({target}) => onSpot(target));
document.addEventListener("keydown", (event) => {
  const {target, key} = event;
  if ((key === "Enter" || key === " ") && onSpot(target)) { event.preventDefault(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target.matches?.("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  const found = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key.toUpperCase() && !each.disabled && each.offsetParent);
  if (found) { event.preventDefault(); found.focus({preventScroll: true}); found.click(); }
});

// How many cards are marked for an exchange.
const count = () => {
  const marked = document.querySelectorAll(".pick :checked").length;
  for (const each of document.querySelectorAll("[data-least]")) {
    const button = each.querySelector("button"), words = button.querySelector("b");
    button.dataset.words ??= words.textContent;
    words.textContent = button.dataset.words.replace("the marked cards", `${marked} card${marked === 1 ? "" : "s"}`);
  }
};
document.addEventListener("change", ({target}) => { if (target.closest?.(".pick")) count(); });

// The browser stores what was done, so that the game outlives the server. The game with most acts is the present one.
const store = () => {
  const saved = form.elements.saved;
  if (!saved) return;
  const name = `practice ${form.dataset.game}`, {token} = form.dataset;
  const now = {token, leg: Number(saved.dataset.leg), acts: Number(saved.dataset.acts), text: saved.value};
  let before = null;
  try { before = JSON.parse(localStorage.getItem(name)); } catch { /* it is replaced */ }
  const ahead = before?.token === token && (before.leg > now.leg || (before.leg === now.leg && before.acts > now.acts));
  if (ahead && !store.tried) {
    store.tried = true;
    queue = queue.then(() => send(new URLSearchParams([...new FormData(form)].concat([["do", "{}"]]).map(([key, text]) => [key, key === "saved" ? before.text : text]))));
  } else if (now.acts || now.leg) localStorage.setItem(name, JSON.stringify(now));
};

// A layout is drawn upright for a narrow window.
const narrow = matchMedia(document.querySelector(".drawing.layout") ? "(max-width: 900px)" : "(max-width: 600px)");
const fit = () => {
  const query = new URLSearchParams(location.search);
  if (!document.querySelector(".drawing") || (query.get("narrow") === "1") === narrow.matches) return;
  narrow.matches ? query.set("narrow", "1") : query.delete("narrow");
  location.replace(`${location.pathname}${query.size ? `?${query}` : ""}`);
};
narrow.addEventListener("change", fit);
fit();

// A table that plays by itself.
const pause = document.querySelector("[data-pause]");
if (pause) {
  const pace = document.querySelector("[data-pace]");
  let timer = 0;
  const tick = () => {
    timer = setTimeout(async () => {
      if (!document.hidden && pause.getAttribute("aria-pressed") === "false") await press("step");
      tick();
    }, Number(pace.value));
  };
  const again = () => { clearTimeout(timer); tick(); };
  pause.hidden = false;
  document.querySelector("[data-script]").hidden = false;
  pause.addEventListener("click", () => {
    const paused = pause.getAttribute("aria-pressed") === "false";
    pause.setAttribute("aria-pressed", paused);
    pause.querySelector("b").textContent = paused ? "Go on" : "Pause";
    again();
  });
  pace.addEventListener("change", again);
  tick();
}
addEventListener("shown", () => { store(); count(); });
store();
