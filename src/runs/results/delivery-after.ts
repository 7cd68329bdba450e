import type { BranchDelivery, Delivery, Discard } from "../../contract/runs/delivery.ts";
import { controlReason, controlStanding } from "./control-standing.ts";
import type {
  Decision,
  EndedStatus,
  Evidence,
  HowMerged,
  Judgement,
  PlainEvent,
  PolicyEvent,
} from "./lifecycle-events.ts";

const UNKNOWN_CHANGES = "checkpoints are missing, so its changes are unknown; check the folder before you approve";
const NOT_CONTINUED = "the next run changed nothing";
const NOT_CHECKED = "the quality gates stopped checking it when it was discarded";
const MOST_FINDINGS = 100;

type Standing = Pick<Delivery, "state" | "reason" | "reasonCode">;

/** How a result stands when its run hands it in. `judge`: nothing speaks against it so far, so the gates decide. */
export function standingAtEnd(
  status: EndedStatus,
  { kind, changed, controlFiles }: Evidence & Pick<Delivery, "kind">,
): Standing | "judge" {
  const control: Standing = { state: "review", reasonCode: "control-files", reason: controlReason(controlFiles) };
  // In a folder they are in effect, however the run ended.
  if (kind === "folder" && controlFiles.length > 0) return control;
  // Control files may be among what nobody can name.
  if (changed === "unknown") return { state: "review", reasonCode: "changes-unknown", reason: UNKNOWN_CHANGES };
  if (changed === "nothing") return { state: "unchanged" };
  if (status !== "completed")
    return { state: "kept", reason: status === "failed" ? "the run failed" : "the run was stopped" };
  return controlFiles.length > 0 ? control : "judge";
}

/** What is about a result alone, after it was handed in. */
export type DeliveryEvent = Exclude<
  PlainEvent | PolicyEvent,
  { type: "handed-in" | "ended" | "task-completed" | "cancel" | "retry" | Decision }
>;

/** `deliver`: it counts, and is to be merged. Undefined: the event does not concern it any more. */
export function deliveryAfter(
  known: Delivery,
  event: DeliveryEvent,
  requiresReview: boolean,
): Delivery | "deliver" | undefined {
  switch (event.type) {
    case "judged":
      return judged(known, event.judgement, requiresReview);
    case "merged":
      return { ...(known as BranchDelivery), state: "delivered", merge: event.commit, ...howMerged(event) };
    case "blocked": {
      const { reasonCode, reason, controlFiles = [] } = event;
      const state = known.state === "working" ? "review" : known.state;
      return { ...known, ...controlStanding(controlFiles), state, reasonCode, reason };
    }
    case "unsaved":
      return event.status === "completed"
        ? { ...known, state: "review", reasonCode: event.reasonCode, reason: event.reason }
        : { ...known, state: "kept", reason: event.reason };
    case "given-up":
      return known.state === "review"
        ? { ...undecided(known), state: "kept", reason: "you gave up on it after its review" }
        : undefined;
    case "superseded":
      return isSuperseded(known)
        ? { ...undecided(known), state: "kept", reason: `superseded by ${event.by}` }
        : undefined;
    case "returned":
      return returned(known, event.from);
    default:
      return decided(known, event);
  }
}

type DecidedEvent = Extract<PlainEvent, { type: "approved" | "rejected" | "reverted" | "discarded" | "restored" }>;

function decided(known: Delivery, event: DecidedEvent): Delivery | undefined {
  const open = undecided(known);
  switch (event.type) {
    case "approved":
      if (event.isNothing === true) return { ...open, state: "unchanged" };
      return {
        ...open,
        state: "delivered",
        ...(event.merge === undefined ? {} : { merge: event.merge }),
        ...howMerged(event),
      };
    case "rejected":
      return { ...open, state: "rejected", ...(event.next === undefined ? {} : { next: event.next }) };
    case "reverted": {
      const { reason, commit } = event;
      const told = { ...(reason === undefined ? {} : { reason }), ...(commit === undefined ? {} : { revert: commit }) };
      return { ...open, state: "reverted", ...told };
    }
    case "discarded": {
      const { discard, reason } = event;
      return { ...open, state: "discarded", discard: { ...discard, from: fromOf(known) }, ...(reason && { reason }) };
    }
    case "restored":
      return restored(known, event.by);
  }
}

function howMerged({ squashed, keepsBranch }: HowMerged): HowMerged {
  return { ...(squashed === undefined ? {} : { squashed }), ...(keepsBranch === undefined ? {} : { keepsBranch }) };
}

/** Discarded again, it goes back to what it was before the first time. */
function fromOf({ state, reason, reasonCode, discard }: Delivery): Discard["from"] {
  if (state === "discarded" && discard !== undefined) return discard.from;
  return { state, ...(reason === undefined ? {} : { reason }), ...(reasonCode === undefined ? {} : { reasonCode }) };
}

/** What another run works on meanwhile does not wait for a review, but nothing of it is lost. */
function restored(known: Delivery, by: string | undefined): Delivery | undefined {
  const { discard, ...rest } = undecided(known);
  if (known.state !== "discarded" || discard === undefined) return undefined;
  if (by !== undefined) return { ...rest, state: "kept", reason: `superseded by ${by}` };
  // The gates gave up on it when it was discarded: it would wait for them for good.
  const { from } = discard;
  return from.reasonCode === "gate-running"
    ? { ...rest, state: from.state, reasonCode: "gate-unable", reason: NOT_CHECKED }
    : { ...rest, ...from };
}

/** What was found before does not count any more. */
function judged(before: Delivery, judgement: Judgement, requiresReview: boolean): Delivery | "deliver" {
  const { findings: _, ...rest } = before;
  const known: Delivery = judgement.gate === undefined ? rest : { ...rest, gate: judgement.gate };
  if (judgement.is === "later")
    return { ...known, state: "review", reasonCode: "gate-running", reason: "the quality gates are checking it" };
  if (judgement.is === "fail") {
    const { findings } = judgement;
    const [first] = findings;
    const more = findings.length > 1 ? ` and ${findings.length - 1} more` : "";
    const reason = `the quality gates failed${first === undefined ? "" : `: ${first.message}${more}`}`;
    return { ...known, state: "review", reasonCode: "gate-failed", reason, findings: findings.slice(0, MOST_FINDINGS) };
  }
  if (judgement.is === "unable") {
    const reason = `the quality gates could not run: ${judgement.reason}`;
    return { ...known, state: "review", reasonCode: "gate-unable", reason };
  }
  if (requiresReview)
    return { ...known, state: "review", reasonCode: "required", reason: "the project requires review" };
  // In a folder it is where it belongs already.
  return known.kind === "folder" ? { ...known, state: "delivered" } : "deliver";
}

/** A decision ends what it waited for; which control files were concerned stays known. */
function undecided<Known extends Delivery>(known: Known): Known {
  const { reason: _, reasonCode: _code, ...rest } = known;
  return rest as Known;
}

/** It waits for review no longer, but is kept and can still be decided. */
function isSuperseded(known: Delivery): boolean {
  if (known.state !== "review") return false;
  // What is in the folder controls the person's tools from there, or may do so.
  return known.kind === "branch" || (known.controlFiles === undefined && known.reasonCode !== "changes-unknown");
}

function returned(known: Delivery, from: string): Delivery | undefined {
  if (known.state !== "rejected" || known.next !== from) return undefined;
  const { next: _, ...rest } = known;
  const { controlFiles = [] } = rest;
  return controlFiles.length > 0
    ? { ...rest, state: "review", reasonCode: "control-files", reason: controlReason(controlFiles) }
    : { ...rest, state: "review", reasonCode: "not-continued", reason: NOT_CONTINUED };
}
