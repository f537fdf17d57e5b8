// Drives Stockhand with the official OpenAI client, unmodified. It prints one JSON object: what each step came to.
import OpenAI from "openai";

const [baseURL, apiKey, weakKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const out = {};

const ask = (content, more = {}) => ({ model: "stockhand", messages: [{ role: "user", content }], ...more });

async function failure(f) {
  try {
    await f();
    return { name: "none" };
  } catch (e) {
    return { name: e.constructor.name, status: e.status ?? null, code: e.code ?? null, type: e.type ?? null, param: e.param ?? null };
  }
}

out.models = (await client.models.list()).data.map((m) => m.id);

const plain = await client.chat.completions.create(ask("сколько денег на счетах?"));
out.plain = { content: plain.choices[0].message.content, finish: plain.choices[0].finish_reason, session: plain.session_id, results: plain.stockhand.results.length, usage: plain.usage };

const chunks = [];
for await (const c of await client.chat.completions.create(ask("сколько денег на счетах?", { stream: true, stream_options: { include_usage: true } }))) chunks.push(c);
out.stream = {
  first: chunks[0].choices[0].delta.role,
  content: chunks.map((c) => c.choices[0]?.delta?.content ?? "").join(""),
  finish: chunks.filter((c) => c.choices.length).at(-1).choices[0].finish_reason,
  last: { choices: chunks.at(-1).choices.length, usage: chunks.at(-1).usage },
  ids: new Set(chunks.map((c) => c.id)).size,
};

const next = await client.chat.completions.create(ask("а в долларах?", { session_id: plain.session_id }));
out.continued = { session: next.session_id };

out.unauthorized = await failure(() => new OpenAI({ baseURL, apiKey: "sk-org-nonsense", maxRetries: 0 }).chat.completions.create(ask("x")));
out.forbidden = await failure(() => new OpenAI({ baseURL, apiKey: weakKey, maxRetries: 0 }).chat.completions.create(ask("x")));
out.unknownModel = await failure(() => client.chat.completions.create({ ...ask("x"), model: "gpt-unknown" }));
out.invalid = await failure(() => client.chat.completions.create(ask("x", { tools: [{ type: "function", function: { name: "f", parameters: {} } }], tool_choice: "required" })));
out.refused = await failure(() => client.chat.completions.create(ask("сведи остатки по всем аккаунтам вместе")));

const stream = await client.chat.completions.create(ask("остатки по складам", { stream: true, stream_options: { include_tool_progress: true } }));
for await (const c of stream) {
  stream.controller.abort();
  break;
}
out.cancelled = true;

console.log(JSON.stringify(out));
