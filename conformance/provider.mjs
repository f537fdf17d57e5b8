// A provider of models in the chat format, for the checks that pass requests through. Its model calls the first function
// that it is offered, and repeats what the function returned.
import { createServer } from "node:http";

export async function startProvider() {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const q = JSON.parse(body);
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const whole = (value) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(value));
    };
    if (request.url.endsWith("/embeddings")) {
      return whole({ object: "list", model: q.model, data: [{ object: "embedding", index: 0, embedding: [0.5, -0.25] }], usage });
    }
    const last = q.messages.at(-1);
    let message = { role: "assistant", content: "hello" };
    let finish_reason = "stop";
    if (last.role === "tool") {
      message.content = "It is " + last.content;
    } else if (q.tools?.length) {
      message = { role: "assistant", content: null, tool_calls: [{ index: 0, id: "call_1", type: "function",
        function: { name: q.tools[0].function.name, arguments: '{"city":"Perm"}' } }] };
      finish_reason = "tool_calls";
    }
    const head = { id: "chatcmpl-1", created: 1790000000, model: q.model };
    if (!q.stream) {
      return whole({ ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage });
    }
    response.setHeader("Content-Type", "text/event-stream");
    const send = (choices, more = {}) => response.write("data: " +
      JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more }) + "\n\n");
    send([{ index: 0, delta: message, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason }]);
    send([], { usage });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}
