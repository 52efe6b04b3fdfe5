// The floor: the count in the title, and a sound when something new waits.
"use strict";

const SOUND = "pitboss-floor-sound";
const sound = document.querySelector("[data-sound]");
sound.closest("label").hidden = false;
sound.checked = localStorage.getItem(SOUND) !== "off";
sound.addEventListener("change", () => localStorage.setItem(SOUND, sound.checked ? "on" : "off"));

let audio;
const ring = () => {  // a browser that nobody has touched yet stays silent
  if (!sound.checked || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), level = audio.createGain();
  tone.frequency.value = 880;
  level.gain.value = 0.15;
  tone.connect(level).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.25);
};
const keys = () => new Set([...document.querySelectorAll("[data-wait]")].map((each) => each.dataset.wait));
let before = keys();
addEventListener("shown", () => {
  const now = keys(), {waiting} = document.querySelector("[data-waiting]").dataset;
  document.title = `${waiting === "0" ? "" : `(${waiting}) `}${document.title.replace(/^\(\d+\) /, "")}`;
  if ([...now].some((key) => !before.has(key))) ring();
  before = now;
});
