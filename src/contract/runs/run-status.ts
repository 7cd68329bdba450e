/** Apart from the schemas, so that commands can load it without them. */
export const RUN_STATUSES = ["pending", "running", "completed", "failed", "cancelled"] as const;
type Status = (typeof RUN_STATUSES)[number];

/** Whether the run has ended: nothing changes its status any more. */
export function isOver({ status }: { status: Status }): boolean {
  return status !== "pending" && status !== "running";
}
