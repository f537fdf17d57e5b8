const api = "/api/v1/me/passkeys";
const list = document.getElementById("list");
const add = document.getElementById("add");
const problem = document.getElementById("problem");

const send = async (method, path, body) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) {
    const error = new Error(answer.status);
    if (answer.status === 409) error.reason = (await answer.json()).detail.message; // such as the last way to sign in
    throw error;
  }
  return answer.status === 204 ? null : answer.json();
};

const attempt = async (change) => {
  problem.textContent = "";
  try {
    await change();
    const { data } = await send("GET", "");
    list.replaceChildren(...data.map(shown));
  } catch (error) {
    if (error.name === "NotAllowedError") return; // the person changed their mind
    problem.textContent = error.reason ?? problem.dataset.again;
  }
};

const shown = (passkey) => {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = list.dataset.remove;
  button.onclick = () => attempt(() => send("DELETE", "/" + passkey.id));
  item.append(passkey.name + " ", button);
  return item;
};

add.onsubmit = (event) => {
  event.preventDefault();
  attempt(async () => {
    const { public_key } = await send("POST", "/challenge");
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(public_key);
    const made = await navigator.credentials.create({ publicKey });
    await send("POST", "", { name: add.elements.name.value, credential: made.toJSON() });
    add.reset();
  });
};

if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  add.hidden = true;
  problem.textContent = problem.dataset.none;
}
attempt(() => {});
