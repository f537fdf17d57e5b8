// Frameworks that use the Responses API unless told otherwise, unmodified and with their defaults.
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { embed, generateText, stepCountIs, streamText, tool as aiTool } from "ai";
import { z } from "zod";

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

const parameters = z.object({ city: z.string() });

export async function checkAISDK(service) {
  const openai = createOpenAI({ baseURL: service.openai_base_url, apiKey: service.admin_token });
  const plain = await generateText({ model: openai("stockhand"), prompt: "прибыльность по товарам за прошлый месяц", maxRetries: 0 });
  expect(plain.text.includes("₽"), "a text: " + plain.text);
  const messages = [{ role: "user", content: "прибыльность по товарам за прошлый месяц" }, ...plain.response.messages,
    { role: "user", content: "а за этот месяц?" }];
  const next = await generateText({ model: openai("stockhand"), messages, maxRetries: 0 });
  expect(next.text.includes("₽"), "a follow-up: " + next.text);
  const stream = streamText({ model: openai("stockhand"), prompt: "сколько денег на счетах?", maxRetries: 0 });
  let text = "";
  for await (const piece of stream.textStream) text += piece;
  expect(text.includes("₽") && (await stream.finishReason) === "stop", "a stream: " + text);
  const tools = { weather: aiTool({ description: "the weather", inputSchema: parameters, execute: async ({ city }) => city + " -7 °C" }) };
  const passing = createOpenAI(service.passing);
  for (const run of [generateText, streamText]) { // a call, its output, and the answer
    const result = run({ model: passing(service.passing.model), prompt: "the weather?", tools, stopWhen: stepCountIs(3), maxRetries: 0 });
    const answer = await (await result).text;
    expect(answer === "It is Perm -7 °C", "a function: " + answer);
  }
  const vector = await embed({ model: passing.embedding(service.passing.model), value: "остатки", maxRetries: 0 });
  expect(vector.embedding.length === 2, "an embedding");
}

export async function checkAgents(service) {
  const open = (settings) => new Runner({ modelProvider: new OpenAIProvider(settings), tracingDisabled: true });
  const runner = open({ baseURL: service.openai_base_url, apiKey: service.admin_token });
  const stock = new Agent({ name: "Stock", instructions: "Be brief.", model: "stockhand" });
  const first = await runner.run(stock, "прибыльность по товарам за прошлый месяц");
  expect(first.finalOutput.includes("₽"), "an answer: " + first.finalOutput);
  const next = await runner.run(stock, "а за этот месяц?", { previousResponseId: first.lastResponseId });
  expect(next.finalOutput.includes("₽"), "a continued answer: " + next.finalOutput);
  const whole = await runner.run(stock, [...first.history, { role: "user", content: "а за этот месяц?" }]);
  expect(whole.finalOutput.includes("₽"), "an answer after a history: " + whole.finalOutput);
  const weather = tool({ name: "weather", description: "the weather", parameters, execute: async ({ city }) => city + " -7 °C" });
  const { model, ...passing } = service.passing;
  const modelled = open(passing);
  const forecaster = new Agent({ name: "Forecaster", instructions: "Use the tool.", model, tools: [weather] });
  const called = await modelled.run(forecaster, "the weather?");
  expect(called.finalOutput === "It is Perm -7 °C", "a function: " + called.finalOutput);
  const streamed = await modelled.run(forecaster, "the weather?", { stream: true });
  let text = "";
  for await (const piece of streamed.toTextStream()) text += piece;
  await streamed.completed;
  expect(text === "It is Perm -7 °C", "a streamed function: " + text);
}
