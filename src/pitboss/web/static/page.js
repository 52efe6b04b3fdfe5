// What pages do beyond links and forms. Every page works without it.
"use strict";

// The channel: the server says what has changed, and when the session ends.
const warn = (seconds) => {
  let box = document.querySelector(".ending");
  if (seconds === null) { box?.remove(); return; }
  if (!box) {
    box = document.createElement("div");
    box.className = "ending alert warn";
    box.setAttribute("role", "alert");
    const stay = document.createElement("button");
    stay.className = "btn";
    stay.textContent = "Stay logged in";
    stay.addEventListener("click", () => fetch("/api/me").then(() => box.remove()));
    box.append(document.createElement("p"), stay);
    document.body.append(box);
  }
  const minutes = Math.max(1, Math.round(seconds / 60));
  box.firstChild.textContent = `Nothing was pressed for a while. You are logged out in ${minutes} min.`;
};
let leaving = false;  // a form is on its way, and its answer says where to go
addEventListener("submit", () => { leaving = true; });

// What changes under a finger that is pressed would take the press away: it waits for the release.
let pressed = false, waiting = [];
const release = () => setTimeout(() => { pressed = false; waiting.splice(0).forEach(show); });
addEventListener("pointerdown", () => { pressed = true; });
addEventListener("pointerup", release);
addEventListener("pointercancel", release);

// Fields that somebody has typed in keep what was typed. Radios of a group are one field: to check another would uncheck the choice.
const group = (field) => (field.type === "radio" ? [...document.getElementsByName(field.name)].filter((each) => each.form === field.form) : [field]);
const changed = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;
const typed = (field) => field.matches?.("input, textarea, select") && !field.matches("[type=hidden]") &&
  (field.matches("select") ? field === document.activeElement : group(field).some(changed));
const show = ({regions, mark}) => {
  for (const [name, text] of Object.entries(regions)) {
    const region = document.querySelector(`[data-region="${name}"]`);
    if (region) Idiomorph.morph(region, text, {morphStyle: "innerHTML", callbacks: {beforeNodeMorphed: (old) => !typed(old), beforeAttributeUpdated: (name, old) => name !== "open" || !old.matches("details")}});
  }
  document.body.dataset.mark = mark;
  dispatchEvent(new CustomEvent("shown"));
};
const heard = (message) => {
  if (message.leave && !leaving) location.assign(`/login?ended=1&then=${encodeURIComponent(location.pathname + location.search)}`);
  if (message.ends !== undefined) warn(message.ends);
  if (message.regions) pressed ? waiting.push(message) : show(message);
};
const listen = (wait) => {
  const {mark} = document.body.dataset;
  const about = mark ? `?${new URLSearchParams({at: location.pathname + location.search, mark})}` : "";
  const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/live${about}`);
  socket.addEventListener("open", () => { wait = 500; });
  socket.addEventListener("message", (event) => heard(JSON.parse(event.data)));
  const moved = () => (socket.readyState ? socket.close() : socket.addEventListener("open", () => socket.close()));  // to another address
  addEventListener("moved", moved, {once: true});
  socket.addEventListener("close", () => { removeEventListener("moved", moved); setTimeout(listen, wait, Math.min(2 * wait, 3000)); });
};
if ("session" in document.body.dataset || document.body.dataset.mark) listen(500);

// The paragraph or row that an address names.
const chosen = document.querySelector("[data-chosen]");
if (chosen) { chosen.scrollIntoView({block: "start"}); chosen.focus({preventScroll: true}); }

// A choice that leads straight to a page.
document.addEventListener("change", ({target}) => {
  if (target.dataset?.go && target.value) location.assign(target.dataset.go + encodeURIComponent(target.value));
});

// A submission that the submission desk has left in this window.
for (const button of document.querySelectorAll("[data-take]")) {
  const text = sessionStorage.getItem(button.dataset.take);
  button.hidden = !text;
  const take = () => { document.getElementById(button.dataset.into).value = text; };
  button.addEventListener("click", take);
  if (text && new URLSearchParams(location.search).has("desk")) take();
}

// The address of a page to copy, and the page to print.
for (const button of document.querySelectorAll("[data-copy], [data-print]")) button.hidden = false;
document.querySelector("[data-print]")?.addEventListener("click", () => print());
document.querySelector("[data-copy]")?.addEventListener("click", async ({target}) => {
  const link = document.getElementById("link");
  link?.select();
  await navigator.clipboard?.writeText(link?.value ?? location.href);
  target.textContent = "Copied";
  setTimeout(() => { target.textContent = "Copy the address"; }, 2000);
});

// A file that is read into the lines of its form.
for (const load of document.querySelectorAll("[data-load]")) {
  load.hidden = false;
  load.addEventListener("change", async ({target}) => {
    if (target.files[0]) target.form.querySelector("textarea").value = await target.files[0].slice(0, 131072).text();
  });
}

// Motion can be switched off in this browser.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const isStill = () => localStorage.getItem("pitboss-motion") === "off";
const setMotion = () => document.documentElement.classList.toggle("still", isStill());
for (const box of document.querySelectorAll("[data-motion]")) {
  box.checked = !isStill();
  box.closest("label").hidden = false;
  box.addEventListener("change", () => { localStorage.setItem("pitboss-motion", box.checked ? "on" : "off"); setMotion(); });
}
setMotion();

// Amounts on a meter run to their new value.
const amounts = new Map();
const inDollars = (cents) => `$${Math.floor(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
const runMeters = () => {
  for (const place of document.querySelectorAll("[data-cents]")) {
    const to = Number(place.dataset.cents), from = amounts.get(place.id) ?? to;
    amounts.set(place.id, to);
    if (from === to || still.matches || isStill() || document.hidden) continue;
    const began = performance.now();
    const tick = (now) => {
      if (Number(place.dataset.cents) !== to) return;
      const part = Math.min(1, Math.max(0, (now - began) / 400));
      place.textContent = inDollars(Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
      if (part < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const card = place.closest(".meter");
    card?.classList.remove("fresh");
    void card?.offsetWidth;
    card?.classList.add("fresh");
  }
};
addEventListener("shown", runMeters);
runMeters();
document.querySelector("[data-fullscreen]")?.addEventListener("click", () => document.documentElement.requestFullscreen());
