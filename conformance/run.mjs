// Runs third-party validators and clients against a real `stockhand demo` and prints a table. Exits 1 if any fails.
//
//   node run.mjs BINARY        (make conformance builds the binary and installs what is missing)
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { checkPasskeys } from "./passkeys.mjs";
import { checkMCP, checkOpenAI } from "./clients.mjs";
import { checkAgents, checkAISDK } from "./frameworks.mjs";
import { startProvider } from "./provider.mjs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const run = promisify(execFile);
const here = import.meta.dirname;
const binary = resolve(process.argv[2] ?? "../bin/stockhand");
const work = await mkdtemp(join(tmpdir(), "stockhand-conformance-"));
const bin = (name) => join(here, "node_modules/.bin", name);
const results = [];

// check runs one test and records the outcome.
async function check(name, test) {
  const began = Date.now();
  let failure = "";
  try {
    await test();
  } catch (e) {
    failure = [e.stdout, e.stderr, e.message].filter(Boolean).join("\n").slice(0, 3000);
  }
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  results.push({ name, failure });
  console.log(`${failure ? "FAIL" : "ok  "}  ${name.padEnd(48)} ${seconds.padStart(6)} s`);
  if (failure) console.log(failure.replace(/^/gm, "      "));
}

// page serves the browser tests from an origin of its own.
async function page() {
  const script = await build({ entryPoints: [join(here, "clients.mjs")], bundle: true, write: false, format: "iife",
    globalName: "clients", platform: "browser", logLevel: "silent" });
  const server = createServer((request, response) => {
    const js = request.url === "/clients.js";
    response.setHeader("Content-Type", js ? "text/javascript" : "text/html");
    response.end(js ? script.outputFiles[0].text : '<!doctype html><script src="/clients.js"></script>');
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

// demo starts the service and returns the contents of its ready file.
async function demo(origin, more = {}) {
  const file = join(await mkdtemp(join(work, "demo-")), "ready.json");
  const child = spawn(binary, ["demo", "--ready-file", file, "--accounts", "1"], {
    env: { ...process.env, STOCKHAND_CORS_ORIGINS: origin, ...more }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (b) => (output += b));
  child.stderr.on("data", (b) => (output += b));
  for (let i = 0; i < 600; i++) {
    try {
      return { ...JSON.parse(await readFile(file, "utf8")), stop: () => child.kill("SIGINT") };
    } catch {
      if (child.exitCode !== null) break;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  child.kill();
  throw new Error("stockhand demo did not start:\n" + output);
}

// firstStart starts the service with an empty database at an address where browsers have passkeys, and returns the link
// of its owner.
async function firstStart() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  const child = spawn(binary, ["serve", "--addr", `127.0.0.1:${port}`, "--data-dir", join(work, "data")], {
    env: { ...process.env, STOCKHAND_PUBLIC_URL: `http://localhost:${port}` }, stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  const link = await new Promise((found, failed) => {
    child.stdout.on("data", (b) => { // to the end: a closed pipe would end the service
      output += b;
      const link = output.match(/http\S+\?token=\S+(?=\s)/);
      if (link) found(link[0]);
    });
    child.on("exit", () => failed(new Error("stockhand serve did not start:\n" + output)));
  });
  return { link, stop: () => child.kill("SIGINT") };
}

async function checkGo(document) {
  const dir = join(work, "go/api");
  await mkdir(dir, { recursive: true });
  await run(join(here, "../bin/oapi-codegen"), ["-package", "api", "-generate", "types,client", "-o", join(dir, "api.gen.go"), document]);
  await run("cp", [join(here, "oapi-codegen/go.mod"), join(here, "oapi-codegen/go.sum"), join(work, "go")]);
  await run("go", ["build", "./..."], { cwd: join(work, "go"), env: { ...process.env, GOFLAGS: "-mod=mod" } });
}

async function checkTypeScript(document, service) {
  const dir = join(work, "ts");
  await run(bin("openapi-ts"), ["-i", document, "-o", join(dir, "client"), "-c", "@hey-api/client-fetch"], { cwd: here });
  await writeFile(join(dir, "main.ts"), `
import { createClient } from "./client/client";
import { gatewayGet, getMe, listDrafts, startTurn, streamEvents, type Event } from "./client";
const client = createClient({ baseUrl: "${service.base_url}", headers: { Authorization: "Bearer ${service.admin_token}" } });
const me = await getMe({ client, throwOnError: true });
if (me.data.actor.type !== "user") throw new Error("me");
const stores = await gatewayGet({ client, path: { connection_id: "${service.connections[0].id}", path: "entity/store" } });
if (stores.response.status !== 200) throw new Error("gateway " + stores.response.status);
if (!Array.isArray((await listDrafts({ client, throwOnError: true })).data.data)) throw new Error("drafts");
const turn = await startTurn({ client, body: { message: "сколько денег на счетах?" }, throwOnError: true });
const path = { session_id: turn.data.session_id, message_id: turn.data.message_id };
const seen: Event["type"][] = [];
for await (const event of (await streamEvents({ client, path })).stream) seen.push((event as Event).type);
if (seen[0] !== "start" || seen.at(-1) !== "complete") throw new Error("events " + seen);
`);
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true, noEmit: true, skipLibCheck: true,
    target: "ES2022", module: "ESNext", moduleResolution: "Bundler", lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"] }, include: ["."] }));
  await run(bin("tsc"), ["-p", dir]);
  await build({ entryPoints: [join(dir, "main.ts")], bundle: true, platform: "node", format: "esm", outfile: join(dir, "main.mjs"), logLevel: "silent" });
  await run("node", [join(dir, "main.mjs")]);
}

async function checkStdio() {
  const transport = new StdioClientTransport({ command: binary, args: ["mcp", "--demo"] });
  const client = new Client({ name: "conformance", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "moysklad_money", arguments: { language: "en" } });
  await client.close();
  if (tools.length < 10 || answer.isError) throw new Error(JSON.stringify(answer).slice(0, 500));
}

const origin = await page();
const provider = await startProvider();
const service = await demo(origin.url);
// another one has a model for its callers; it would also answer tasks, which the others are to do without
const modelled = await demo(origin.url, { STOCKHAND_LLM_BASE_URL: provider.url, STOCKHAND_LLM_MODEL: "fake",
  STOCKHAND_LLM_PASS_THROUGH: "default/fake", STOCKHAND_LLM_MONTH_TOKENS: "20000000" });
service.passing = { model: "default/fake", apiKey: modelled.admin_token, baseURL: modelled.openai_base_url };
try {
  const document = join(work, "openapi.json");
  await writeFile(document, await (await fetch(service.base_url + "/openapi.json")).text());
  await check("Redocly CLI", () => run(bin("redocly"), ["lint", "--extends", "recommended-strict", "--config", join(here, "redocly.yaml"), document],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } }));
  await check("Spectral", () => run(bin("spectral"), ["lint", "--ruleset", join(here, "spectral.yaml"), "--fail-severity", "warn", document]));
  await check("oapi-codegen: generate and compile", () => checkGo(document));
  await check("hey-api: generate, tsc --strict, call", () => checkTypeScript(document, service));
  await check("OpenAI SDK in Node", () => checkOpenAI(service));
  await check("AI SDK with its defaults", () => checkAISDK(service));
  await check("OpenAI Agents SDK", () => checkAgents(service));
  await check("MCP SDK in Node, Streamable HTTP", () => checkMCP(service));
  await check("MCP SDK in Node, stdio", checkStdio);
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    headless: "shell", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    for (const [name, test] of [["OpenAI SDK in Chromium", "checkOpenAI"], ["MCP SDK in Chromium", "checkMCP"]]) {
      await check(name, async () => {
        const tab = await browser.newPage();
        await tab.goto(origin.url);
        const { stop, ...settings } = service;
        await tab.evaluate((test, settings) => globalThis.clients[test](settings), test, settings);
      });
    }
    await check("passkeys in Chromium", async () => {
      const { link, stop } = await firstStart();
      await checkPasskeys(browser, link).finally(stop);
    });
  } finally {
    await browser.close();
  }
} finally {
  service.stop();
  modelled.stop();
  origin.close();
  provider.close();
  await rm(work, { recursive: true, force: true });
}
const failed = results.filter((r) => r.failure).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
