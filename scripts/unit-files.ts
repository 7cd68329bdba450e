import { dirname } from "node:path/posix";

/** The unit tests that say most about changed files: those in their folder, or in the nearest folder above that has some. */
export function unitsFor(changed: readonly string[], units: readonly string[]): string[] {
  const known = new Set(units);
  const chosen = changed.flatMap((path) => (known.has(path) ? [path] : beside(path, units)));
  return [...new Set(chosen)].sort();
}

/** Below the root of the sources: a floor is as far as it goes. */
const FLOOR = /^(?:src|web\/src)\/[^/]+|^scripts$/;

function beside(path: string, units: readonly string[]): string[] {
  for (let folder = dirname(path); FLOOR.test(folder); folder = dirname(folder)) {
    const found = units.filter((unit) => unit.startsWith(`${folder}/`));
    if (found.length > 0) return found;
  }
  return [];
}
