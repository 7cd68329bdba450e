import { createHash } from "node:crypto";
import { closeSync, openSync, type Stats } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf, removeQuietly, statOf } from "./regular-file.ts";

const AGAIN_MS = 2;
/** A claim is held for less than a millisecond; one that is older was left by a process that died with it. */
const LEFT_MS = 2_000;

/** The name of a claim on a file; one of those that are not shown, and are swept away at a start. */
function claimName(name: string): string {
  return `.tmp-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/**
 * Keeps others who claim the same file, in this process or another, away until it is let go. Whoever has it compares and
 * replaces the file without waiting for anything. `at` leads into the file's folder.
 */
export async function claimFile(at: (name: string) => string, name: string): Promise<() => void> {
  const path = at(claimName(name));
  const others = new Map<string, number>();
  for (;;) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return () => removeQuietly(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const held = statOf(path);
    if (held !== undefined && isLeft(held, others)) removeQuietly(path);
    else await delay(AGAIN_MS);
  }
}

/** By its age or, should the clock have been put back, by how long it has been looked at. */
function isLeft({ ino, ctimeMs, mtimeMs }: Stats, others: Map<string, number>): boolean {
  const claim = `${ino} ${ctimeMs}`;
  const since = others.get(claim) ?? performance.now();
  others.set(claim, since);
  return Date.now() - mtimeMs > LEFT_MS || performance.now() - since > LEFT_MS;
}
