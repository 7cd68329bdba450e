import { z } from "zod";
import type { Files } from "../../../store/files/files.ts";
import type { Entry } from "../../../store/files/listing/folder-listing.ts";
import { defineTool, schemaOnce, type Tool } from "../../tool.ts";
import { type Now, Pace } from "../pace.ts";
import { Page } from "../page.ts";
import { globMatcher } from "./glob.ts";
import { Walk } from "./walk.ts";
import { attempt, reachFolder } from "./working-files.ts";

const ENTRIES = 500;
/** More names are not put in order: that alone would hold up everything else. */
const MOST_NAMES = 200_000;

const ListInput = schemaOnce(() =>
  z.strictObject({
    path: z.string().default(".").describe("A folder, relative to the working folder."),
    glob: z.string().max(500).default("").describe("For example *.ts or docs/**/*.{md,txt}."),
    offset: z.int().min(1).default(1).describe("First entry, from 1."),
  }),
);

export function listTool(files: Files, now: Now): Tool {
  return defineTool({
    name: "list",
    description:
      "List a folder, including hidden entries; folders end with a slash. With glob, list matching files in all subfolders.",
    input: ListInput(),
    changes: false,
    run: ({ path, glob, offset }, use) =>
      attempt(use, async () => {
        const folder = reachFolder(files, path);
        const page = new Page({ offset, most: ENTRIES });
        const pace = new Pace(use.signal, now);
        const notes =
          glob === ""
            ? await listHere({ files, pace, page, folder })
            : await listBelow({ files, pace, page, folder }, glob);
        return { output: [page.text("entries"), ...notes].join("\n") };
      }),
  });
}

interface Listing {
  files: Files;
  pace: Pace;
  page: Page;
  folder: string;
}

/** Folders first. */
async function listHere({ files, pace, page, folder }: Listing): Promise<string[]> {
  const folders: string[] = [];
  const others: string[] = [];
  let isWhole = true;
  for (const entry of files.entries(folder)) {
    isWhole = folders.length + others.length < MOST_NAMES;
    if (!isWhole) break;
    if (entry.kind === "folder") folders.push(`${entry.name}/`);
    else others.push(marked(entry, entry.name));
    if (pace.isRestDue) await pace.rest();
  }
  for (const line of [...folders.sort(), ...others.sort()]) page.add(line);
  return isWhole ? [] : [`(incomplete: the folder has more than ${MOST_NAMES} entries; use glob)`];
}

async function listBelow({ files, pace, page, folder }: Listing, glob: string): Promise<string[]> {
  const fits = globMatcher(glob);
  const within = folder === "." ? 0 : folder.length + 1;
  const walk = new Walk(files, pace, glob);
  for await (const entry of walk.below(folder)) {
    if (fits(entry.path.slice(within)) || fits(entry.path)) page.add(marked(entry, entry.path));
    if (page.isFull) break;
  }
  return walk.notes();
}

function marked({ kind }: Entry, shown: string): string {
  return kind === "file" ? shown : `${shown} (${kind === "link" ? "link, not followed" : "not a regular file"})`;
}
