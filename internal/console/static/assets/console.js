// The console's own script. Pages work without it; it adds what HTML cannot do yet. Everything is delegated from the
// document, so parts of a page may be replaced at any time.
"use strict";

// Menus close when something else is clicked, or with Escape.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}
document.addEventListener("click", (e) => {
  closeMenus(e.target.closest("details.menu"));

  const opens = e.target.closest("[data-open]");
  if (opens) document.getElementById(opens.dataset.open)?.showModal();

  const closes = e.target.closest("[data-close]");
  if (closes) closes.closest("dialog")?.close();

  const copies = e.target.closest("[data-copy]");
  if (copies) {
    const from = document.getElementById(copies.dataset.copy);
    navigator.clipboard.writeText(from.value ?? from.textContent).then(() => {
      copies.querySelector("span").textContent = copies.dataset.done;
    });
  }

  const link = e.target.closest("[data-copy-link]");
  if (link) {
    navigator.clipboard.writeText(location.origin + location.pathname).then(() => {
      link.querySelector("span").textContent = link.dataset.done;
    });
  }

  if (e.target.closest("[data-print]")) printAll();
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Tables are printed with all their rows, which are read first (as far as the server gives them), and taken away after.
async function printAll() {
  await Promise.all([...document.querySelectorAll("[data-paper]:not(.screen)")].map(async (table) => {
    const got = await fetch(table.dataset.paper, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!got?.ok) return;
    const all = new DOMParser().parseFromString(await got.text(), "text/html").querySelector(".result");
    if (!all) return;
    all.removeAttribute("id");
    all.classList.add("paper");
    table.classList.add("screen");
    table.after(all);
  }));
  window.print();
}
window.addEventListener("afterprint", () => {
  for (const all of document.querySelectorAll(".result.paper")) all.remove();
  for (const table of document.querySelectorAll(".result.screen")) table.classList.remove("screen");
});
document.addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && e.code === "KeyP" && document.querySelector("[data-paper]")) {
    e.preventDefault();
    printAll();
  }
});

// A form is sent once, and says so.
document.addEventListener("submit", (e) => {
  if (e.defaultPrevented) return;
  if (e.target.classList.contains("sending")) e.preventDefault();
  else if (e.target.method === "post") e.target.classList.add("sending");
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form.sending")) form.classList.remove("sending");
});
document.addEventListener("htmx:afterRequest", (e) => e.target.closest?.("form")?.classList.remove("sending"));

// Selects with data-submit send their form as soon as something is chosen.
document.addEventListener("change", (e) => {
  if (e.target.matches("[data-submit]")) e.target.form.requestSubmit();
});

// Fields that differ from what was loaded are marked, and what depends on a change is shown.
function differs(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}
function showChanges(form) {
  let any = false;
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden" || field.tagName === "BUTTON") continue;
    const changed = differs(field);
    field.classList.toggle("changed", changed && field.type !== "checkbox");
    if (field.dataset.drops !== undefined) {
      field.closest(field.dataset.drops)?.classList.toggle("dropped", field.checked);
    }
    any ||= changed;
  }
  for (const el of document.querySelectorAll(`[data-if-changed="${form.id}"]`)) el.hidden = !any;
  for (const el of document.querySelectorAll(`[data-unless-changed="${form.id}"]`)) el.hidden = any;
}
document.addEventListener("input", (e) => {
  if (e.target.form?.dataset.tracked !== undefined) showChanges(e.target.form);
});

// A person who leaves a page with such changes is asked first. Sending the form is no leaving.
function unsaved() {
  for (const form of document.querySelectorAll("form[data-leaving]:not(.sending)")) {
    if ([...form.elements].some((x) => x.name && x.type !== "hidden" && x.tagName !== "BUTTON" && differs(x))) return form;
  }
}
window.addEventListener("beforeunload", (e) => { if (unsaved()) e.preventDefault(); });
document.addEventListener("htmx:confirm", (e) => {
  const form = e.target.closest("a") && unsaved();
  if (form && !window.confirm(form.dataset.leaving)) e.preventDefault();
});

// In such a form, Enter and the arrows go to the same field of the next and the previous row, Escape restores the field,
// and Ctrl Z takes back the last change, in whichever field it was made.
const changes = [];
document.addEventListener("focusin", (e) => {
  if (e.target.form?.dataset.tracked !== undefined) e.target.dataset.before = e.target.value;
});
document.addEventListener("change", (e) => {
  const field = e.target, form = field.form;
  if (form?.dataset.tracked === undefined) return;
  const before = field.type === "checkbox" ? !field.checked : field.dataset.before ?? field.defaultValue;
  changes.push([field, before]);
  field.dataset.before = field.value;
});
function put(field, value) {
  if (field.type === "checkbox") field.checked = value;
  else field.dataset.before = field.value = value;
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
document.addEventListener("keydown", (e) => {
  const field = e.target, form = field.form;
  if (form?.dataset.tracked === undefined || e.isComposing) return;
  const typed = field.type !== "checkbox" && field.value !== field.dataset.before;
  if ((e.ctrlKey || e.metaKey) && e.code === "KeyZ" && !e.shiftKey) {
    if (typed) return; // the browser takes back what is being typed
    let last = changes.pop();
    while (last && !last[0].isConnected) last = changes.pop();
    if (!last) return;
    put(...last);
  } else if (e.key === "Escape" && typed) {
    put(field, field.dataset.before);
  } else if (field.classList.contains("number") && ["Enter", "ArrowDown", "ArrowUp"].includes(e.key)) {
    const kind = field.name.split("-")[0];
    const all = [...form.elements].filter((x) => x.name?.startsWith(kind + "-"));
    const next = all[all.indexOf(field) + (e.key === "ArrowUp" ? -1 : 1)];
    next?.focus();
    next?.select();
  } else return;
  e.preventDefault();
});
document.addEventListener("keypress", (e) => { // Enter goes to the next row, and sends nothing
  if (e.key === "Enter" && e.target.form?.dataset.tracked !== undefined && e.target.matches("input.number")) e.preventDefault();
});
document.addEventListener("reset", (e) => {
  changes.length = 0;
  if (e.target.dataset.tracked !== undefined) setTimeout(() => showChanges(e.target));
});

// Requests of htmx: a line at the top while one runs, and words if the server cannot be reached.
function loading(on) { document.getElementById("loading")?.classList.toggle("on", on); }
function trouble(on) {
  const el = document.getElementById("trouble");
  if (el) el.hidden = !on;
}
document.addEventListener("htmx:beforeRequest", (e) => { if (!e.target.closest("[data-quiet]")) loading(true); });
document.addEventListener("htmx:afterRequest", (e) => { loading(false); if (e.detail.xhr?.status) trouble(false); });
document.addEventListener("htmx:sendError", () => trouble(true));

// A stream that breaks off follows again by itself. Words say so if that takes longer than usual.
let lost;
document.addEventListener("htmx:sseError", () => {
  lost ??= setTimeout(() => { if (document.querySelector("[data-live]")) trouble(true); }, 1500);
});
document.addEventListener("htmx:sseOpen", () => {
  clearTimeout(lost);
  lost = undefined;
  trouble(false);
});
document.addEventListener("htmx:afterSettle", (e) => {
  if (e.detail.target !== document.body) return;
  const heading = document.querySelector("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
});

// Questions: Enter sends, Shift+Enter is a new line; a question that was taken is cleared, and the newest one is shown.
document.addEventListener("keydown", (e) => {
  if (e.key !== "Enter" || e.shiftKey || e.isComposing || !e.target.matches("[data-enter]")) return;
  e.preventDefault();
  if (e.target.value.trim()) e.target.form.requestSubmit();
});
document.addEventListener("htmx:afterRequest", (e) => {
  if (e.detail.successful && e.target.matches?.("form[data-asks]")) e.target.reset();
});
document.addEventListener("htmx:afterSwap", (e) => {
  if (e.detail.target?.id !== "turns") return;
  closeMenus();
  e.detail.target.lastElementChild?.scrollIntoView({ block: "start" });
});
document.addEventListener("change", (e) => {
  for (const copy of document.querySelectorAll(`[data-copies="${e.target.id}"]`)) if (e.target.id) copy.value = e.target.value;
});

// The palette: Ctrl K opens it, arrows choose, Enter goes there.
function openPalette() {
  const palette = document.getElementById("palette");
  if (!palette || palette.open) return;
  palette.showModal();
  const field = palette.querySelector("input");
  field.value = "";
  field.dispatchEvent(new Event("opened"));
}
function choose(option) {
  const field = document.querySelector("#palette input");
  for (const o of document.querySelectorAll("#found [role=option]")) o.setAttribute("aria-selected", String(o === option));
  if (!option) { field.removeAttribute("aria-activedescendant"); return; }
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}
document.addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey && e.code === "KeyK") { e.preventDefault(); openPalette(); return; }
  if (!e.target.closest?.("#palette") || e.isComposing) return;
  const options = [...document.querySelectorAll("#found [role=option]")];
  const at = options.findIndex((o) => o.getAttribute("aria-selected") === "true");
  if (e.key === "ArrowDown") choose(options[(at + 1) % options.length]);
  else if (e.key === "ArrowUp") choose(options[(at - 1 + options.length) % options.length]);
  else if (e.key === "Enter") options[Math.max(at, 0)]?.click();
  else return;
  e.preventDefault();
});
document.addEventListener("click", (e) => {
  if (e.target.closest("[data-palette]") && !e.ctrlKey && !e.metaKey) { e.preventDefault(); openPalette(); }
  if (e.target.id === "palette") e.target.close();
  if (e.target.closest("#found a")) document.getElementById("palette").close();
});
// A command of the palette presses a control of the page, or sets it.
document.addEventListener("click", (e) => {
  const command = e.target.closest("[data-press]");
  if (!command) return;
  e.preventDefault();
  if (command.dataset.press === "print-page") { printAll(); return; }
  const control = document.getElementById(command.dataset.press);
  if (control.tagName !== "SELECT") { control.click(); return; }
  control.value = command.dataset.value;
  control.form.requestSubmit();
});
// A late list does not replace the one that was clicked: htmx pushes no address for a link that is gone.
document.addEventListener("htmx:beforeSwap", (e) => {
  if (e.detail.target?.id === "found" && !document.getElementById("palette").open) e.detail.shouldSwap = false;
});
document.addEventListener("htmx:afterSwap", (e) => {
  if (e.detail.target?.id === "found") choose(document.querySelector("#found [role=option]"));
});

// Without a network, a word says so. The badge of the installed app is the number of drafts that wait.
window.addEventListener("offline", () => trouble(true));
window.addEventListener("online", () => trouble(false));
function badge() {
  const waiting = Number(document.getElementById("waiting")?.firstChild?.textContent) || 0;
  if (!navigator.setAppBadge) return;
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
}
document.addEventListener("DOMContentLoaded", badge);
document.addEventListener("htmx:afterSettle", badge);
document.addEventListener("htmx:oobAfterSwap", badge);

// The current tab is in view, and pages that nobody looks at ask for nothing.
function showTab() {
  for (const tab of document.querySelectorAll(".tabs [aria-current]")) tab.parentElement.scrollLeft = tab.offsetLeft - 48;
}
document.addEventListener("DOMContentLoaded", showTab);
document.addEventListener("htmx:afterSettle", showTab);
document.addEventListener("htmx:beforeRequest", (e) => {
  if (document.hidden && e.target.matches('[hx-trigger^="every"]')) e.preventDefault();
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});
