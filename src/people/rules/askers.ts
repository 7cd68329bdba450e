import type { Asker } from "../../contract/documents/escalation.ts";
import type { AskerKey } from "./escalation-events.ts";

export function isSame(left: AskerKey, right: AskerKey): boolean {
  return left.kind === right.kind && left.id === right.id && left.callId === right.callId;
}

/** People and programs read the answer where they asked; agents have it brought to them. */
export function needsDelivery({ kind }: Pick<Asker, "kind">): boolean {
  return kind !== "person" && kind !== "client";
}
