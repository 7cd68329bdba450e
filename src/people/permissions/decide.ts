import { type Grant, PERMISSION_ANSWERS, type PermissionAnswer } from "../../contract/documents/permission.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";

interface Known {
  /** The request for this very call, if it was made. */
  request:
    | Pick<StoredEscalation, "id" | "status" | "outcome" | "answer" | "resolution" | "resolvedBy" | "question">
    | undefined;
  /** Grants that allow the call now. */
  covering: readonly Grant[] | undefined;
  /** What the run was told as the answer to this call, while it waited. */
  brought: string | undefined;
}

/** `by`: the grants that allow it. */
export type Decision =
  | { kind: "allowed"; by: readonly Grant[]; remark?: string | undefined }
  | { kind: "refused"; reason: string }
  | { kind: "waits" }
  | { kind: "ask" };

const INSTEAD = "Don't try to do the same in another way. Continue without it, or end and report what is missing.";
const AGAIN = "Repeat the call if you still need it.";

/** What becomes of a call, by nothing but what is on disk. What was refused once is never allowed under the same call. */
export function decide({ request, covering, brought }: Known): Decision {
  if (request === undefined) {
    if (brought !== undefined) return { kind: "refused", reason: brought };
    return covering === undefined ? { kind: "ask" } : { kind: "allowed", by: covering };
  }
  if (request.status !== "resolved") return { kind: "waits" };
  const { id, outcome, resolution } = request;
  const answer = answerOf(request);
  const words = (resolution ?? "").trim();
  if (outcome === "withdrawn") return { kind: "refused", reason: `${id} was withdrawn: ${words} ${AGAIN}` };
  if (outcome !== "answered" || answer === undefined || answer === "no")
    return { kind: "refused", reason: `The person refused this call (${id}). ${words}\n${INSTEAD}` };
  if (covering === undefined)
    return {
      kind: "refused",
      reason: `The permission from ${id} was revoked or expired before the call ran. ${AGAIN}`,
    };
  const isRemark = request.resolvedBy === "person" && words !== "" && words !== ANSWERED[answer];
  const remark = isRemark ? `Remark by the person on this call: ${words}` : undefined;
  return { kind: "allowed", by: covering, remark };
}

/** What is recorded where the person gives no words of their own. */
export const ANSWERED: Record<PermissionAnswer, string> = {
  once: "Allowed once.",
  run: "Allowed until the run ends.",
  hour: "Allowed for a limited time.",
  always: "Always allowed.",
  no: "Refused.",
};

function answerOf({ answer }: { answer: string | null }): PermissionAnswer | undefined {
  return PERMISSION_ANSWERS.find((label) => label === answer);
}
