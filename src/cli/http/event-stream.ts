export interface StreamedEvent {
  id: string | undefined;
  data: string;
}

/** Reads text/event-stream: what each event says and its id. Comments, such as heartbeats, are passed over. */
export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line === "") {
      if (data.length > 0) yield { id, data: data.join("\n") };
      data = [];
      continue;
    }
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") id = value;
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
