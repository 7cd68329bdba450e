import type { Escalation } from "../../../../../src/contract/documents/escalation.ts";
import type { PermissionAnswer } from "../../../../../src/contract/documents/permission.ts";
import { plural } from "../../../ui/figures.tsx";

/** What a person chooses, and what was chosen. */
const ANSWERS: Record<PermissionAnswer, { act: string; done: string }> = {
  once: { act: "Allow once", done: "Allowed once" },
  run: { act: "Allow for this run", done: "Allowed until the run ends" },
  hour: { act: "Allow for", done: "Allowed for a limited time" },
  always: { act: "Always allow…", done: "Always allowed" },
  no: { act: "Refuse", done: "Refused" },
};

function isAnswer(label: string): label is PermissionAnswer {
  return Object.hasOwn(ANSWERS, label);
}

/** The text of a button for an answer. */
export function actWords(label: string, hours: number): string {
  if (!isAnswer(label)) return label;
  return label === "hour" ? `${ANSWERS.hour.act} ${plural(hours, "hour")}` : ANSWERS[label].act;
}

/** What was answered. */
export function answeredWords(label: string): string {
  return isAnswer(label) ? ANSWERS[label].done : label;
}

/** What the answer `hour` allows. The daemon's own description names the usual hours, not those that were chosen. */
export function hourWords({ permission, projectId }: Pick<Escalation, "permission" | "projectId">): string {
  return permission === undefined ? "" : `For role ${permission.roleId} in project ${projectId}: ${permission.text}`;
}

/** What the person wrote with an answer; undefined where the daemon recorded only the answer in words. */
export function remarkIn({ answer, resolution }: Pick<Escalation, "answer" | "resolution">): string | undefined {
  const isPlain = answer !== null && resolution === `${answeredWords(answer)}.`;
  return isPlain || resolution === null ? undefined : resolution;
}
