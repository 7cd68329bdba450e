import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";

/** How a file lies in the folder beside its plain form, written when the pages were built. */
export const ENCODINGS = { br: ".br", gzip: ".gz" } as const;
export type Encoding = keyof typeof ENCODINGS;

export interface WebFiles {
  /** The ways in which a file can be had beside the plain one; undefined when there is no such file. `/assets/a.js` */
  encodingsOf(path: string): readonly Encoding[] | undefined;
  read(path: string, encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

const START = "index.html";

/**
 * The built pages. Only what a listing of the folder names is ever read, no link is followed and nothing hidden is shown; the folder is listed anew
 * when its start page has changed, so that pages that are built while the daemon runs are found.
 */
export function openWebFolder(folder: string): WebFiles {
  let listed: ReadonlySet<string> = new Set();
  let seen = "";
  const files = (): ReadonlySet<string> => {
    const stats = statSync(join(folder, START), { throwIfNoEntry: false });
    const state = stats === undefined ? "" : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    if (state !== seen) listed = state === "" ? new Set() : filesIn(folder);
    seen = state;
    return listed;
  };
  return {
    encodingsOf: (path) => {
      const present = files();
      if (!present.has(path)) return undefined;
      return (Object.keys(ENCODINGS) as Encoding[]).filter((name) => present.has(path + ENCODINGS[name]));
    },
    read: (path, encoding) => readFile(join(folder, path + (encoding === undefined ? "" : ENCODINGS[encoding]))),
  };
}

function filesIn(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
  return new Set(files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll(sep, "/")));
}
