// What is checked of the OpenAI and MCP SDKs, in Node and in a browser alike. service is the ready file of the demo.
import OpenAI, { AuthenticationError, NotFoundError } from "openai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

async function rejects(promise, type, what) {
  const error = await promise.then(() => null, (e) => e);
  expect(error instanceof type, `${what}: ${error}`);
}

export async function checkOpenAI(service) {
  const open = (apiKey) => new OpenAI({ apiKey, baseURL: service.openai_base_url, dangerouslyAllowBrowser: true, maxRetries: 0 });
  const client = open(service.admin_token);
  const models = await client.models.list();
  expect(models.data.some((m) => m.id === "stockhand"), "the list of models");
  const messages = [{ role: "user", content: "сколько денег на счетах?" }];
  const plain = await client.chat.completions.create({ model: "stockhand", messages }).withResponse();
  expect(plain.data.choices[0].message.content.includes("₽"), "a completion");
  expect(plain.request_id && plain.response.headers.get("x-session-id"), "the response headers");
  let text = "";
  const stream = await client.chat.completions.create({ model: "stockhand", messages, stream: true });
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? "";
  expect(text.includes("₽"), "a stream: " + text);
  await rejects(open("sk-org-wrong").models.list(), AuthenticationError, "a wrong key");
  await rejects(client.chat.completions.create({ model: "nothing", messages }), NotFoundError, "an unknown model");
}

export async function checkMCP(service) {
  const transport = new StreamableHTTPClientTransport(new URL(service.mcp_url),
    { requestInit: { headers: { Authorization: `Bearer ${service.admin_token}`, "Accept-Language": "en" } } });
  const client = new Client({ name: "conformance", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.some((t) => t.name === "ask"), "the list of tools");
  const answer = await client.callTool({ name: "moysklad_stock", arguments: {} });
  expect(!answer.isError && answer.content[0].text.includes("stock above zero"), "a call: " + JSON.stringify(answer.content[0]));
  expect(JSON.stringify(answer.structuredContent).length < 5000, "the structured content is a summary");
  const link = answer.content.find((c) => c.type === "resource_link");
  const table = JSON.parse((await client.readResource({ uri: link.uri })).contents[0].text);
  expect(table.rows.length === answer.structuredContent.results[0].row_count, "the linked table");
  const wrong = await client.callTool({ name: "ask", arguments: {} });
  expect(wrong.isError && wrong.content[0].text.includes("task"), "an error: " + JSON.stringify(wrong));
  await client.close();
}
