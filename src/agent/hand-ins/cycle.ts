/** A way from a node back to itself, such as a → b → a; undefined when there is none. Unknown names are no nodes. */
export function cycleIn(needs: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const left = nodesInCycles(needs);
  const [start] = left;
  if (start === undefined) return undefined;
  const way: string[] = [];
  for (let at = start; ; ) {
    const seen = way.indexOf(at);
    if (seen !== -1) return [...way.slice(seen), at];
    way.push(at);
    // Whatever is left needs another one that is left.
    at = needs.get(at)?.find((next) => left.has(next)) ?? start;
  }
}

/** Those that need themselves, or one that does; what can be ordered is taken away until nothing more can. */
function nodesInCycles(needs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const waits = new Map<string, number>();
  const neededBy = new Map<string, string[]>();
  for (const [name, all] of needs) {
    const known = all.filter((other) => needs.has(other));
    waits.set(name, known.length);
    for (const other of known) neededBy.set(other, [...(neededBy.get(other) ?? []), name]);
  }
  const left = new Set(needs.keys());
  const free = [...left].filter((name) => waits.get(name) === 0);
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    left.delete(name);
    for (const next of neededBy.get(name) ?? []) {
      const open = (waits.get(next) ?? 0) - 1;
      waits.set(next, open);
      if (open === 0) free.push(next);
    }
  }
  return left;
}
