const form = document.getElementById("passkey");
form.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON;
form.onsubmit = async (event) => {
  event.preventDefault();
  try {
    const answer = await fetch("/sign-in/passkey/challenge", { method: "POST" });
    if (answer.ok) {
      const { public_key } = await answer.json();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(public_key);
      const found = await navigator.credentials.get({ publicKey });
      form.elements.credential.value = JSON.stringify(found.toJSON());
    }
    form.submit(); // without an answer, the page says why
  } catch {
    // the person has changed their mind
  }
};
