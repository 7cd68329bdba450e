import type { Placed } from "./tree-entry.ts";
import { pathOfBytes } from "./tree-paths.ts";
import type { TreeChange } from "./tree-source.ts";

const STATUSES: Readonly<Record<string, TreeChange["status"]>> = { A: "added", D: "deleted", R: "renamed", C: "added" };
const NOTHING = "000000";

interface Counts {
  additions: number;
  deletions: number;
  binary: boolean;
}

/** How two trees differ, for people and for those who make one of the other. */
export interface Comparison {
  changes: TreeChange[];
  placed: Placed[];
}

/** What `git diff --raw --numstat -z --find-renames` says: first how each path differs, then by how much. */
export function comparisonIn(fields: readonly string[]): Comparison {
  const changes: Omit<TreeChange, keyof Counts>[] = [];
  const placed: Placed[] = [];
  const counts = new Map<string, Counts>();
  for (let at = 0; at < fields.length; ) {
    const head = fields[at++] ?? "";
    if (head.startsWith(":")) {
      const [, mode = "", , object = "", letters = "M"] = head.split(" ");
      const letter = letters[0] ?? "M";
      const first = pathOfBytes(fields[at++] ?? "");
      const isPair = letter === "R" || letter === "C";
      const path = isPair ? pathOfBytes(fields[at++] ?? "") : first;
      changes.push({ path, status: STATUSES[letter] ?? "modified", ...(letter === "R" ? { from: first } : {}) });
      if (letter === "R") placed.push({ path: first, entry: undefined });
      placed.push({ path, entry: mode === NOTHING ? undefined : { mode, object } });
      continue;
    }
    const [added = "", removed = "", ...rest] = head.split("\t");
    const inline = rest.join("\t");
    // Of a renamed file both names follow.
    if (inline === "") at += 2;
    const path = inline === "" ? fields[at - 1] : inline;
    counts.set(pathOfBytes(path ?? ""), {
      additions: Number(added) || 0,
      deletions: Number(removed) || 0,
      binary: added === "-",
    });
  }
  const none = { additions: 0, deletions: 0, binary: false };
  return { changes: changes.map((change) => ({ ...change, ...(counts.get(change.path) ?? none) })), placed };
}
