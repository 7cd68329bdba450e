import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file has bytes; a folder or a link has none. The path is relative to the folder that was looked into. */
interface Found {
  path: string;
  bytes?: Buffer;
}

/** Everything below a folder in which a daemon may be at work: what is removed during the look is left out. */
export function lookBelow(folder: string, prefix = ""): Found[] {
  const entries = unlessGone(() => readdirSync(join(folder, prefix), { withFileTypes: true })) ?? [];
  return entries.flatMap((entry): Found[] => {
    const path = prefix + entry.name;
    if (entry.isDirectory()) return [{ path }, ...lookBelow(folder, `${path}/`)];
    if (!entry.isFile()) return [{ path }];
    const bytes = unlessGone(() => readFileSync(join(folder, path)));
    return bytes === undefined ? [] : [{ path, bytes }];
  });
}

/** The files alone. */
export function filesBelow(folder: string): Required<Found>[] {
  return lookBelow(folder).flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
}

function unlessGone<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
