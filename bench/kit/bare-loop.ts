import { readFileSync } from "node:fs";

interface Chunk {
  choices: { delta?: { content?: string | null; tool_calls?: { id: string; function: { arguments: string } }[] } }[];
}

const TOOL = {
  type: "function",
  function: {
    name: "read",
    description: "Read a text file with line numbers.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
};

/**
 * The floor: an agent of thirty lines. It asks with fetch, reads the stream, reads the file that the model wants, and asks
 * again. Nothing is kept, checked, limited or retried.
 */
export function bareLoop(url: string, prompt: string, file: string): Promise<number> {
  const headers = { "content-type": "application/json", authorization: "Bearer test" };
  const ask = async (body: string) =>
    (await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).text();
  return agentLoop(ask, prompt, file);
}

/** Answers how many turns it took. */
export async function agentLoop(ask: (body: string) => Promise<string>, prompt: string, file: string): Promise<number> {
  const messages: object[] = [
    { role: "system", content: "You are a careful coder." },
    { role: "user", content: prompt },
  ];
  for (let turns = 1; ; turns++) {
    const { text, calls } = parse(await ask(JSON.stringify({ model: "bench", stream: true, messages, tools: [TOOL] })));
    messages.push({ role: "assistant", content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) });
    if (calls.length === 0) return turns;
    for (const call of calls) {
      const content = readFileSync(file, "utf8");
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
}

function parse(stream: string) {
  let text = "";
  const calls: { id: string; type: "function"; function: { name: string; arguments: string } }[] = [];
  for (const line of stream.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const delta = (JSON.parse(line.slice(6)) as Chunk).choices[0]?.delta;
    text += delta?.content ?? "";
    for (const call of delta?.tool_calls ?? [])
      calls.push({ id: call.id, type: "function", function: { name: "read", arguments: call.function.arguments } });
  }
  return { text, calls };
}

/** Started as a script it makes its requests at once: the floor of every cold start. */
if (import.meta.main) {
  const [url = "", prompt = "", file = ""] = process.argv.slice(2);
  await bareLoop(url, prompt, file);
}
