import { z } from "zod";
import { ESCALATION_ID } from "../../contract/documents/escalation.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Notification } from "./webhook.ts";

/** As whoever notifies the person writes it into the event. */
const Told = z.looseObject({
  total: z.int(),
  escalations: z.array(z.looseObject({ id: z.string(), question: z.string() })).min(1),
});

/** Undefined: nobody is notified of the event. */
export function escalationNotification(event: HallEvent): Notification | undefined {
  if (event.type === "escalation.reminded") return pending(event);
  return event.type === "escalation.resolved" ? resolved(event) : undefined;
}

/** Of several at once there is one notification. */
function pending({ after = {}, at }: HallEvent): Notification | undefined {
  const { total, escalations = [] } = Told.safeParse(after.told).data ?? {};
  const [first] = escalations;
  if (first === undefined || total === undefined) return undefined;
  const isOne = total === 1;
  return {
    event: "escalation.pending",
    run: "",
    task: isOne ? textOf(first.blocksTask) : "",
    project: isOne ? textOf(first.project) : "",
    summary: isOne ? first.question : `${total} decisions are waiting for you.`,
    saidBy: isOne && ESCALATION_ID.test(first.id) ? "agent" : "hall",
    status: "pending",
    total,
    escalations,
    at,
  };
}

/** What never waited for the person is not news to them. */
function resolved({ subject, projectId = "", before = {}, after = {}, at }: HallEvent): Notification | undefined {
  if (before.status !== "pending") return undefined;
  const { question, answer = null, resolution = null, resolvedBy = null } = after;
  return {
    event: "escalation.resolved",
    run: "",
    task: "",
    project: projectId,
    summary: textOf(resolution),
    saidBy: resolvedBy === "person" ? "person" : "hall",
    status: textOf(after.outcome),
    escalations: [{ id: subject.id, question: textOf(question), answer, resolution, resolvedBy }],
    at,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
