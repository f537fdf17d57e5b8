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
  const open = (apiKey, baseURL = service.openai_base_url) =>
    new OpenAI({ apiKey, baseURL, dangerouslyAllowBrowser: true, maxRetries: 0 });
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
  await checkResponses(client);
  await checkPassing(open(service.passing.apiKey, service.passing.baseURL), service.passing.model);
  await rejects(open("sk-org-wrong").models.list(), AuthenticationError, "a wrong key");
  await rejects(client.chat.completions.create({ model: "nothing", messages }), NotFoundError, "an unknown model");
}

// checkResponses checks the Responses API with the agent.
async function checkResponses(client) {
  const first = await client.responses.create({ model: "stockhand", input: "прибыльность по товарам за прошлый месяц" });
  expect(first.output_text.includes("₽") && first.status === "completed", "a response");
  const next = await client.responses.create({ model: "stockhand", input: "а за этот месяц?", previous_response_id: first.id });
  expect(next.session_id === first.session_id && next.stockhand.results.length === 1, "a continued response");
  const stream = client.responses.stream({ model: "stockhand", input: "сколько денег на счетах?" });
  let text = "";
  for await (const event of stream) if (event.type === "response.output_text.delta") text += event.delta;
  expect(text.includes("₽") && (await stream.finalResponse()).output_text === text, "a streamed response: " + text);
  expect((await client.responses.retrieve(first.id)).output_text === first.output_text, "a stored response");
  await client.responses.delete(first.id);
  await rejects(client.responses.create({ model: "stockhand", input: "x", previous_response_id: first.id }), NotFoundError,
    "a deleted response");
}

// checkPassing checks the Responses API with a provider's model that calls a function.
async function checkPassing(client, model) {
  const tools = [{ type: "function", name: "weather", strict: true,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false } }];
  const asked = await client.responses.create({ model, input: "what is the weather in Perm?", tools });
  const call = asked.output.find((item) => item.type === "function_call");
  expect(call.name === "weather" && JSON.parse(call.arguments).city === "Perm", "a call: " + JSON.stringify(asked.output));
  const answered = client.responses.stream({ model, previous_response_id: asked.id, tools,
    input: [{ type: "function_call_output", call_id: call.call_id, output: "-7 °C" }] });
  expect((await answered.finalResponse()).output_text === "It is -7 °C", "the answer after a call");
  const embedded = await client.embeddings.create({ model, input: "остатки", encoding_format: "float" });
  expect(embedded.data[0].embedding.length === 2, "embeddings");
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
