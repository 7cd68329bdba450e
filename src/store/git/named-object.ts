import { join } from "node:path";
import { isThere } from "../files/folders.ts";
import { smallText } from "../files/regular-file.ts";

/** Where a repository keeps its branches and tags, and what one checkout has for itself. Absolute. */
interface Place {
  repository: string;
  records: string;
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that need no more than a look at files. Whatever could be the beginning of a hash, or has a sign of git's own, is not among them. */
const PLAIN = /^(?![0-9a-f]+$)[A-Za-z0-9](?:[\w./-]*\w)?$/;
/** Each checkout has these for itself. */
const OWN = /^(?:[^/]+|refs\/(?:bisect|worktree|rewritten)\/.*)$/;
const MOST_STEPS = 5;

/**
 * The object that a branch or tag leads to, read from git's own files in git's own order. Undefined where git has to be asked. What is
 * found is only a name: whoever uses it must know the object already.
 */
export function namedObject(place: Place, name: string): string | undefined {
  if (!PLAIN.test(name) || /\.\.|\/\/|\.lock$|\/\.|\.\//.test(name)) return undefined;
  // Another format keeps no files.
  if (smallText(join(place.repository, "reftable/tables.list")) !== undefined) return undefined;
  const list = join(place.repository, "packed-refs");
  const packed = isThere(list) ? smallText(list) : "";
  if (packed === undefined) return undefined;
  const candidates = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].map((before) => `${before}${name}`);
  for (const ref of [...candidates, `refs/remotes/${name}/HEAD`]) {
    const found = objectOf(place, { ref, packed });
    if (found !== "none") return found;
  }
  return undefined;
}

/** Undefined: it is there, and git has to be asked what it leads to. */
function objectOf(
  place: Place,
  { ref, packed }: { ref: string; packed: string },
  steps = 0,
): string | "none" | undefined {
  const text = smallText(join(OWN.test(ref) ? place.records : place.repository, ref))?.trim();
  if (text === undefined) return packedObject(packed, ref);
  const target = /^ref: (refs\/.+)$/.exec(text)?.[1];
  if (target === undefined) return HASH.test(text) ? text : undefined;
  const found = steps < MOST_STEPS ? objectOf(place, { ref: target, packed }, steps + 1) : undefined;
  return found === "none" ? undefined : found;
}

function packedObject(packed: string, ref: string): string | "none" | undefined {
  const end = packed.indexOf(` ${ref}\n`);
  if (end === -1) return "none";
  const hash = packed.slice(packed.lastIndexOf("\n", end) + 1, end);
  return HASH.test(hash) ? hash : undefined;
}
