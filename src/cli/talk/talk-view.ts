import type { ChannelMessage } from "../../contract/channel.ts";
import type { TalkLive } from "../../contract/talk-routes.ts";
import { agentWords } from "../agent-words.ts";
import type { Output } from "../output.ts";
import { manyLines, oneLine } from "../plain-text.ts";
import { localTime } from "../text-card.ts";
import { fitText } from "../text-width.ts";
import { wrapProse } from "../text-wrap.ts";
import { activityText } from "../tool-call.ts";
import { AnswerStream } from "./answer-stream.ts";
import { PROMPT } from "./editor-rows.ts";
import type { Screen } from "./screen.ts";

const BAR = "│ ";
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** A conversation on a terminal: what was said stands, what is being said grows, and one line tells what happens now. */
export class TalkView {
  readonly #who: string;
  readonly #paint: Output["paint"];
  readonly #screen: Screen;
  #stream: AnswerStream | undefined;
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
    else if (live.kind === "delta") this.#grow(live.text);
    else if (live.kind === "restart") this.interrupt("The model is asked again; what stands above is void.");
    else if (live.kind === "begun") this.does("thinking");
    else if (live.kind === "activity") {
      if (live.text !== "thinking") this.#endStream();
      this.does(talkActivity(live.text));
    } else {
      this.#endStream();
      this.does(undefined);
      if (live.outcome === "stopped") this.note("The answer was stopped.");
    }
  }

  /** Undefined: nothing happens now. */
  does(activity: string | undefined): void {
    this.#activity = activity === undefined ? undefined : oneLine(`${this.#who}: ${activity}…`);
    this.#screen.redraw();
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
    this.#screen.print(this.#paint("yellow", wrapProse(manyLines(text), this.#screen.columns - 1)));
  }

  /** A message of before, with its time. */
  past(message: ChannelMessage): void {
    this.#print(message, ` ${this.#paint("dim", localTime(message.at))}`);
  }

  /** What the person says. */
  own(text: string): void {
    const width = this.#screen.columns - 1 - PROMPT.length;
    const lines = wrapProse(manyLines(text), width).split("\n");
    const shown = lines.map((line, at) => `${at === 0 ? PROMPT : "  "}${line}`.trimEnd());
    this.#lastHeading = "";
    this.#screen.print(this.#paint("bold", shown.join("\n")));
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
    const width = this.#screen.columns - 1;
    this.#screen.print(agentWords(message.text.trim(), { paint: this.#paint, width }));
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
export function talkActivity(activity: string): string {
  const project = /^reply \{.*"channelType"\s*:\s*"project"/s.test(activity);
  const id = /"channelId"\s*:\s*"([^"]+)"/.exec(activity)?.[1];
  if (project && id !== undefined) return `asking ${id}`;
  if (activity.startsWith("reply {")) return "answering";
  return activityText(activity);
}
