import type { ChannelMessage } from "../../contract/channel.ts";
import type { TalkLive } from "../../contract/talk-routes.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import { localTime } from "../text-card.ts";
import { fitText } from "../text-width.ts";
import { activityText } from "../tool-call.ts";
import { AnswerStream } from "./answer-stream.ts";
import { PROMPT } from "./editor-rows.ts";
import type { Screen } from "./screen.ts";
import { textRows } from "./word-rows.ts";

const BAR = "│ ";
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** A conversation on a terminal: what was said stands, what is being said grows, and one line tells what happens now. */
export class TalkView {
  readonly #who: string;
  readonly #paint: Output["paint"];
  readonly #screen: Screen;
  #stream: AnswerStream | undefined;
  /** The message whose answer was heard from its beginning on: half an answer is not shown, the whole one comes as a message. */
  #begun: string | undefined;
  #activity: string | undefined;
  #turns = 0;
  #lastHeading = "";

  constructor(who: string, { paint }: Pick<Output, "paint">, screen: Screen) {
    this.#who = who;
    this.#paint = paint;
    this.#screen = screen;
  }

  get isBusy(): boolean {
    return this.#activity !== undefined;
  }

  /** What is drawn below everything that stands. */
  rows(): string[] {
    const width = this.#screen.columns - 1;
    const growing = this.#stream?.row ?? "";
    const spinner = SPINNER[this.#turns % SPINNER.length];
    return [
      ...(growing === "" ? [] : [this.#barred(fitText(growing, width - BAR.length))]),
      ...(this.#activity === undefined ? [] : [this.#paint("dim", fitText(`${spinner} ${this.#activity}`, width))]),
    ];
  }

  tick(): void {
    if (this.#activity === undefined) return;
    this.#turns++;
    this.#screen.redraw();
  }

  hear(live: Exclude<TalkLive, { kind: "settled" }>): void {
    if (live.kind === "message") this.#said(live.message);
    else if (live.kind === "delta") {
      if (this.#begun === live.messageId) this.#grow(live.text);
    } else if (live.kind === "ended") this.#ended(live.outcome);
    else {
      // With each of them, whatever the model says next is new.
      this.#begun = live.messageId;
      if (live.kind === "restart") this.interrupt("The model is asked again; what stands above is void.");
      if (live.kind === "begun") this.does("thinking");
      if (live.kind === "activity") this.#acts(live.text);
    }
  }

  /** Undefined: nothing happens now. */
  does(activity: string | undefined): void {
    this.#activity = activity === undefined ? undefined : oneLine(`${this.#who}: ${activity}…`);
    this.#screen.redraw();
  }

  /** What was heard of an answer is lost with the connection. */
  lose(): void {
    this.interrupt("The answer broke off here.");
    this.#begun = undefined;
  }

  /** What is being written will not go on. */
  interrupt(reason: string): void {
    const isShown = this.#stream !== undefined && this.#stream.text.trim() !== "";
    this.#endStream();
    if (isShown) this.note(reason);
  }

  /** Something of the command itself. */
  note(text: string): void {
    this.#lastHeading = "";
    const rows = textRows(text, this.#screen.columns - 1);
    this.#screen.print(rows.map((row) => this.#paint("yellow", row)).join("\n"));
  }

  /** A message of before, with its time. */
  past(message: ChannelMessage): void {
    this.#print(message, ` ${this.#paint("dim", localTime(message.at))}`);
  }

  /** What the person says. */
  own(text: string): void {
    const width = this.#screen.columns - 1 - PROMPT.length;
    const shown = textRows(text, width).map((row, at) => `${at === 0 ? PROMPT : "  "}${row}`.trimEnd());
    this.#lastHeading = "";
    this.#screen.print(this.#paint("bold", shown.join("\n")));
  }

  #acts(activity: string): void {
    if (activity !== "thinking") this.#endStream();
    this.does(talkActivity(activity));
  }

  #ended(outcome: string): void {
    this.#endStream();
    this.#begun = undefined;
    this.#lastHeading = "";
    this.does(undefined);
    if (outcome === "stopped") this.note("The answer was stopped.");
  }

  #said(message: ChannelMessage): void {
    const isWritten = this.#stream?.text.trim() === message.text.trim() && message.from !== "person";
    this.#endStream();
    if (!isWritten) this.#print(message, "");
  }

  #print(message: ChannelMessage, time: string): void {
    const { from, to } = message;
    if (from === "person") {
      this.own(message.text);
      return;
    }
    const name = from === "project" ? this.#who : from;
    const hearer = to === "person" || to === "hall" ? "" : ` → ${to === "project" ? this.#who : to}`;
    this.#heading(`${name}${hearer}`, time);
    const rows = textRows(message.text.trim(), this.#screen.columns - 1 - BAR.length);
    this.#screen.print(rows.map((row) => this.#barred(row)).join("\n"));
  }

  #grow(piece: string): void {
    this.#stream ??= new AnswerStream(() => this.#screen.columns - 1 - BAR.length);
    this.#hand(this.#stream.add(piece));
    if (this.#stream.text.trim() !== "") this.#heading(this.#who, "");
    this.#screen.redraw();
  }

  #endStream(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    // What is handed out now must not be drawn as growing as well.
    this.#stream = undefined;
    this.#hand(stream.end());
    this.#screen.redraw();
  }

  #hand(rows: readonly string[]): void {
    if (rows.length === 0) return;
    this.#heading(this.#who, "");
    this.#screen.print(rows.map((row) => this.#barred(row)).join("\n"));
  }

  /** Who speaks is said once, until somebody else does. */
  #heading(name: string, time: string): void {
    if (this.#lastHeading === name && time === "") return;
    this.#lastHeading = name;
    this.#screen.print(`${this.#paint("cyan", oneLine(name))}${time}`);
  }

  #barred(row: string): string {
    return `${this.#paint("dim", BAR.trimEnd())}${row === "" ? "" : ` ${row}`}`;
  }
}

/** `reply {"channelType":"project","channelId":"shop",…}` as `asking shop`. */
function talkActivity(activity: string): string {
  const project = /^reply \{.*"channelType"\s*:\s*"project"/s.test(activity);
  const id = /"channelId"\s*:\s*"([^"]+)"/.exec(activity)?.[1];
  if (project && id !== undefined) return `asking ${id}`;
  if (activity.startsWith("reply {")) return "answering";
  return activityText(activity);
}
