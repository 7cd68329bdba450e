import type { KeyPress } from "../host.ts";
import { characters } from "../text/text-width.ts";

/** What a key asks of whoever owns the editor; everything else only changes the text. */
export type Wish = "submit" | "interrupt" | "leave" | "wipe";

const MOST_REMEMBERED = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal acts on must not come in by typing or pasting
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** The text that a person is typing, with a cursor in it and what they said before to go back to. */
export class LineEditor {
  readonly #past: string[];
  #text = "";
  #at = 0;
  /** Where in the past it is; at its end, the text is a new one. */
  #place: number;
  #draft = "";
  /** What was pasted so far: it is put in at once, however long it is. */
  #pasted: string[] | undefined;

  constructor(past: readonly string[] = []) {
    this.#past = past.slice(-MOST_REMEMBERED);
    this.#place = this.#past.length;
  }

  get text(): string {
    return this.#text;
  }

  /** Nothing of it is in the text yet. */
  get isPasting(): boolean {
    return this.#pasted !== undefined;
  }

  /** The part of the text before the cursor. */
  get before(): string {
    return this.#text.slice(0, this.#at);
  }

  /** The text, which is then gone from here and remembered. */
  take(): string {
    const text = this.#text;
    if (text.trim() !== "" && this.#past.at(-1) !== text) this.#past.push(text);
    if (this.#past.length > MOST_REMEMBERED) this.#past.shift();
    this.clear();
    return text;
  }

  clear(): void {
    this.#set("", 0);
    this.#place = this.#past.length;
  }

  press(key: KeyPress): Wish | undefined {
    if (key.name === "paste-start") this.#pasted ??= [];
    else if (key.name === "paste-end") this.#endPaste();
    else if (this.#pasted !== undefined) this.#pasted.push(key.text ?? "");
    else if (key.name === "return" || key.name === "enter") return this.#enter(key);
    else if (key.ctrl) return this.#control(key);
    else if (!this.#move(key) && !this.#erase(key)) this.#insert(key.meta ? "" : (key.text ?? ""));
    return undefined;
  }

  /** A backslash at the end of a line, or Alt, makes a new line of it. */
  #enter({ meta }: KeyPress): Wish | undefined {
    if (this.before.endsWith("\\")) this.#cut(this.#at - 1, this.#at);
    else if (!meta) return "submit";
    this.#insert("\n");
    return undefined;
  }

  #control(key: KeyPress): Wish | undefined {
    switch (key.name) {
      case "c":
        return "interrupt";
      case "l":
        return "wipe";
      case "d":
        if (this.#text === "") return "leave";
        this.#cut(this.#at, this.#next());
        return undefined;
      case "a":
        this.#at = this.#lineStart();
        return undefined;
      case "e":
        this.#at = this.#lineEnd();
        return undefined;
      case "u":
        this.#cut(this.#lineStart(), this.#at);
        return undefined;
      case "k":
        this.#cut(this.#at, this.#lineEnd());
        return undefined;
      case "w":
        this.#cut(this.#wordStart(), this.#at);
        return undefined;
      case "p":
        this.#remember(-1);
        return undefined;
      case "n":
        this.#remember(1);
        return undefined;
      case "left":
        this.#at = this.#wordStart();
        return undefined;
      case "right":
        this.#at = this.#wordEnd();
        return undefined;
      default:
        return undefined;
    }
  }

  /** Whether the key was one that moves. */
  #move({ name, meta }: KeyPress): boolean {
    switch (name) {
      case "left":
        this.#at = meta ? this.#wordStart() : this.#previous();
        return true;
      case "right":
        this.#at = meta ? this.#wordEnd() : this.#next();
        return true;
      case "home":
        this.#at = this.#lineStart();
        return true;
      case "end":
        this.#at = this.#lineEnd();
        return true;
      case "up":
        if (!this.#toLine(-1)) this.#remember(-1);
        return true;
      case "down":
        if (!this.#toLine(1)) this.#remember(1);
        return true;
      default:
        return false;
    }
  }

  #erase({ name, meta }: KeyPress): boolean {
    if (name === "backspace") this.#cut(meta ? this.#wordStart() : this.#previous(), this.#at);
    else if (name === "delete") this.#cut(this.#at, this.#next());
    return name === "backspace" || name === "delete";
  }

  #endPaste(): void {
    this.#insert(this.#pasted?.join("") ?? "");
    this.#pasted = undefined;
  }

  #insert(typed: string): void {
    const piece = typed.replace(/\r\n?/g, "\n").replaceAll("\t", "  ").replace(CONTROLS, "").toWellFormed();
    this.#set(this.before + piece + this.#text.slice(this.#at), this.#at + piece.length);
  }

  #cut(from: number, to: number): void {
    this.#set(this.#text.slice(0, from) + this.#text.slice(to), from);
  }

  #set(text: string, at: number): void {
    this.#text = text;
    this.#at = at;
  }

  #previous(): number {
    return this.#at - (characters(this.before).at(-1)?.length ?? 0);
  }

  #next(): number {
    return this.#at + (characters(this.#text.slice(this.#at))[0]?.length ?? 0);
  }

  #wordStart(): number {
    return this.before.replace(/\S+\s*$|\s+$/, "").length;
  }

  #wordEnd(): number {
    return this.#at + (/^\s*\S+|^\s*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0);
  }

  #lineStart(): number {
    return this.before.lastIndexOf("\n") + 1;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }

  /** Whether there is a line above or below to go to. */
  #toLine(step: -1 | 1): boolean {
    const lines = this.#text.split("\n");
    const line = this.before.split("\n").length - 1;
    const target = lines[line + step];
    if (target === undefined) return false;
    const column = Math.min(this.#at - this.#lineStart(), target.length);
    this.#at = lines.slice(0, line + step).reduce((sum, each) => sum + each.length + 1, 0) + column;
    return true;
  }

  #remember(step: -1 | 1): void {
    const place = this.#place + step;
    if (place < 0 || place > this.#past.length) return;
    if (this.#place === this.#past.length) this.#draft = this.#text;
    this.#place = place;
    const text = this.#past[place] ?? this.#draft;
    this.#set(text, text.length);
  }
}
