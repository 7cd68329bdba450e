import type { Actor } from "../contract/event.ts";
import type { Member } from "../store/changes/gathering.ts";

/** Who asks for a change, on which version of the document, and under which Idempotency-Key. */
export interface Change {
  actor: Actor;
  /** The etag the change was based on; a different current one refuses it with version_mismatch. */
  ifMatch?: string | undefined;
  request?: { key: string; fingerprint: string } | undefined;
  /** The reason, where it is not in the change itself. */
  why?: string | undefined;
  /** Names of clients that have the daemon make it. */
  clients?: readonly string[] | undefined;
  /** Hooks had their say about it. */
  isChecked?: true | undefined;
  /** Where it is one of several that become durable together. */
  gathered?: Member | undefined;
}
