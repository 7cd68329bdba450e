/**
 * Whether bytes are what a power cut leaves of a content that did not reach the disk: nothing, a beginning of it, or NULs
 * in place of some of it. They hold nothing that the content does not.
 */
export function isTorn(found: Buffer, content: Buffer): boolean {
  for (let at = 0; at < found.length; at++) if (found[at] !== 0 && found[at] !== content[at]) return false;
  return true;
}
