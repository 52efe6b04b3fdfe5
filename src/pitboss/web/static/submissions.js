// The submission desk checks itself while it is filled in. Without this script a press on Check does the same.
"use strict";
{
  const form = document.getElementById("desk");
  const {kept} = form?.dataset ?? {kept: "pb-submission"};
  const AT = `${kept}-at`, TYPED = `${kept}-typed`;
  const store = sessionStorage;
  let timer = 0, busy = false, again = false, pause = 400;

  const texts = () => ["text", "other"].map((id) => document.getElementById(id));
  const remember = (field) => store.setItem(`${kept}-${field.id}`, field.value);
  const fields = () => {
    const data = new FormData(form);
    data.delete("text");
    return new URLSearchParams(data);
  };
  const say = (text) => { document.getElementById("trouble").textContent = text; };
  const soon = (wait) => { clearTimeout(timer); timer = setTimeout(look, wait); };

  // Fields that have changed since they were sent, drawers that are open, and focus stay as they are.
  const morph = (html, sent) => {
    const current = (old) => old.type === "checkbox" || old.type === "radio" ? (old.checked ? old.value : "") : old.value;
    const asked = (old) => old.type === "radio" ? (sent.get(old.name) === old.value ? old.value : "")
      : old.type === "checkbox" ? (sent.getAll(old.name).includes(old.value) ? old.value : "") : sent.get(old.name);
    Idiomorph.morph(form, html, {morphStyle: "innerHTML", callbacks: {
      beforeNodeMorphed: (old) => !(old.matches?.("input:not([type=hidden]), select, textarea") && old.name && (old.id === "text" || current(old) !== asked(old))),
      beforeAttributeUpdated: (name, old) => !(name === "open" && old.matches("details")) && !(name === "hidden" && old.matches(".pick")),
    }});
    files();
    mark();
  };
  const show = (answer, sent) => {
    if (answer.busy) { say(answer.busy); soon(3000); return; }
    morph(answer.desk, sent);
    say(answer.address ? "" : "This submission is too long for an address: download its TOML to keep it.");
    if (answer.address) history.replaceState(null, "", answer.address + location.hash);
    keep(answer.text);
    if (!again) store.removeItem(TYPED);
    if (answer.counting && !again) { soon(pause); pause = Math.min(2 * pause, 3000); }
  };
  const keep = (text) => {
    store.setItem(kept, text);
    store.setItem(AT, location.search);
    const open = document.getElementById("open-submission");
    if (open) open.value = text;
  };
  const look = async () => {
    clearTimeout(timer);
    if (busy) { again = true; return; }
    [busy, again] = [true, false];
    const sent = fields();
    sent.set("do", "look");
    try {
      const answer = await fetch("/submissions", {method: "POST", body: sent});
      if (!answer.headers.get("content-type").startsWith("application/json")) throw new Error();
      show(await answer.json(), sent);
    } catch {
      say("Not checked: the house doesn’t answer, or your session has ended. Your entries stay here; press Check to try again.");
    }
    busy = false;
    if (again) soon(0);
  };
  const changed = (wait) => {
    pause = 400;
    again = busy;
    store.setItem(TYPED, JSON.stringify([location.search, [...fields()]]));
    soon(wait);
  };

  // The section that is being read is marked among the links; on a phone, where they are a row, it comes into view.
  const mark = () => {
    const [jump, ...parts] = [form.querySelector(".jump"), ...form.querySelectorAll(".sections > section")];
    const low = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const here = low ? parts.at(-1) : parts.findLast((part) => part.getBoundingClientRect().top < innerHeight / 4) ?? parts[0];
    const link = jump.querySelector(`a[href="#${here.id}"]`), old = jump.querySelector("[aria-current]");
    if (!link || link === old) return;
    old?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    jump.scrollTo({left: link.offsetLeft - jump.offsetLeft - (jump.clientWidth - link.offsetWidth) / 2, top: link.offsetTop - jump.offsetTop - jump.clientHeight / 2});
  };

  const files = () => {
    for (const pick of form.querySelectorAll(".pick")) pick.hidden = false;
  };
  const load = async (input) => {
    const field = document.getElementById(input.closest(".pick").dataset.file), [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > field.maxLength) { say(`${file.name} is larger than ${field.maxLength / 1024} KiB.`); return; }
    field.value = await file.text();
    remember(field);
    field.focus();
    if (field.id === "other") compare("text");
  };
  const compare = (what) => { form.elements.against.value = what; changed(0); };

  if (form) {
    const {answer} = form.dataset;
    if (answer) history.replaceState(null, "", answer);
    const back = JSON.parse(store.getItem(TYPED) ?? "null");
    if (answer === undefined && !location.search && store.getItem(AT)) location.replace(`/submissions${store.getItem(AT)}`);
    else if (back && back[0] === location.search) {  // typed, but not checked before the page was left
      const sent = new URLSearchParams(back[1]);
      for (const field of form.elements) {
        if (!field.name || field.type === "hidden" || field.id === "text") continue;
        if (field.type === "checkbox" || field.type === "radio") field.checked = sent.getAll(field.name).includes(field.value);
        else if (sent.has(field.name)) field.value = sent.get(field.name);
      }
      soon(0);
    }
    keep(document.querySelector("pre.toml").textContent);
    for (const field of texts()) {
      if (field.value) remember(field); else field.value = store.getItem(`${kept}-${field.id}`) ?? "";
    }
    document.body.classList.add("live");
    files();
    mark();
    addEventListener("scroll", mark, {passive: true});
    form.addEventListener("input", ({target}) => {
      if (target.matches("textarea")) remember(target);
      if (target.type === "file" || target.id === "text" || target.name === "game") return;
      changed(target.matches("select, [type=checkbox], [type=radio]") ? 0 : 250);
    });
    form.addEventListener("change", ({target}) => {
      if (target.name === "game") { store.removeItem(TYPED); form.requestSubmit(); }
      if (target.type === "file") load(target);
    });
    form.addEventListener("click", (event) => {
      const button = event.target.closest("button[name=do]"), link = event.target.closest('a[href^="#f-"]');
      if (button?.id === "check" && form.elements.game.value === form.elements.was.value) {
        event.preventDefault();
        changed(0);
        document.getElementById("findings").focus();
      }
      if (button?.value === "read") store.removeItem(`${kept}-text`);
      if (button?.value.startsWith("compare:")) { event.preventDefault(); compare(button.value.slice(8)); }
      const field = link && document.getElementById(link.hash.slice(1));
      if (field) {
        event.preventDefault();
        field.closest("details")?.setAttribute("open", "");
        field.scrollIntoView({block: "center"});
        field.focus({preventScroll: true});
      }
    });
    if (document.querySelector("[data-counting]")) soon(pause);
  }
}
