import { createHash } from "node:crypto";
import type { GateOrder } from "./gate-order.ts";

/** Raised when gates judge in another way than before. */
const RULES = 5;

/**
 * A hash of all that a verdict depends on: both trees, the settings, the tools, the kind of work and its spec; with reviewers also
 * the task and what was found before.
 */
export function gateKey({
  span,
  settings,
  toolchain,
  type,
  spec,
  hasReview,
  task,
  before,
  reviewed: earlier,
  kept,
}: GateOrder): string {
  const reviewed = hasReview
    ? [
        task?.title,
        task?.description,
        task?.acceptanceCriteria,
        ...[before, earlier].map((report) => [report?.id, report?.stages.map(({ findings }) => findings)]),
      ]
    : [];
  const parts = [RULES, span.baseTree, span.tree, settings, toolchain, type, spec ?? "", hasReview, reviewed, kept?.id];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
