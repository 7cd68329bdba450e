import type { Files } from "../store/files.ts";
import { STATE_FOLDER } from "../workspace/layout.ts";

const PATH = `${STATE_FOLDER}/notifications.json`;

/** How far notifications have come. What is still to be delivered is in the event log after `after`. */
export interface DeliveryState {
  after: number;
  /** Notifications that were given up since the last one that arrived. */
  givenUp?: GivenUp | undefined;
}

export interface GivenUp {
  count: number;
  reason: string;
  at: string;
}

/** undefined when there is none yet, or it cannot be read: then notifications begin with the next event. */
export function readDeliveryState(files: Files): DeliveryState | undefined {
  if (!files.exists(PATH)) return undefined;
  try {
    const state = JSON.parse(files.text(PATH)) as DeliveryState | null;
    return Number.isSafeInteger(state?.after) ? (state as DeliveryState) : undefined;
  } catch {
    return undefined;
  }
}

export async function writeDeliveryState(files: Files, state: DeliveryState): Promise<void> {
  await files.replace(PATH, `${JSON.stringify(state)}\n`);
}

export function forgetDeliveryState(files: Files): void {
  if (files.exists(PATH)) files.discard(PATH);
}
