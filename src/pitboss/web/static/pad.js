// The dealer's pad: cards as they are keyed, keys of the keyboard, numbers pressed on the felt.
"use strict";

const SIGNS = {c: "♣", d: "♦", h: "♥", s: "♠", "♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s"};
const CARD = /10[cdhs]|[2-9tjqka][cdhs]/gi;
const written = (card) => (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];
const cardsIn = (text) => ([...text].map((sign) => (/[♣-♧]/.test(sign) ? SIGNS[sign] || sign : sign)).join("").match(CARD) || [])
  .map((card) => card.slice(0, -1).toUpperCase().replace("10", "T") + card.at(-1).toLowerCase());
const field = (entry) => entry.querySelector(`[name="${entry.dataset.field}"]`);

// What is keyed so far, by place; each card can be replaced.
const showEntry = (entry) => {
  const cards = cardsIn(field(entry).value), slots = JSON.parse(entry.dataset.slots), {at} = entry.dataset;
  const places = new Map(slots.map((place) => [place, []]));
  cards.forEach((card, number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `ppick${/[dh]/.test(card[1]) ? " red" : ""}`;
    button.dataset.keyed = number;
    button.textContent = written(card);
    button.setAttribute("aria-label", `Replace ${written(card)}`);
    if (String(number) === at) button.setAttribute("aria-pressed", "true");
    (places.get(slots[number]) || places.get(slots.at(-1))).push(button);
  });
  entry.querySelector("[data-keyed-cards]").replaceChildren(...[...places].filter(([, buttons]) => buttons.length).map(([place, buttons]) => {
    const row = document.createElement("div");
    row.append(Object.assign(document.createElement("span"), {textContent: place, className: "place-name"}), ...buttons);
    return row;
  }));
  const left = slots.length - cards.length, next = at === undefined ? slots[cards.length] : slots[at];
  entry.querySelector("[data-next]").textContent = left < 0 ? `${-left} too many` :
    next ? `Next: ${next} · ${left} of ${slots.length} left` : "All cards are keyed in";
  for (const pick of entry.querySelectorAll("[data-card]")) {
    const keyed = cards.includes(pick.dataset.card);
    pick.disabled = pick.hasAttribute("data-gone") || keyed;
    pick.classList.toggle("in", keyed);
  }
};
const write = (entry, cards) => {
  field(entry).value = cards.join(" ");
  field(entry).dispatchEvent(new Event("input", {bubbles: true}));
};
document.addEventListener("input", ({target}) => {
  const entry = target.closest("[data-slots]");
  if (!entry || target !== field(entry)) return;
  delete entry.dataset.at;
  showEntry(entry);
  const cards = cardsIn(target.value), many = JSON.parse(entry.dataset.slots).length;  // the last card sends them
  if (cards.length === many && new Set(cards).size === many) entry.querySelector("[data-step=next]").click();
});
document.addEventListener("click", ({target}) => {
  const entry = target.closest("[data-slots]");
  if (!entry) return;
  const card = target.closest("[data-card]")?.dataset.card, keyed = target.closest("[data-keyed]")?.dataset.keyed;
  const cards = cardsIn(field(entry).value);
  if (card) {
    if (entry.dataset.at === undefined) cards.push(card); else cards[entry.dataset.at] = card;
    write(entry, cards);
  } else if (keyed !== undefined) {
    if (entry.dataset.at === keyed) delete entry.dataset.at; else entry.dataset.at = keyed;
    showEntry(entry);
  } else if (target.closest("[data-back]")) write(entry, cards.slice(0, -1));
});

// The number that won can be pressed on the felt, too.
document.addEventListener("click", ({target}) => {
  const number = target.closest("[data-calls] .spot-number"), point = target.closest(".drawing:not([data-calls]) .spot-point:not([role])");
  if (number) document.querySelector(`[data-call="${number.dataset.wager.replace("straight_", "")}"]`).click();
  if (point && document.querySelector("[name=chip]")) press(JSON.stringify({do: "chip", wager: point.dataset.wager}));
});

// A plate that is pressed also chooses the seat that decides.
document.addEventListener("change", ({target}) => {
  if (target.name !== "seat") return;
  const asks = document.querySelector(`[data-asks="${target.value}"]`);
  if (asks) asks.checked = true;
});

// Space and Enter are the next step; a rank or a suit begins to key a card; the digits are practice.js's.
const visible = (wanted) => [...document.querySelectorAll(wanted)].find((each) => each.offsetParent && !each.disabled);
document.addEventListener("keydown", (event) => {
  const {target, key} = event, takes = key === "Enter" || key === " ";
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
  const go = (button) => { if (button) { event.preventDefault(); button.click(); } };
  if (target.matches("input:not([type=radio], [type=checkbox])")) {
    if (key === "Enter") { event.preventDefault(); go(target.closest(".presses, .patron, .stack, section")?.querySelector("button[name=do]")); }
    return;
  }
  if (target.matches("textarea, select")) return;
  if (takes && target.closest("a, summary, [role=button], [type=checkbox]")) return;
  if (takes && target.closest("button")) return;
  const entry = document.querySelector("[data-slots]");
  if (takes) go(visible("[data-step=next]"));
  else if (entry && /^[2-9tjqkacdhs1]$/i.test(key)) { event.stopImmediatePropagation(); field(entry).focus(); }
}, true);

// After a press the next key is for the next step, and what was sent from a drawer is not sent again.
const felt = document.querySelector(".pad .wood");
document.addEventListener("click", ({target, detail}) => { if (detail && target.closest("button[name=do], [data-card], [data-keyed], .drawing [data-wager], .plate")) felt.focus({preventScroll: true}); });
addEventListener("shown", () => document.querySelectorAll("[data-slots]").forEach(showEntry));
document.querySelectorAll("[data-slots]").forEach(showEntry);
if (document.activeElement === document.body) felt.focus({preventScroll: true});
