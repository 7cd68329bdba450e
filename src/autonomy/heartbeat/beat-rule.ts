import { z } from "zod";

/** As many beats are remembered. */
const MOST_BEATS = 48;

/** `unread`: the main agent has not dealt with the last one. `unchanged`: it knows everything. */
const BEAT_OUTCOMES = ["sent", "unread", "unchanged"] as const;

const Beat = z.strictObject({ at: z.string(), outcome: z.enum(BEAT_OUTCOMES), notes: z.int() });

/** state/heartbeat.json */
export const HeartbeatState = z.strictObject({
  /** Of what the main agent has dealt with. */
  seen: z.string().optional(),
  /** The message that it has not dealt with, as far as is known. */
  sent: z.strictObject({ id: z.string(), fingerprint: z.string() }).optional(),
  /** The newest event that the notes took into account. */
  noted: z.int().min(0),
  /** The newest last. */
  beats: z.array(Beat),
});
export type HeartbeatState = z.infer<typeof HeartbeatState>;

/** What became of a message. `dropped`: it is not there, or its turn failed. */
export type Heard = "open" | "read" | "dropped";

export interface BeatFacts {
  now: Date;
  fingerprint: string;
  /** Of the message in `sent`. */
  heard: Heard | undefined;
  /** How many notes were taken. */
  notes: number;
}

/** The state after a beat, and the message that is to be sent once that state is durable. */
export interface BeatStep {
  next: HeartbeatState;
  send?: string;
}

/** When the next beat is due. */
export function nextBeat({ beats }: HeartbeatState, minutes: number, now: Date): Date {
  const last = beats.at(-1);
  const at = last === undefined ? now.getTime() : Date.parse(last.at);
  // A clock that was set back must not delay the next one.
  return new Date(Math.min(at, now.getTime()) + (last === undefined ? 0 : minutes * 60_000));
}

/**
 * One beat. A fingerprint counts as seen only when the message about it was dealt with: of one that was dropped, the next beat sends
 * another. While one is unread there is no second.
 */
export function beat(state: HeartbeatState, { now, fingerprint, heard, notes }: BeatFacts): BeatStep {
  const { sent, seen: before, noted, beats } = state;
  const seen = sent !== undefined && heard === "read" ? sent.fingerprint : before;
  const known = seen === undefined ? {} : { seen };
  const told = (outcome: z.infer<typeof Beat>["outcome"]) => ({
    noted,
    beats: [...beats, { at: now.toISOString(), outcome, notes }].slice(-MOST_BEATS),
  });
  if (sent !== undefined && heard === "open") return { next: { ...known, sent, ...told("unread") } };
  if (fingerprint === seen) return { next: { ...known, ...told("unchanged") } };
  const id = `heartbeat-${fingerprint.slice(0, 16)}-${now.getTime()}`;
  return { next: { ...known, sent: { id, fingerprint }, ...told("sent") }, send: id };
}
