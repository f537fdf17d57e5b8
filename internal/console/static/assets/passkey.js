// Forms with data-passkey ask the browser for a passkey before they are sent: "create" makes one, "get" uses one.
// data-challenge is the address of what the browser needs for it. The console and the sign-in page share this.
"use strict";
const usable = () => window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;

function offerPasskeys() {
  for (const form of document.querySelectorAll("form[data-passkey]")) form.hidden = !usable();
  for (const said of document.querySelectorAll("[data-without-passkeys]")) said.hidden = usable();
}
offerPasskeys();
document.addEventListener("htmx:load", offerPasskeys);

// The answer is put into the form, which is then sent as any other. Where the server gives no challenge, the form is
// sent without an answer: the page that comes back says why.
document.addEventListener("submit", async (e) => {
  const form = e.target;
  if (form.dataset.passkey === undefined || form.dataset.asked !== undefined) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  const challenge = await fetch(form.dataset.challenge, { method: "POST" });
  if (challenge.ok) {
    const { public_key } = await challenge.json();
    try {
      const made = form.dataset.passkey === "create"
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key) });
      form.elements.credential.value = JSON.stringify(made.toJSON());
    } catch (error) {
      if (error.name === "NotAllowedError" || error.name === "AbortError") return; // the person changed their mind
    }
  }
  form.dataset.asked = "";
  form.requestSubmit();
}, { capture: true });
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-asked]")) delete form.dataset.asked;
});
