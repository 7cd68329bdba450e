import { OutputFile } from "../../store/files/output-file.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import { StreamingRedaction } from "../../store/secrets/streaming-redaction.ts";

/** What is shown of one output, from its beginning and its end: about 10,000 tokens. */
const SHOWN_BYTES = 40_000;
const HALF = SHOWN_BYTES / 2;
/** More is not kept of one output. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Kept of the end: more than is shown, so that no secret is cut in what is. */
const TAIL = 2 * SHOWN_BYTES;
const LONGEST_SECRET = 4_096;

export interface OutputUse {
  /** Where the whole of a long output is kept; absolute. */
  path: string;
  redactor: Redactor;
  /** Told what can be shown, as it comes, up to the size that is kept. */
  onText: (text: string) => void;
}

/**
 * What a command says, in bounded memory: all of it when it is short, else both ends, and a file with the rest. Nothing
 * leaves it with a secret.
 */
export class CommandOutput {
  readonly #file: OutputFile;
  readonly #use: OutputUse;
  readonly #stream: StreamingRedaction;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #isTailCut = false;
  #total = 0;
  /** Goes to the file, if there is one. */
  #waiting = "";

  constructor(use: OutputUse) {
    this.#use = use;
    this.#file = new OutputFile(use.path, KEPT_BYTES);
    this.#stream = new StreamingRedaction(use.redactor, withoutControls);
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const forHead = chunk.subarray(0, SHOWN_BYTES - this.#headBytes);
    if (forHead.length > 0) {
      this.#head.push(forHead);
      this.#headBytes += forHead.length;
    }
    this.#addToTail(chunk);
    if (!this.#file.isFull) this.#keep(this.#stream.push(chunk));
  }

  close(): void {
    if (!this.#file.isFull) this.#keep(this.#stream.end());
    this.#file.close();
  }

  /** For the model. `name` is what the file can be read by. */
  shown(name: string): string {
    const head = Buffer.concat(this.#head);
    if (head.includes(0)) return `(binary output, ${this.#total} bytes; pipe it through od or strings to view it)`;
    const beginning = this.#plain(head);
    if (this.#total <= SHOWN_BYTES) return beginning;
    const { kept, isFull } = this.#file;
    const whole = isFull ? `its first ${kept} bytes` : "the full output";
    const where = kept === 0 ? "it could not be saved" : `read '${name}' to see ${whole}`;
    return [
      Buffer.from(beginning).subarray(0, HALF).toString("utf8"),
      `(… ${this.#total - 2 * HALF} bytes omitted; ${where} …)`,
      this.#end(),
    ].join("\n");
  }

  #end(): string {
    const end = this.#plain(Buffer.concat(this.#tail)).slice(this.#isTailCut ? LONGEST_SECRET : 0);
    return Buffer.from(end).subarray(-HALF).toString("utf8");
  }

  #plain(bytes: Buffer): string {
    return this.#use.redactor.text(plainOutput(bytes.toString("utf8")));
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#use.onText(text);
    this.#waiting += text;
    if (this.#total <= SHOWN_BYTES) return;
    this.#file.add(Buffer.from(this.#waiting));
    this.#waiting = "";
    if (this.#file.isFull) this.#use.onText("\n(… more output, neither shown nor saved …)\n");
  }

  #addToTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    if (this.#tailBytes < 2 * TAIL) return;
    // Copied, so that the chunks it is cut from can go.
    const last = Buffer.from(Buffer.concat(this.#tail).subarray(-TAIL));
    this.#tail = [last];
    this.#tailBytes = last.length;
    this.#isTailCut = true;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Without what only a terminal understands; of a line that was written over, what stood there last. */
export function plainOutput(text: string): string {
  return withoutControls(text).replace(/\n$/, "");
}

function withoutControls(text: string): string {
  const shown = text.replace(SEQUENCES, "").replaceAll("\r\n", "\n");
  const lines = shown.includes("\r") ? shown.split("\n").map(lastWritten).join("\n") : shown;
  return lines.replace(CONTROLS, "");
}

function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(end === 0 ? 0 : line.lastIndexOf("\r", end - 1) + 1, end);
}
