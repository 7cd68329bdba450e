import type { ChannelMessage } from "../../contract/documents/channel.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import { activityWords } from "../../contract/words/activity-words.ts";
import type { Output } from "../output.ts";
import { speakerName } from "../text/agent-words.ts";
import { oneLine } from "../text/plain-text.ts";
import { localTime } from "../text/text-card.ts";
import { fitText } from "../text/text-width.ts";
import { visibleWidth } from "../text/text-wrap.ts";
import { AnswerStream } from "./answer-stream.ts";
import { PROMPT } from "./editor-rows.ts";
import type { Screen } from "./screen.ts";
import { textRows } from "./word-rows.ts";

const BAR = "│ ";
/** What an agent writes is shown this often at most, however small the pieces are in which it comes. */
export const DRAW_MS = 40;
const SPIN_MS = 120;
const QUOTED = 40;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** What goes on beside the agent's own work. */
const OWN_WORDS = {
  others: "waiting for other agents",
  resuming: "resuming",
  daemon: "waiting for the daemon",
} as const;

type Doing = Activity | { kind: keyof typeof OWN_WORDS };

/** A conversation on a terminal: what was said stands, what is being said grows, and one line tells what happens now. */
export class TalkView {
  readonly #who: string;
  readonly #paint: Output["paint"];
  readonly #now: () => number;
  readonly #screen: Screen;
  /** What of the answer stands together. */
  #stream: AnswerStream | undefined;
  /** All of the answer that was heard. */
  #written = "";
  /** What was written and is not shown yet. */
  #pending = "";
  #lastShown = Number.NEGATIVE_INFINITY;
  /** The message whose answer was heard from its beginning on: half an answer is not shown, the whole one comes as a message. */
  #begun: string | undefined;
  #doing: Doing | undefined;
  #lastHeading = "";
  /** What the person asked, by its id; the last one is the newest. */
  readonly #asked = new Map<string, string>();
  #lastAsked: string | undefined;
  /** Whether it has to be told which question an answer belongs to. */
  #isMixed = false;

  constructor(who: string, { paint, now }: Pick<Output, "paint"> & { now: () => number }, screen: Screen) {
    this.#who = who;
    this.#paint = paint;
    this.#now = now;
    this.#screen = screen;
  }

  get isBusy(): boolean {
    return this.#doing !== undefined;
  }

  /** What is drawn below everything that stands. */
  rows(): string[] {
    const width = this.#screen.columns - 1;
    const growing = this.#stream?.row ?? "";
    const spinner = SPINNER[Math.floor(this.#now() / SPIN_MS) % SPINNER.length];
    const isWriting = this.#doing?.kind === "thinking" && this.#written.trim() !== "";
    const doing = oneLine(`${this.#who}: ${isWriting ? "writing" : doingText(this.#doing)}…`);
    return [
      ...(growing === "" ? [] : [this.#barred(fitText(growing, width - BAR.length))]),
      ...(this.#doing === undefined ? [] : [this.#paint("dim", fitText(`${spinner} ${doing}`, width))]),
    ];
  }

  tick(): void {
    this.#flush();
    this.#screen.settle();
    if (this.#doing !== undefined) this.#screen.redraw();
  }

  hear(live: Exclude<TalkLive, { kind: "settled" }>): void {
    if (live.kind === "delta") {
      if (this.#begun === live.messageId) this.#grow(live.text);
    } else if (live.kind === "message") this.#said(live.message);
    else if (live.kind === "ended") this.#ended(live);
    else {
      // With each of them, whatever the model says next is new.
      this.#begun = live.messageId;
      if (live.kind === "restart") this.interrupt("The answer was interrupted and starts over.");
      if (live.kind === "begun") this.does({ kind: "thinking" });
      if (live.kind === "activity") this.#acts(live.activity);
    }
  }

  /** Undefined: nothing happens now. */
  does(doing: Doing | undefined): void {
    this.#doing = doing;
    this.#screen.redraw();
  }

  /** What was heard of an answer is lost with the connection. */
  lose(): void {
    this.interrupt("The answer was interrupted.");
    this.#begun = undefined;
  }

  /** What is being written will not go on. */
  interrupt(reason: string): void {
    const isShown = this.#written.trim() !== "";
    this.#endStream();
    if (isShown) this.note(reason);
  }

  /** Something of the command itself. */
  note(text: string): void {
    this.#part();
    this.#lastHeading = "";
    this.#screen.print((columns) => textRows(text, columns - 1).map((row) => this.#paint("yellow", row)));
  }

  /** A message of before, with its time. */
  past(message: ChannelMessage): void {
    this.#print(message, ` ${this.#paint("dim", localTime(message.at))}`);
  }

  /** What the person says. */
  own(text: string): void {
    this.#part();
    this.#lastHeading = "";
    this.#screen.print((columns) =>
      textRows(text, columns - 1 - PROMPT.length).map((row, at) =>
        this.#paint("bold", `${at === 0 ? PROMPT : "  "}${row}`.trimEnd()),
      ),
    );
  }

  /** Answers to it will come. */
  asks(id: string, text: string): void {
    this.#asked.set(id, text);
    this.#lastAsked = id;
    this.#isMixed = false;
  }

  #acts(activity: Activity): void {
    if (activity.kind !== "thinking") this.#endStream();
    this.does(activity);
  }

  #ended({ outcome, error = "" }: { outcome: string; error?: string | undefined }): void {
    this.#endStream();
    this.#begun = undefined;
    this.#lastHeading = "";
    this.does(undefined);
    if (outcome === "stopped") this.note("Answer stopped.");
    if (outcome !== "held") return;
    this.#heading(speakerName("hall", ""), "");
    this.#words(error === "" ? "Not answered for now." : error);
    this.#lastHeading = "";
  }

  #said(message: ChannelMessage): void {
    const isWritten = this.#written.trim() === message.text.trim() && message.from !== "person";
    if (isWritten) this.#endStream();
    else this.#print(message, "");
  }

  #print(message: ChannelMessage, time: string): void {
    const { from, to } = message;
    this.#part();
    if (from === "person") {
      this.own(message.text);
      this.asks(message.id, message.text);
      return;
    }
    const name = speakerName(from, this.#who);
    const hearer = to === "person" || to === "hall" ? "" : ` → ${to === "project" ? this.#who : to}`;
    const question = [message.inReplyTo, message.root].find((id) => id !== undefined && this.#asked.has(id));
    this.#heading(`${name}${hearer}${time === "" ? this.#quoted(question) : ""}`, time);
    this.#words(message.text);
  }

  #words(text: string): void {
    this.#screen.print((columns) => textRows(text.trim(), columns - 1 - BAR.length).map((row) => this.#barred(row)));
  }

  #grow(piece: string): void {
    this.#pending += piece;
    this.#written += piece;
    if (this.#now() - this.#lastShown >= DRAW_MS) this.#flush();
  }

  #flush(): void {
    const piece = this.#pending;
    if (piece === "") return;
    this.#pending = "";
    this.#lastShown = this.#now();
    if (this.#stream !== undefined) this.#screen.more(this.#stream.add(piece).map((row) => this.#barred(row)));
    else if (piece.trim() !== "") this.#begin(piece);
  }

  #begin(piece: string): void {
    this.#heading(`${this.#who}${this.#quoted(this.#begun)}`, "");
    const stream = new AnswerStream(this.#screen.columns - 1 - BAR.length);
    stream.add(piece);
    this.#stream = stream;
    this.#screen.print((columns) => stream.anew(columns - 1 - BAR.length).map((row) => this.#barred(row)));
  }

  /** Which question is answered, where it is not the last thing that was said. */
  #quoted(question: string | undefined): string {
    const text = question === undefined ? undefined : this.#asked.get(question);
    if (text === undefined || (question === this.#lastAsked && !this.#isMixed)) return "";
    this.#isMixed = true;
    return ` (to "${fitText(oneLine(text.trim().replaceAll(/\s+/g, " ")), QUOTED)}")`;
  }

  #endStream(): void {
    this.#flush();
    this.#written = "";
    this.#endPart();
  }

  /** Something else is said in the middle of an answer, which goes on below it. */
  #part(): void {
    this.#flush();
    this.#pending = this.#stream?.takeBack() ?? "";
    this.#endPart();
  }

  #endPart(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    // What is handed out now must not be drawn as growing as well.
    this.#stream = undefined;
    this.#screen.more(stream.end().map((row) => this.#barred(row)));
    this.#lastHeading = this.#pending === "" && this.#written === "" ? this.#lastHeading : "";
  }

  /** Who speaks is said once, until somebody else does. */
  #heading(name: string, time: string): void {
    if (this.#lastHeading === name && time === "") return;
    this.#lastHeading = name;
    const row = (columns: number) => this.#paint("cyan", fitText(oneLine(name), columns - 1 - visibleWidth(time)));
    this.#screen.print((columns) => [`${row(columns)}${time}`]);
  }

  #barred(row: string): string {
    return `${this.#paint("dim", BAR.trimEnd())}${row === "" ? "" : ` ${row}`}`;
  }
}

function doingText(doing: Doing | undefined): string {
  if (doing === undefined) return "";
  return isOwn(doing) ? OWN_WORDS[doing.kind] : activityWords(doing);
}

function isOwn(doing: Doing): doing is Exclude<Doing, Activity> {
  return Object.hasOwn(OWN_WORDS, doing.kind);
}
