import { hash } from "node:crypto";

/** Tells one content of a file from another. */
export function contentHash(content: Uint8Array | string): string {
  return hash("sha256", content, "hex").slice(0, 32);
}
