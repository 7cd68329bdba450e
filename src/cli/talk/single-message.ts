import type { ChannelMessage } from "../../contract/documents/channel.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import { commandIn, slashCommandOf } from "../../contract/words/slash-commands.ts";
import type { Context } from "../context.ts";
import { widthOf } from "../output.ts";
import { manyLines } from "../text/plain-text.ts";
import { wrapProse } from "../text/text-wrap.ts";
import { TalkLink } from "./link.ts";
import type { TalkPlace } from "./place.ts";
import { Screen } from "./screen.ts";
import { DRAW_MS, TalkView } from "./talk-view.ts";

const NOT_ANSWERED = 1;
const UNKNOWN_COMMAND = 2;
const INTERRUPTED = 130;

export interface SayChoice {
  id: string;
  text: string;
  seconds: number;
}

/**
 * Says one thing and shows what comes of it, until nobody is at work on it any more. On a terminal the answer grows as it is
 * written; in a pipe standard output holds what agents said and nothing else.
 */
export async function sayOnce(place: TalkPlace, said: SayChoice, context: Context): Promise<number> {
  const { host } = context;
  const { lastSeq } = await place.messages(1);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const heard = new Hearing(place, said, context);
  let isInterrupted = false;
  const listener = {
    hear: (live: TalkLive) => heard.hear(live),
    settled: () => resolve(isInterrupted ? INTERRUPTED : heard.outcome()),
    refused: (_: string, error: unknown) => reject(error),
    broken: reject,
    away: () => heard.lose("Lost the connection to the daemon. Reconnecting… Your message is not lost."),
    back: () => heard.note("Reconnected to the daemon."),
  };
  const link = new TalkLink(place, host.time, { lastSeq, listener });
  const deadline = host.time.now() + said.seconds * 1_000;
  const stop = host.time.every(DRAW_MS, () => {
    heard.tick();
    if (host.time.now() >= deadline) resolve(heard.late(said.seconds));
  });
  host.onInterrupt(() => {
    isInterrupted = true;
    // The next one ends the command, whatever the daemon does.
    host.onInterrupt(undefined);
    const left = () => resolve(INTERRUPTED);
    place.stop().then(left, left);
  });
  link.say(said.id, said.text);
  link.start();
  try {
    return await promise;
  } finally {
    stop();
    link.close();
    heard.close();
    host.onInterrupt(undefined);
  }
}

/** What comes of one message: everything else that is said in the channel is passed over. */
class Hearing {
  readonly #place: TalkPlace;
  readonly #said: SayChoice;
  readonly #context: Context;
  readonly #screen: Screen | undefined;
  readonly #view: TalkView | undefined;
  readonly #ids: Set<string>;
  #isCommand = false;
  #isUnknown = false;
  #answers = 0;
  /** Why the agent gave no answer. */
  #failure: string | undefined;

  constructor(place: TalkPlace, said: SayChoice, context: Context) {
    const { host, output } = context;
    this.#place = place;
    this.#said = said;
    this.#context = context;
    this.#ids = new Set([said.id]);
    if (output.json || !host.out.isTerminal || host.env.TERM === "dumb") return;
    const screen: Screen = new Screen(host.out, () => ({ rows: this.#view?.rows() ?? [] }));
    this.#screen = screen;
    this.#view = new TalkView(place.who, { paint: output.paint, now: host.time.now }, screen);
  }

  hear(live: TalkLive): void {
    if (live.kind === "settled") return;
    if (live.kind === "message") {
      this.#message(live.message);
      return;
    }
    if (!this.#ids.has(live.messageId)) return;
    if (live.kind === "ended" && live.messageId === this.#said.id && live.outcome !== "answered")
      this.#failure ??= live.error ?? `The answer was ${live.outcome}.`;
    this.#view?.hear(live);
    if (live.kind === "ended") this.#view?.does({ kind: "others" });
  }

  tick(): void {
    this.#view?.tick();
  }

  note(text: string, level: "info" | "error" = "info"): void {
    this.#view?.interrupt("The answer above is incomplete.");
    this.#screen?.clear();
    const { output, host } = this.#context;
    const shown = wrapProse(manyLines(text), widthOf(host.err, host.env));
    output.note(output.json ? JSON.stringify({ level, message: text }) : shown);
  }

  /** The connection is gone for now. */
  lose(note: string): void {
    this.#view?.lose();
    this.note(note);
  }

  close(): void {
    this.#view?.interrupt("The answer above is incomplete.");
    this.#screen?.clear();
  }

  /** The exit code when nobody is at work on it any more. */
  outcome(): number {
    if (this.#failure === undefined && this.#answers > 0) return this.#isUnknown ? UNKNOWN_COMMAND : 0;
    this.note(this.#failure ?? "No answer.", "error");
    return NOT_ANSWERED;
  }

  /** The exit code when the time is up. */
  late(seconds: number): number {
    const more = `See later answers with 'guildhall ${this.#place.command}'.`;
    this.note(`No further answer within ${seconds} ${seconds === 1 ? "second" : "seconds"}. ${more}`);
    return this.#answers > 0 ? 0 : NOT_ANSWERED;
  }

  #message(message: ChannelMessage): void {
    const { id, root, from, to, text, inReplyTo } = message;
    if ((root ?? id) !== this.#said.id) return;
    this.#ids.add(id);
    if (id === this.#said.id) {
      this.#isCommand = to === "hall";
      this.#isUnknown = this.#isCommand && slashCommandOf(commandIn(text) ?? "") === undefined;
    }
    const { output } = this.#context;
    if (output.json) output.row(message, () => "");
    if (id === this.#said.id) return;
    // The hall speaks where the agent could not.
    if (from === "hall" && inReplyTo === this.#said.id && !this.#isCommand) {
      this.#failure = text;
      return;
    }
    if (to === "person") this.#answers++;
    if (this.#view !== undefined) this.#view.hear({ kind: "message", message });
    else if (!output.json && to === "person") output.row(message, () => manyLines(text.trim()));
  }
}
