import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import type { JudgedResult } from "../../runs/results/gatekeeper.ts";
import { isCode } from "../task-type.ts";

/**
 * `off`: there are no gates for it. `skipped`: its task is not code. `no-tree`: a folder without git has no exact state that could
 * be judged.
 */
export type Applies = "judge" | "off" | "skipped" | "no-tree";

export function gatesApply(of: {
  settings: Pick<QualityGates, "enabled" | "appliesTo">;
  hasTeam: boolean;
  type: TaskType;
  kind: JudgedResult["kind"];
}): Applies {
  const { settings, hasTeam, type, kind } = of;
  if (!settings.enabled || settings.appliesTo === "off") return "off";
  if (settings.appliesTo === "teams" && !hasTeam) return "off";
  if (!isCode(type)) return "skipped";
  return kind === "folder" ? "no-tree" : "judge";
}
