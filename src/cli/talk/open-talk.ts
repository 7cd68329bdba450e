import type { ChannelMessage } from "../../contract/documents/channel.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import type { Context } from "../context.ts";
import { failureText } from "../failure.ts";
import type { KeyPress } from "../host.ts";
import { editorRegion } from "./editor-rows.ts";
import { LineEditor } from "./line-editor.ts";
import { type Listener, TalkLink } from "./link.ts";
import type { TalkPlace } from "./place.ts";
import { type Region, Screen } from "./screen.ts";
import { DRAW_MS, TalkView } from "./talk-view.ts";

/** Of what was said before, for the keys ↑ and ↓. */
const REMEMBERED = 100;
const HOW_TO_LEAVE = "Nothing to stop. Press Ctrl-C again, Ctrl-D or /quit to leave. Agents keep running.";
const STOPPING = "/stop      stop the current answer (Ctrl-C)\n";
const KEYS = `/quit      leave (Ctrl-D); agents keep running
End a line with \\ to continue on the next one. Use ↑ and ↓ for your earlier messages.`;

export interface TalkChoice {
  /** How many messages of before are shown. */
  history: number;
  nextId: () => string;
}

/** Talks with an agent until the person leaves. */
export async function openTalk(place: TalkPlace, choice: TalkChoice, context: Context): Promise<number> {
  const { host } = context;
  const before = await place.messages(Math.max(REMEMBERED, choice.history));
  const talk = new OpenTalk(place, { ...choice, before: before.messages, lastSeq: before.lastSeq }, context);
  const letGo = await host.input.onKeys((key) => talk.press(key));
  const stop = host.time.every(DRAW_MS, () => talk.tick());
  try {
    return await talk.begin(before.activity);
  } finally {
    stop();
    talk.end();
    letGo();
  }
}

interface Setup extends TalkChoice {
  before: ChannelMessage[];
  lastSeq: number;
}

class OpenTalk implements Listener {
  readonly #place: TalkPlace;
  readonly #setup: Setup;
  readonly #context: Context;
  readonly #screen: Screen;
  readonly #view: TalkView;
  readonly #editor: LineEditor;
  readonly #link: TalkLink;
  readonly #own = new Set<string>();
  readonly #left = Promise.withResolvers<number>();
  #hasBeenWarned = false;
  #isAway = false;
  /** Ids of calls for help: what is told here comes after what the daemon tells. */
  readonly #helps = new Set<string>();

  constructor(place: TalkPlace, setup: Setup, context: Context) {
    const { host, output } = context;
    this.#place = place;
    this.#setup = setup;
    this.#context = context;
    this.#screen = new Screen(host.out, () => this.#region());
    this.#view = new TalkView(place.who, { paint: output.paint, now: host.time.now }, this.#screen);
    const said = setup.before.filter(({ from }) => from === "person").map(({ text }) => text);
    this.#editor = new LineEditor(said);
    this.#link = new TalkLink(place, host.time, { lastSeq: setup.lastSeq, listener: this });
  }

  /** Resolves with the exit code when the person leaves. */
  begin(activity: Activity | undefined): Promise<number> {
    const { before, history } = this.#setup;
    const shown = history === 0 ? [] : before.slice(-history);
    for (const message of shown) this.#view.past(message);
    if (before.length === 0 || history === 0) this.#view.note(this.#greeting());
    if (activity !== undefined) this.#view.hear({ kind: "activity", messageId: "", activity });
    this.#screen.redraw();
    this.#link.start();
    return this.#left.promise;
  }

  end(): void {
    this.#link.close();
    this.#screen.clear();
  }

  tick(): void {
    this.#view.tick();
  }

  press(key: KeyPress | undefined): void {
    const wish = key === undefined ? "leave" : this.#editor.press(key);
    if (wish !== "interrupt") this.#hasBeenWarned = false;
    if (wish === "submit") this.#submit(this.#editor.take().trim());
    else if (wish === "interrupt") this.#interrupt();
    else if (wish === "leave") this.#left.resolve(0);
    else if (wish === "wipe") this.#screen.wipe();
    else if (!this.#editor.isPasting) this.#screen.redraw();
  }

  hear(live: TalkLive): void {
    if (live.kind === "settled") return;
    if (live.kind === "message" && this.#own.has(live.message.id)) return;
    this.#view.hear(live);
    if (live.kind === "message" && this.#helps.delete(live.message.root ?? "")) this.#view.note(KEYS);
    if (live.kind === "ended" && this.#link.isWaiting) this.#view.does({ kind: "others" });
  }

  settled(): void {
    if (!this.#link.isWaiting) this.#view.does(undefined);
  }

  refused(_: string, error: unknown): void {
    this.#view.does(undefined);
    this.#show(error);
  }

  away(): void {
    this.#isAway = true;
    this.#view.lose();
    this.#view.does(undefined);
    this.#view.note("Lost the connection to the daemon. Reconnecting… Your messages are sent when it is back.");
  }

  back(): void {
    this.#isAway = false;
    this.#view.note("Reconnected to the daemon.");
    if (this.#link.isWaiting) this.#view.does({ kind: "resuming" });
  }

  broken(error: unknown): void {
    this.#left.reject(error);
  }

  #region(): Region {
    const { rows, cursor } = editorRegion(this.#editor, this.#screen.columns);
    const above = this.#view.rows();
    return { rows: [...above, ...rows], cursor: { ...cursor, row: above.length + cursor.row } };
  }

  #greeting(): string {
    const { who, hasCommands } = this.#place;
    const name = hasCommands ? "the main agent" : `the agent of project ${who}`;
    return `Chatting with ${name}. Enter sends, /help shows commands, Ctrl-D quits.`;
  }

  #submit(text: string): void {
    if (text === "") this.#screen.redraw();
    else this.#view.own(text);
    const command = text.toLowerCase();
    if (command === "/quit" || command === "/exit") this.#left.resolve(0);
    else if (command === "/stop") this.#stop();
    else if (command === "/help" && !this.#place.hasCommands) this.#view.note(STOPPING + KEYS);
    else if (text !== "") this.#say(text);
  }

  #say(text: string): void {
    const id = this.#setup.nextId();
    this.#own.add(id);
    this.#view.asks(id, text);
    if (text.toLowerCase() === "/help") this.#helps.add(id);
    this.#view.does({ kind: this.#isAway ? "daemon" : "thinking" });
    this.#link.say(id, text);
  }

  /** Stops what is under way; else empties the line and tells how to leave, and the second time leaves. */
  #interrupt(): void {
    if (this.#view.isBusy && !this.#isAway) this.#stop();
    else if (this.#hasBeenWarned) this.#left.resolve(0);
    else {
      this.#editor.clear();
      this.#hasBeenWarned = true;
      this.#view.note(HOW_TO_LEAVE);
    }
  }

  #stop(): void {
    this.#place.stop().then(
      (stopped) => {
        if (stopped) return;
        const others = "No answer to stop here. Other agents keep working on it.";
        if (this.#link.isWaiting) this.#view.note(others);
        else this.#view.note("Nothing to stop.");
        this.#view.does(undefined);
      },
      (error: unknown) => this.#show(error),
    );
  }

  #show(error: unknown): void {
    const { paint, json, calledAs } = this.#context.output;
    this.#screen.print((columns) =>
      failureText(error, { paint, json, calledAs, width: columns - 1, debug: false })
        .trimEnd()
        .split("\n"),
    );
  }
}
