// What is checked of the sign-in pages in Chromium, whose DevTools protocol has a device for passkeys.

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

// checkPasskeys signs in with a link, adds a passkey, and signs in with it.
export async function checkPasskeys(browser, link) {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  const devices = await tab.createCDPSession();
  await devices.send("WebAuthn.enable");
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", { options: { protocol: "ctap2",
    transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true } });
  const signedIn = async () => (await context.cookies()).some((c) => c.name === "stockhand");
  const press = (button) => Promise.all([tab.waitForNavigation(), tab.click(button)]);
  const origin = new URL(link).origin;
  await tab.goto(link);
  await press("form button");
  expect(await signedIn(), "a link signs in");
  const says = (words) => tab.waitForFunction((text) => document.body.textContent.includes(text), { timeout: 10_000 },
    words);
  const remove = 'form[action$="/remove"] button';
  await tab.goto(origin + "/account");
  await tab.waitForSelector("#passkey-name", { visible: true, timeout: 10_000 });
  await tab.type("#passkey-name", "Laptop");
  await tab.click("form:has(#passkey-name) button");
  await tab.waitForSelector(remove, { timeout: 10_000 });
  const { credentials } = await devices.send("WebAuthn.getCredentials", { authenticatorId });
  expect(credentials.length === 1 && credentials[0].isResidentCredential, "the device has a passkey");
  await context.deleteCookie(...(await context.cookies()));
  const withPasskey = async () => {
    await tab.goto(origin + "/sign-in");
    await tab.waitForSelector("form[data-passkey] button", { visible: true, timeout: 10_000 });
    await press("form[data-passkey] button");
  };
  await withPasskey();
  expect(await signedIn(), "the passkey signs in: " + (await tab.content()));
  await tab.goto(origin + "/account");
  await tab.click(remove);
  await says("last way to sign in");
  const cookie = (await context.cookies()).map((c) => c.name + "=" + c.value).join("; ");
  const password = await fetch(origin + "/api/v1/me/password", { method: "POST",
    headers: { "Content-Type": "application/json", Cookie: cookie, Origin: origin },
    body: JSON.stringify({ new_password: "a long password of a test" }) });
  expect(password.ok, "a password is set: " + password.status + " " + (await password.text()));
  await tab.goto(origin + "/account");
  await tab.click(remove);
  await tab.waitForFunction((selector) => !document.querySelector(selector), { timeout: 10_000 }, remove);
  await context.deleteCookie(...(await context.cookies()));
  await withPasskey();
  expect(!(await signedIn()) && (await tab.$("[role=alert]")), "a removed passkey is refused");
  await context.close();
}
