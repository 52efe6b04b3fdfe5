// The card picker of the settle page. Without it the cards are typed.
"use strict";
{
  const RANKS = [..."AKQJT98765432"], SUITS = {s: "♠", h: "♥", d: "♦", c: "♣"};
  const NAMES = {A: "Ace", K: "King", Q: "Queen", J: "Jack", T: "10"}, SUIT_NAMES = {s: "spades", h: "hearts", d: "diamonds", c: "clubs"};
  const face = (rank) => (rank === "T" ? "10" : rank);
  const named = (card) => `${NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]}`;
  const red = (suit) => suit === "h" || suit === "d";
  const WRITTEN = /(10|[2-9TJQKA])([cdhs♣♦♥♠])/gi, SIGNS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"};
  const cardsOf = (field) => [...field.value.matchAll(WRITTEN)].map(([, rank, suit]) => rank.toUpperCase().replace("10", "T") + (SIGNS[suit] ?? suit.toLowerCase()));
  const make = (tag, kind, text = "") => Object.assign(document.createElement(tag), {className: kind, textContent: text});

  const picker = document.querySelector("[data-picker]");
  const fields = [...document.querySelectorAll("input[data-cards]")];
  const due = (field) => !field.value && !field.hasAttribute("data-optional");
  if (picker) {
    let active = fields.find(due) ?? fields[0], rank = "";
    const keys = new Map(), faces = new Map();
    const about = make("p", "small muted");
    about.setAttribute("aria-live", "polite");
    const key = (label, name, press) => {
      const button = make("button", "key", label);
      button.type = "button";
      button.setAttribute("aria-label", name);
      button.addEventListener("click", press);
      return button;
    };
    const lying = () => {
      const at = new Map();
      for (const field of fields) {
        if (!field.name.endsWith("discard") && field.name !== "magic_card") for (const card of cardsOf(field)) at.set(card, field);
      }
      return at;
    };
    const write = (field, cards) => { field.value = cards.map((card) => face(card[0]) + card[1]).join(" "); };
    const press = (card) => {
      const again = active.name === "magic_card" || active.name.endsWith("discard");
      const held = lying().get(card), cards = cardsOf(active);
      if (cards.includes(card)) { write(active, cards.filter((each) => each !== card)); show(); return; }
      if (held && !again) { show(`The ${named(card).toLowerCase()} lies at ${held.dataset.place} already.`); return; }
      const size = Number(active.dataset.cards);
      if (size && cards.length >= size) { show(`${label(active)} has ${size} card${size === 1 ? "" : "s"} already. Take one back by pressing it.`); return; }
      write(active, [...cards, card]);
      if (size && cards.length + 1 === size) active = fields.slice(fields.indexOf(active)).find(due) ?? active;
      show();
    };
    const label = (field) => document.querySelector(`label[for="${field.id}"]`).textContent;
    const show = (sentence = "") => {
      const at = lying();
      for (const [card, button] of keys) {
        const held = at.get(card);
        button.toggleAttribute("data-at", Boolean(held));
        if (held) button.dataset.at = held.dataset.place.replace(/^seat /, "").replace("the dealer", "D").replace("the board", "B");
        const mine = held === active;
        held && !mine ? button.setAttribute("aria-disabled", "true") : button.removeAttribute("aria-disabled");
        button.setAttribute("aria-label", held ? `${named(card)}, at ${held.dataset.place}` : named(card));
      }
      for (const [each, button] of faces) button.setAttribute("aria-pressed", String(each === rank));
      for (const field of fields) {
        field.classList.toggle("active", field === active);
        let row = field.parentElement.querySelector(".mini");
        if (!row) { row = make("div", "mini"); row.setAttribute("aria-hidden", "true"); field.after(row); }
        row.replaceChildren(...cardsOf(field).map((card) => {
          const mini = make("b", red(card[1]) ? "red" : "", face(card[0]));
          mini.append(make("i", "", SUITS[card[1]]));
          return mini;
        }));
      }
      about.textContent = sentence || `Cards go to: ${label(active)}. Press a card there again to take it back.`;
    };
    const deck = make("div", "deck"), phone = make("div", "phone"), ranks = make("div", "ranks"), suits = make("div", "suits");
    for (const suit of Object.keys(SUITS)) {
      for (const each of RANKS) {
        const button = key("", named(each + suit), () => press(each + suit));
        button.classList.toggle("red", red(suit));
        button.append(make("span", "", face(each)), make("span", "", SUITS[suit]));
        keys.set(each + suit, button);
        deck.append(button);
      }
      const button = key(SUITS[suit], SUIT_NAMES[suit], () => {
        if (!rank) { show("Press a rank first, then a suit."); return; }
        const card = rank + suit;
        rank = "";
        press(card);
      });
      button.classList.toggle("red", red(suit));
      suits.append(button);
    }
    for (const each of RANKS) {
      const button = key(face(each), NAMES[each] ?? each, () => { rank = rank === each ? "" : each; show(); });
      faces.set(each, button);
      ranks.append(button);
    }
    phone.append(ranks, suits);
    picker.append(about, deck, phone);
    picker.setAttribute("role", "group");
    picker.setAttribute("aria-label", "Card picker");
    picker.hidden = false;
    for (const field of fields) {
      field.addEventListener("focus", () => { active = field; show(); });
      field.addEventListener("input", () => show());
    }
    show();
  }

  // Another game or device asks other things.
  for (const select of document.querySelectorAll("[data-again]")) {
    select.addEventListener("change", () => { if (select.value) document.getElementById("continue").click(); });
  }
  const link = document.getElementById("link");
  if (link) {
    link.value = location.origin + location.pathname + location.search;
  }
}
