import { z } from "zod";
import type { Files } from "../../store/files/files.ts";
import { DURABLE_FOLDER } from "../layout.ts";

const FOLDER = `${DURABLE_FOLDER}/subscribers`;
const FORMAT = 1;

/** The subscriber that sends notifications to `notify.url`. */
export const WEBHOOK = "webhook";
/** The one that sends them to `notify.slackUrl`. */
export const SLACK = "slack";

const Dropped = z.object({ count: z.int().min(1), reason: z.string(), at: z.string() });
/** Items that were given up since the last one that was handled. */
export type Dropped = z.infer<typeof Dropped>;

/** How far a subscriber is. Everything up to `through` is handled, except for `open`. */
export const SubscriberState = z.object({
  format: z.literal(FORMAT),
  through: z.int().min(0),
  open: z.array(z.int().min(1)),
  dropped: Dropped.optional(),
});
export type SubscriberState = z.infer<typeof SubscriberState>;

export type SavedState =
  | { is: "known"; state: SubscriberState }
  | { is: "none" }
  | { is: "unreadable"; reason: string };

/** What a program that is newer than this one wrote is recognized by its number alone. */
const AnyFormat = z.object({ format: z.int() });

export function stateAt(through: number): SubscriberState {
  return { format: FORMAT, through, open: [] };
}

export function subscriberFile(name: string): string {
  return `${FOLDER}/${name}.json`;
}

export function readSubscriber(files: Files, name: string): SavedState {
  const path = subscriberFile(name);
  if (!files.exists(path)) return { is: "none" };
  try {
    const value: unknown = JSON.parse(files.text(path));
    const known = SubscriberState.safeParse(value);
    if (known.success) return { is: "known", state: known.data };
    const { data } = AnyFormat.safeParse(value);
    if (data !== undefined && data.format > FORMAT)
      return { is: "unreadable", reason: `it has format ${data.format}, and this version reads format ${FORMAT}` };
  } catch {
    // Said below.
  }
  return { is: "unreadable", reason: "it has an invalid format" };
}

/** Durable when it resolves. */
export async function writeSubscriber(files: Files, name: string, state: SubscriberState): Promise<void> {
  await files.ensureFolder(FOLDER);
  await files.replace(subscriberFile(name), `${JSON.stringify(state)}\n`);
}

export function forgetSubscriber(files: Files, name: string): void {
  files.discard(subscriberFile(name));
}
