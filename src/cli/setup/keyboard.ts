import type { Host, KeyPress, Sink } from "../host.ts";
import { LineEditor } from "../talk/line-editor.ts";
import { oneLine } from "../text/plain-text.ts";
import { characters } from "../text/text-width.ts";
import { visibleWidth } from "../text/text-wrap.ts";

const USUAL_COLUMNS = 80;
/** The line is only ever changed at its end, so that it can be shown without moving about. */
const MOVES = ["left", "right", "up", "down", "home", "end", "delete"];
const ENDS = ["c", "d"];
const CHANGES = ["u", "w"];

/** Lines that a person types, one after the other, also those typed before they were asked for. */
export class Keyboard {
  readonly #out: Sink;
  readonly #keys: (KeyPress | undefined)[] = [];
  #waiting: ((key: KeyPress | undefined) => void) | undefined;
  #release: () => void = () => undefined;

  private constructor(out: Sink) {
    this.#out = out;
  }

  static async open(host: Pick<Host, "out" | "input">): Promise<Keyboard> {
    const keyboard = new Keyboard(host.out);
    keyboard.#release = await host.input.onKeys((key) => keyboard.#press(key));
    return keyboard;
  }

  /** Undefined: the person leaves, with Esc, Ctrl-C or Ctrl-D, or the terminal is gone. */
  async line(prompt: string, { isHidden = false } = {}): Promise<string | undefined> {
    const editor = new LineEditor();
    this.#out.write(prompt);
    for (;;) {
      const key = await this.#next();
      if (key === undefined || key.name === "escape" || (key.ctrl && ENDS.includes(key.name ?? ""))) {
        this.#out.write("\n");
        return undefined;
      }
      const before = oneLine(editor.text);
      if (isPlain(key) && editor.press(key) === "submit") {
        this.#out.write("\n");
        return editor.text;
      }
      if (!isHidden) this.#show(prompt, before, oneLine(editor.text));
    }
  }

  close(): void {
    this.#release();
  }

  #press(key: KeyPress | undefined): void {
    const take = this.#waiting;
    this.#waiting = undefined;
    if (take === undefined) this.#keys.push(key);
    else take(key);
  }

  #next(): Promise<KeyPress | undefined> {
    if (this.#keys.length > 0) return Promise.resolve(this.#keys.shift());
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** With nothing but characters and backspaces, which every terminal knows; a row that was broken is written anew. */
  #show(prompt: string, before: string, after: string): void {
    const kept = sharedStart(before, after);
    const gone = visibleWidth(before.slice(kept));
    const isBroken = visibleWidth(prompt + before) >= (this.#out.columns ?? USUAL_COLUMNS);
    if (gone > 0 && isBroken) this.#out.write(`\n${prompt}${after}`);
    else this.#out.write("\b \b".repeat(gone) + after.slice(kept));
  }
}

function isPlain({ ctrl, meta, name = "" }: KeyPress): boolean {
  if (ctrl) return CHANGES.includes(name);
  return !meta && !MOVES.includes(name);
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  for (const character of one === "" ? [] : characters(one)) {
    if (!other.startsWith(character, length)) break;
    length += character.length;
  }
  return length;
}
