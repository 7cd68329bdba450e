import type { SuggestedAnswer } from "../contract/documents/escalation.ts";

/** Something that waits for the person, as a channel shows it. */
export interface ShownQuestion {
  id: string;
  /** The whole message, short enough for one of any channel. What agents wrote is marked as a quote. */
  text: string;
  suggestedAnswers: readonly SuggestedAnswer[];
  /** Differs when the question, its answers or what they decide about do, so that an old button is not taken for a new one. */
  fingerprint: string;
  /** Of the result, skill or folder that is decided about. */
  etag?: string | undefined;
  /** The page that shows it, where other devices can reach it. */
  link?: string | undefined;
  state: { kind: "open" } | { kind: "closed"; words: string };
}

/** What came of an answer. `closed`: another one was first; the words say which. */
export interface Answered {
  kind: "recorded" | "closed" | "refused";
  words: string;
}

/** Where the person said it. */
export interface PersonsWord {
  via: "telegram" | "chat";
  /** The same for every attempt at one answer. */
  key: string;
}

/** What channels need of the queue of decisions. Whoever calls it has made sure that the person speaks. Never rejects with HallError. */
export interface AnswerDesk {
  /** Also of one that is closed; undefined when there is no such entry any more. */
  find(id: string): Promise<ShownQuestion | undefined>;
  openIds(): Promise<readonly string[]>;
  /** A numbered list of what is open, most urgent first. `of`: only what belongs to these projects. */
  inbox(of?: ReadonlySet<string>): Promise<string>;
  /** A label of a suggested answer, for the content that the person saw, or the person's own words. */
  answer(
    id: string,
    given: { label: string; etag?: string | undefined } | { text: string },
    word: PersonsWord,
  ): Promise<Answered>;
  snooze(id: string, hours: number, word: PersonsWord): Promise<Answered>;
}
