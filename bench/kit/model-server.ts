import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A process of its own that plays a language model without thinking time, with server-sent events in the wire formats of
 * OpenAI's Chat Completions and of Anthropic's Messages. The words of the prompt direct it: `tag=a` names the conversation, `turns=50` has it call a tool
 * in 49 turns before it ends, `hang=10` has it never answer once it was answered 10 times, `think=500` has it answer after
 * half a second, `ask=1` has its first call ask the person and wait. `GET /seen?tag=a` tells when its requests came. Its address is the first line that it prints.
 */
const seen = new Map<string, number[]>();
const LONGEST_DIRECTIONS = 200;

const server = createServer((request, response) => {
  if (request.method === "GET") return tellSeen(request, response);
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  const wire = request.url?.endsWith("/messages") ? anthropic : openAi;
  request.on("end", () => answer(Buffer.concat(parts).toString("latin1"), wire, response));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

function tellSeen(request: IncomingMessage, response: ServerResponse): void {
  const tag = new URL(request.url ?? "/", "http://localhost").searchParams.get("tag") ?? "";
  response.end(JSON.stringify(seen.get(tag) ?? []));
}

interface ToolCall {
  name: string;
  input: string;
}

interface Wire {
  lastWords(): string;
  toolCall(turn: number, call: ToolCall): string;
}

function answer(body: string, wire: Wire, response: ServerResponse): void {
  const at = performance.timeOrigin + performance.now();
  const words = directions(body);
  const tag = /tag=(\w+)/.exec(words)?.[1] ?? "";
  const times = seen.get(tag) ?? [];
  times.push(at);
  seen.set(tag, times);
  const before = count(body, '"role":"assistant"');
  if (before >= Number(/hang=(\d+)/.exec(words)?.[1] ?? Number.POSITIVE_INFINITY)) return;
  const isLast = before + 1 >= Number(/turns=(\d+)/.exec(words)?.[1] ?? 1);
  const say = () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(isLast ? wire.lastWords() : wire.toolCall(before + 1, callIn(body, before + 1)));
  };
  const think = Number(/think=(\d+)/.exec(words)?.[1] ?? 0);
  if (think === 0) say();
  else setTimeout(say, think);
}

/** The words that direct the model: looking for each of them in the whole of every request would be measured with it. */
function directions(body: string): string {
  const from = body.indexOf("Bench tag=");
  return from === -1 ? body : body.slice(from, from + LONGEST_DIRECTIONS);
}

function count(text: string, word: string): number {
  let times = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) times++;
  return times;
}

/** Reads a file; the first call of a conversation that asks is a question about its own task. */
function callIn(body: string, turn: number): ToolCall {
  if (turn > 1 || !/ask=1/.test(body)) {
    return { name: "read", input: JSON.stringify({ path: "note.txt", offset: 1, limit: turn }) };
  }
  const tag = /tag=(\w+)/.exec(body)?.[1];
  const task = /in-progress\/(TASK-\d+)\.md/.exec(body)?.[1];
  const question = `Which color should part ${tag} have?`;
  return { name: "escalate", input: JSON.stringify({ type: "decision", question, blocksTask: task }) };
}

const openAi: Wire = {
  lastWords: () => chunks([{ role: "assistant", content: "Done." }], "stop"),
  toolCall: (turn, { name, input }) => {
    const call = { name, arguments: input };
    const tool_calls = [{ index: 0, id: `call_${turn}`, type: "function", function: call }];
    return chunks([{ role: "assistant", content: null, tool_calls }], "tool_calls");
  },
};

const anthropic: Wire = {
  lastWords: () => blocks({ type: "text", text: "" }, { type: "text_delta", text: "Done." }, "end_turn"),
  toolCall: (turn, { name, input }) =>
    blocks(
      { type: "tool_use", id: `toolu_${turn}`, name, input: {} },
      { type: "input_json_delta", partial_json: input },
      "tool_use",
    ),
};

function blocks(content_block: object, delta: object, stop_reason: string): string {
  const usage = { input_tokens: 100, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "bench", content: [], usage };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 10 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function chunks(deltas: object[], finish: string): string {
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench" };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const all = [
    ...deltas.map((delta) => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { ...base, choices: [], usage },
  ];
  return `${all.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
