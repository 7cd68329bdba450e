import { z } from "zod";
import type { EventLog } from "../events/event-log.ts";
import { readSubscriber, type SubscriberState, stateAt, WEBHOOK, writeSubscriber } from "../events/subscriber-state.ts";
import { HEARTBEATS_FILE, STATE_FOLDER } from "../layout.ts";
import type { MigrationParts, MigrationStep } from "./step.ts";

const OLD_POSITION = `${STATE_FOLDER}/notifications.json`;
const OLD_HEARTBEATS = `${STATE_FOLDER}/heartbeats.json`;
const NOTIFYING = ["run.ended", "run.notified", "budget.warned", "provider.paused"];
const ALL = Number.MAX_SAFE_INTEGER;

/** What the version before this one kept: everything up to `after` is delivered, and later events that have an outcome. */
const OldPosition = z.object({
  after: z.int().min(0),
  givenUp: z.object({ count: z.int().min(1), reason: z.string(), at: z.string() }).optional(),
});

/**
 * Moves what earlier versions kept in `.guildhall` to its place in `state`. The new file is durable before the old one is
 * removed, so that an interrupted move is completed by the next start; where both are there, the new one counts.
 */
export const moveState: MigrationStep = async (parts) => {
  await movePosition(parts);
  await moveHeartbeats(parts);
};

async function movePosition(parts: MigrationParts): Promise<void> {
  const { files, events } = parts;
  if (!files.exists(OLD_POSITION)) return;
  if (readSubscriber(files, WEBHOOK).is === "none") {
    const old = oldPosition(files.text(OLD_POSITION));
    // As that version did with a position it could not read: it began with the next event.
    if (old !== undefined) await writeSubscriber(files, WEBHOOK, positionOf(old, events));
  }
  await remove(parts, OLD_POSITION);
}

function oldPosition(text: string): z.infer<typeof OldPosition> | undefined {
  try {
    return OldPosition.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function positionOf({ after, givenUp }: z.infer<typeof OldPosition>, events: Pick<EventLog, "read">): SubscriberState {
  const outcomes = events.read({ after, limit: ALL, type: "notification" });
  const done = new Set(outcomes.map((event) => Number(event.after?.notification)));
  const through = Math.max(after, ...done);
  const told = done.size === 0 ? [] : events.read({ after, limit: ALL, types: NOTIFYING });
  const open = told.map(({ seq }) => seq).filter((seq) => seq <= through && !done.has(seq));
  return { ...stateAt(through), open, ...(givenUp === undefined ? {} : { dropped: givenUp }) };
}

async function moveHeartbeats(parts: MigrationParts): Promise<void> {
  const { files } = parts;
  if (!files.exists(OLD_HEARTBEATS)) return;
  if (!files.exists(HEARTBEATS_FILE)) await files.replace(HEARTBEATS_FILE, files.read(OLD_HEARTBEATS));
  await remove(parts, OLD_HEARTBEATS);
}

async function remove({ files, copies }: MigrationParts, path: string): Promise<void> {
  await copies.keep(path);
  files.discard(path);
  await files.syncFolder(STATE_FOLDER);
}
