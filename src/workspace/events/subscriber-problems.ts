import type { Problem } from "../../contract/problem.ts";
import type { SubscriberView } from "./subscriber-parts.ts";

/** How a subscriber is called in front of people. */
export interface SubscriberWords {
  /** Such as "the webhook http://host". */
  title: string;
  /** What it brings, such as "notification". */
  item: string;
}

/** What a person should know of a subscriber. `file`: where its position, or what it brings, is kept. */
export function problemsOf(view: SubscriberView, words: SubscriberWords, file: string): Problem[] {
  return reasonsOf(view, words).map((reason) => ({ file, kind: "delivery", severity: "warning", reason }));
}

function reasonsOf({ pending, since, failing, dropped, aheadBy }: SubscriberView, { title, item }: SubscriberWords) {
  const counted = (count: number) => (count === 1 ? `1 ${item}` : `${count} ${item}s`);
  return [
    ...(failing === undefined
      ? []
      : [
          `${title}: ${counted(pending)} pending since ${since}; ${attempts(failing.failures)} failed: ${failing.reason}`,
        ]),
    ...(dropped === undefined
      ? []
      : [`${title}: ${counted(dropped.count)} dropped, the last at ${dropped.at}: ${dropped.reason}`]),
    ...(aheadBy === undefined
      ? []
      : [
          `${title}: its position was ${aheadBy} ahead of the log, which lost its end. It continues with the next ${item}`,
        ]),
  ];
}

function attempts(count: number): string {
  return count === 1 ? "1 attempt" : `${count} attempts`;
}
