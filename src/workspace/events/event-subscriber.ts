import type { HallEvent } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Core } from "../core.ts";
import { DurableSubscriber } from "./subscriber.ts";
import type { Feed, SubscriberParts } from "./subscriber-parts.ts";
import { problemsOf, type SubscriberWords } from "./subscriber-problems.ts";
import { readSubscriber, stateAt, subscriberFile, writeSubscriber } from "./subscriber-state.ts";

const PAGE = 500;

type EventsCore = Pick<Core, "events" | "files" | "clock">;

export interface EventSubscription
  extends Pick<SubscriberParts<HallEvent>, "keyOf" | "handle" | "record" | "random" | "onTrouble" | "pace"> {
  core: EventsCore;
  /** Names its file in `state/subscribers`. */
  name: string;
  words: SubscriberWords;
  /** Whether an event is for this subscriber. Events of other types, and of types unknown to this version, pass by. */
  wants: (event: HallEvent) => boolean;
}

export interface OpenSubscription {
  problems(): Problem[];
  close(): Promise<void>;
}

/**
 * Subscribes to the event log from the saved position on; without one, from the next event on. A position that cannot be
 * read stops this subscriber alone: what it has to handle waits in the log until the file is fixed or deleted.
 */
export async function subscribe(options: EventSubscription): Promise<OpenSubscription> {
  const { core, name, words, wants, ...parts } = options;
  const saved = await rememberPosition(core, name);
  if (saved.is === "unreadable") {
    const reason = `${saved.reason}, so ${words.title} is stopped. Fix the file, or delete it to continue with the next event; then restart`;
    const problem = { file: subscriberFile(name), kind: "delivery" as const, severity: "invalid" as const, reason };
    return { problems: () => [problem], close: async () => undefined };
  }
  const subscriber = new DurableSubscriber(
    {
      ...parts,
      title: words.title,
      clock: core.clock,
      feed: eventFeed(core.events, wants),
      save: (state) => writeSubscriber(core.files, name, state),
    },
    saved.state,
  );
  const unsubscribe = core.events.subscribe((event) => subscriber.hear(event.seq, wants(event) ? event : undefined));
  return {
    problems: () => problemsOf(subscriber.view(), words, subscriberFile(name)),
    close: () => {
      unsubscribe();
      return subscriber.close();
    },
  };
}

/** The position of a subscriber; where there is none yet, the end of the log becomes it, durably. */
export async function rememberPosition({ files, events }: EventsCore, name: string) {
  const saved = readSubscriber(files, name);
  if (saved.is !== "none") return saved;
  const state = stateAt(events.head());
  await writeSubscriber(files, name, state);
  return { is: "known" as const, state };
}

function eventFeed(events: EventsCore["events"], wants: EventSubscription["wants"]): Feed<HallEvent> {
  const read = (after: number) => {
    const page = events.read({ after, limit: PAGE });
    return { items: page.filter(wants), through: page.at(-1)?.seq ?? after };
  };
  const count = (after: number) => {
    let found = 0;
    for (let at = after, page = read(at); page.through > at; page = read(at)) {
      found += page.items.length;
      at = page.through;
    }
    return found;
  };
  return { head: () => events.head(), read, count };
}
