const LINE_END = /\r\n|\n|\r/g;

/** Reads server-sent events from bytes that are cut anywhere, and hands on the data of each. */
export class EventReader {
  readonly #onData: (data: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #data: string | undefined;

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  push(bytes: Uint8Array): void {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    let from = 0;
    LINE_END.lastIndex = 0;
    const lines: string[] = [];
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      // The other half of the line end may be in the next piece.
      if (end[0] === "\r" && LINE_END.lastIndex === text.length) break;
      lines.push(text.slice(from, end.index));
      from = LINE_END.lastIndex;
    }
    this.#rest = text.slice(from);
    for (const line of lines) this.#line(line);
  }

  /** An empty line ends an event. Comments and fields other than `data` say nothing that a model API needs. */
  #line(line: string): void {
    if (line === "") {
      const data = this.#data;
      this.#data = undefined;
      if (data !== undefined) this.#onData(data);
    } else if (line.startsWith("data:")) {
      const value = line.slice(line[5] === " " ? 6 : 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    }
  }
}
