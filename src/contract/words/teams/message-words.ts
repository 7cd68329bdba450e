/** Apart from the schemas, so that commands and pages can load them without. */

/** The person, and Guildhall itself, as senders. Members are named by their own names, which have a '-'. */
export const FROM_PERSON = "person";
export const FROM_HALL = "hall";
/** As the receiver: every member, also those that join later. */
export const TO_ALL = "all";
/** As the receiver: whoever leads the team. */
export const TO_LEAD = "lead";

/** Types that Guildhall gives meaning to. Role-specs name others. */
export const MESSAGE_TYPES = {
  /** What a person or Guildhall writes, unless it says otherwise. */
  message: "message",
  /** A short word on how far a task is. */
  progress: "progress",
  /** Says what a member's state is; kept in the shared memory. */
  stateUpdate: "state_update",
  /** Guildhall reminds a member to continue. */
  nudge: "nudge",
} as const;

export const MESSAGE_LIMITS = {
  /** Characters of a message. */
  text: 4_000,
  /** Of one about progress. */
  progressText: 200,
  /** Messages about progress, of one run. */
  progress: 4,
  /** Undelivered messages of one member. */
  mailbox: 50,
  /** Minutes over which a member and a team are limited. */
  minutes: 10,
  perMember: 20,
  perTeam: 100,
  /** Messages that two members may exchange in turn before one of them has news. */
  exchange: 6,
  /** Earlier messages to all that a member gets when it joins. */
  earlierToAll: 20,
} as const;

/** `MSG-007`. */
export function messageId(seq: number): string {
  return `MSG-${String(seq).padStart(3, "0")}`;
}

export function senderWords({ from }: { from: string }): string {
  if (from === FROM_PERSON) return "You";
  return from === FROM_HALL ? "Guildhall" : from;
}

export function receiverWords({ to }: { to: string }): string {
  return to === TO_ALL ? "all members" : to;
}
