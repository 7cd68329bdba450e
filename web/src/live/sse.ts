export interface Frame {
  event: string;
  id: string | undefined;
  data: string;
}

/** The frames of a text/event-stream. A frame cut off by the stream's end is dropped; comments come as `beat`. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  let rest = "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield frameOf(block);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function frameOf(block: string): Frame {
  const frame: Frame = { event: "beat", id: undefined, data: "" };
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) frame.event = line.slice(7);
    else if (line.startsWith("id: ")) frame.id = line.slice(4);
    else if (line.startsWith("data: ")) frame.data += line.slice(6);
  }
  return frame;
}
