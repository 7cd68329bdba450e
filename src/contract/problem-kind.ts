/** Apart from the schema, so that commands can load it without it. */
export const PROBLEM_KINDS = [
  "task",
  "escalation",
  "gate",
  "team",
  "project",
  "role",
  "roles",
  "config",
  "document",
  "log",
  "permissions",
  "watch",
  "run",
  "skill",
  "repository",
  "index",
  "workdir",
  "delivery",
  "format",
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

const WITH_CHECKS: readonly ProblemKind[] = [
  "config",
  "permissions",
  "watch",
  "run",
  "repository",
  "index",
  "delivery",
  "format",
];

/** Whether the doctor gives each problem of this kind a check of its own; the others are counted, and listed beside. */
export function hasOwnCheck({ kind }: { kind: ProblemKind }): boolean {
  return WITH_CHECKS.includes(kind);
}
