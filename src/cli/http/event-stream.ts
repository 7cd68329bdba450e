import type { Live } from "../../contract/runs/live.ts";

interface StreamedEvent {
  name: string | undefined;
  id: string | undefined;
  data: string;
}

/** The frames of GET /api/live. One that cannot be read is passed over: a newer daemon may say more. */
export async function* readLive(body: AsyncIterable<Uint8Array>): AsyncGenerator<Live> {
  for await (const { name, data } of readEventStream(body)) {
    const fields = parsed(data);
    if (fields !== undefined) yield { kind: name, ...fields } as Live;
  }
}

function parsed(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads text/event-stream: what each event says, its name and its id. Comments, such as heartbeats, are passed over. */
async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  let id: string | undefined;
  let name: string | undefined;
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line === "") {
      if (data.length > 0) yield { name, id, data: data.join("\n") };
      data = [];
      name = undefined;
      continue;
    }
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") id = value;
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of body) {
    const pieces = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) yield piece.endsWith("\r") ? piece.slice(0, -1) : piece;
  }
}
