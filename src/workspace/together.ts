import type { EventDraft } from "../contract/event.ts";
import type { Committed, Write } from "../store/changes/change.ts";

/** What a change left in the files, for the index. */
export type Placed = Pick<Committed, "stamps" | "ends">;

/** Something that becomes durable in one change with something else. */
export interface Together {
  events: EventDraft[];
  writes: Write[];
  /** Shows it in the index. */
  apply: (placed: Placed) => void;
}
