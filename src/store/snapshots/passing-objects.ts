import { createHash } from "node:crypto";
import type { Objects } from "./tree-objects.ts";

/** Larger contents are compared by their hash alone. */
const LONGEST_HELD = 512 * 1_024;
/** Of all contents together. */
const MOST_HELD = 32 * 1_024 * 1_024;

/** Objects of a folder that is only looked at: new ones are held in memory, as far as they fit, and nothing is written. */
export class PassingObjects implements Objects {
  readonly #kept: Pick<Objects, "read">;
  readonly #held = new Map<string, Buffer>();
  readonly #unheld = new Set<string>();
  #bytes = 0;

  constructor(kept: Pick<Objects, "read">) {
    this.#kept = kept;
  }

  put(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (this.#held.has(hash)) return hash;
    if (bytes.length > LONGEST_HELD || this.#bytes + bytes.length > MOST_HELD) this.#unheld.add(hash);
    else this.#hold(hash, bytes);
    return hash;
  }

  /** A tree is needed to compare, whatever its size. */
  putTree(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.#hold(hash, bytes);
    return hash;
  }

  read(hash: string): Buffer {
    return this.#held.get(hash) ?? this.#kept.read(hash);
  }

  /** Undefined for what did not fit. */
  readIfHeld(hash: string): Buffer | undefined {
    return this.#unheld.has(hash) ? undefined : this.read(hash);
  }

  #hold(hash: string, bytes: Uint8Array): void {
    this.#held.set(hash, Buffer.from(bytes));
    this.#bytes += bytes.length;
  }
}
