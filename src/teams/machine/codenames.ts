import type { Rank } from "../../contract/documents/rank.ts";

const PLACES = [
  "lisbon",
  "california",
  "oslo",
  "kyoto",
  "cairo",
  "lima",
  "quito",
  "dublin",
  "geneva",
  "havana",
  "jakarta",
  "krakow",
  "london",
  "madrid",
  "nairobi",
  "ottawa",
  "porto",
  "riga",
  "seoul",
  "tunis",
  "utrecht",
  "vienna",
  "warsaw",
  "zurich",
  "athens",
  "bergen",
  "bogota",
  "boston",
  "bremen",
  "busan",
  "chicago",
  "dakar",
  "delhi",
  "denver",
  "florence",
  "ghent",
  "hanoi",
  "helsinki",
  "istanbul",
  "lagos",
  "lyon",
  "malaga",
  "manila",
  "milan",
  "montreal",
  "naples",
  "osaka",
  "paris",
  "perth",
  "prague",
  "rome",
  "salta",
  "sofia",
  "sydney",
  "tallinn",
  "tokyo",
  "toronto",
  "turin",
  "valencia",
  "venice",
];

/** The next name in a team, such as `head-lisbon`. The same seed and the same names so far give the same name. */
export function codename(rank: Rank, { seed, taken }: { seed: string; taken: ReadonlySet<string> }): string {
  const places = new Set(Array.from(taken, (name) => name.slice(name.indexOf("-") + 1)));
  const start = hashOf(seed) % PLACES.length;
  for (let step = 0; ; step++) {
    const place = PLACES[(start + step) % PLACES.length] as string;
    const round = Math.floor(step / PLACES.length);
    const name = round === 0 ? place : `${place}-${round + 1}`;
    if (!places.has(name)) return `${rank}-${name}`;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
