import { OutputFile } from "../../store/output-file.ts";

/** What is shown of one output, from its beginning and its end: about 10,000 tokens. */
const SHOWN_BYTES = 40_000;
const HALF = SHOWN_BYTES / 2;
/** More is not kept of one output. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** What a command says, in bounded memory: all of it when it is short, else both ends, and a file with the rest. */
export class CommandOutput {
  readonly #file: OutputFile;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  constructor(absolute: string) {
    this.#file = new OutputFile(absolute, KEPT_BYTES);
  }

  add(chunk: Buffer): void {
    const wasShort = this.#total <= SHOWN_BYTES;
    this.#total += chunk.length;
    if (!wasShort) this.#file.add(chunk);
    const forHead = chunk.subarray(0, SHOWN_BYTES - this.#headBytes);
    if (forHead.length > 0) {
      this.#head.push(forHead);
      this.#headBytes += forHead.length;
    }
    if (wasShort && this.#total > SHOWN_BYTES) {
      for (const kept of this.#head) this.#file.add(kept);
      this.#file.add(chunk.subarray(forHead.length));
    }
    this.#addToTail(chunk);
  }

  close(): void {
    this.#file.close();
  }

  /** For the model. `name` is what the file can be read by. */
  shown(name: string): string {
    const head = Buffer.concat(this.#head);
    if (head.includes(0))
      return `(the output is binary, ${this.#total} bytes; pipe it through od or strings to look at it)`;
    if (this.#total <= SHOWN_BYTES) return plainOutput(head.toString("utf8"));
    const end = Buffer.concat(this.#tail).subarray(-HALF);
    const left = this.#total - 2 * HALF;
    const { kept } = this.#file;
    const whole = kept === this.#total ? "all of it" : `its first ${kept} bytes`;
    const where = kept === 0 ? "it could not be kept" : `read '${name}' to see ${whole}`;
    return [
      plainOutput(head.subarray(0, HALF).toString("utf8")),
      `(… ${left} bytes are left out here; ${where} …)`,
      plainOutput(end.toString("utf8")),
    ].join("\n");
  }

  #addToTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    if (this.#tailBytes < 8 * HALF) return;
    // Copied, so that the chunks it is cut from can go.
    const last = Buffer.from(Buffer.concat(this.#tail).subarray(-HALF));
    this.#tail = [last];
    this.#tailBytes = last.length;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Without what only a terminal understands; of a line that was written over, what stood there last. */
export function plainOutput(text: string): string {
  return text
    .replace(SEQUENCES, "")
    .replaceAll("\r\n", "\n")
    .replace(/[^\n]*\r(?=[^\n\r])/g, "")
    .replace(CONTROLS, "")
    .replace(/\n$/, "");
}
