import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A process of its own that plays a language model without thinking time, in the wire format of OpenAI's chat completions
 * with server-sent events. The words of the prompt direct it: `tag=a` names the conversation, `turns=50` has it call a tool
 * in 49 turns before it ends, `hang=10` has it never answer once it was answered 10 times, `think=500` has it answer after
 * half a second. `GET /seen?tag=a` tells when its requests came. Its address is the first line that it prints.
 */
const seen = new Map<string, number[]>();

const server = createServer((request, response) => {
  if (request.method === "GET") return tellSeen(request, response);
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => answer(Buffer.concat(parts).toString("latin1"), response));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

function tellSeen(request: IncomingMessage, response: ServerResponse): void {
  const tag = new URL(request.url ?? "/", "http://localhost").searchParams.get("tag") ?? "";
  response.end(JSON.stringify(seen.get(tag) ?? []));
}

function answer(body: string, response: ServerResponse): void {
  const at = performance.timeOrigin + performance.now();
  const tag = /tag=(\w+)/.exec(body)?.[1] ?? "";
  const times = seen.get(tag) ?? [];
  times.push(at);
  seen.set(tag, times);
  const before = body.split('"role":"assistant"').length - 1;
  if (before >= Number(/hang=(\d+)/.exec(body)?.[1] ?? Number.POSITIVE_INFINITY)) return;
  const isLast = before + 1 >= Number(/turns=(\d+)/.exec(body)?.[1] ?? 1);
  const say = () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(isLast ? lastWords() : toolCall(before + 1));
  };
  const think = Number(/think=(\d+)/.exec(body)?.[1] ?? 0);
  if (think === 0) say();
  else setTimeout(say, think);
}

function lastWords(): string {
  return events([{ role: "assistant", content: "Done." }], "stop");
}

function toolCall(turn: number): string {
  const call = { name: "read", arguments: JSON.stringify({ path: "note.txt", offset: 1, limit: turn }) };
  const tool_calls = [{ index: 0, id: `call_${turn}`, type: "function", function: call }];
  return events([{ role: "assistant", content: null, tool_calls }], "tool_calls");
}

function events(deltas: object[], finish: string): string {
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench" };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const chunks = [
    ...deltas.map((delta) => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { ...base, choices: [], usage },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
