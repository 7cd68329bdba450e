import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import { fileText } from "../../contract/text.ts";
import type { Files } from "../../store/files.ts";
import { decodeText } from "../../store/frontmatter.ts";
import type { Clock } from "../../store/ids.ts";
import type { Stamp } from "../../store/regular-file.ts";
import { defineTool, type Tool } from "../tool.ts";
import { summaryOf, withSummary } from "./memory-text.ts";
import { Page } from "./page.ts";
import { attempt, reachExisting, reachFile, reachFolder } from "./working-files.ts";

const ROOT = "memory";
const FACT = /^facts\/[a-z0-9][a-z0-9._-]{0,79}\.md$/;
const EPISODE = /^episodes\/\d{4}-(?:0[1-9]|1[0-2])\.md$/;
const MOST_FACT_BYTES = 15 * 1024;
const MOST_EPISODE_BYTES = 512 * 1024;
const MOST_FACTS = 500;
const MOST_ADDED = 8_000;
const MOST_SHOWN = 40_000;

const PATH = z.string().describe("facts/<name>.md, or episodes/YYYY-MM.md.");

export interface Memory {
  /** The project's own folder; nothing but what is below its memory/ is reached. */
  files: Files;
  clock: Clock;
  /** Hides secrets: what is remembered is shown to every later run. */
  redact: (text: string) => string;
}

/** What a project's agents keep for themselves: facts, one file for each subject, and an episode file for each month. */
export function memoryTools(memory: Memory): Tool[] {
  const inTurn = turns();
  return [listMemory(memory), readMemory(memory), writeMemory(memory, inTurn), appendMemory(memory, inTurn)];
}

function listMemory({ files }: Memory): Tool {
  return defineTool({
    name: "memory_list",
    description: "List the project's memory: its files, each with its summary.",
    input: z.strictObject({ offset: z.int().min(1).default(1).describe("First entry, from 1.") }),
    changes: false,
    run: ({ offset }, use) =>
      attempt(use, () => {
        for (const folder of ["facts", "episodes"])
          if (files.exists(`${ROOT}/${folder}`)) reachFolder(files, `${ROOT}/${folder}`);
        const page = new Page({ offset, most: 200 });
        for (const folder of ["facts", "episodes"]) {
          for (const name of files.names(`${ROOT}/${folder}`)) {
            const path = `${folder}/${name}`;
            if (FACT.test(path)) page.add(`${path}: ${summaryIn(files, path)}`);
            else if (EPISODE.test(path)) page.add(path);
          }
        }
        return { output: page.text("entries") };
      }),
  });
}

function readMemory({ files }: Memory): Tool {
  return defineTool({
    name: "memory_read",
    description: "Read a file of the project's memory. Of a long one, the end is shown.",
    input: z.strictObject({ path: PATH }),
    changes: false,
    run: ({ path: given }, use) =>
      attempt(use, () => {
        const text = textAt(files, memoryPath(given));
        const shown = text.slice(-MOST_SHOWN).replace(/^[\udc00-\udfff]/, "");
        return { output: shown === text ? text : `(the last ${shown.length} of ${text.length} characters)\n${shown}` };
      }),
  });
}

function writeMemory({ files, redact }: Memory, inTurn: InTurn): Tool {
  return defineTool({
    name: "memory_write",
    description:
      "Write a fact that should outlast this task, or replace one. One subject for each file, at most 15 KB, with a line '> Summary: …' near the top.",
    input: z.strictObject({ path: z.string().describe("facts/<name>.md."), content: fileText(MOST_FACT_BYTES) }),
    changes: true,
    run: ({ path: given, content }, use) =>
      attempt(use, () =>
        inTurn(async () => {
          const path = memoryPath(given);
          if (!FACT.test(path)) throw new HallError("invalid", "Episodes are only added to; use memory_append.");
          const { standing } = reachFile(files, `${ROOT}/${path}`, "write");
          if (standing === undefined) assertRoom(files);
          const text = withSummary(redact(content));
          await put(files, path, { text, stamp: standing?.stamp });
          return { output: `${standing === undefined ? "Created" : "Replaced"} ${path}. Summary: ${summaryOf(text)}` };
        }),
      ),
  });
}

function appendMemory({ files, clock, redact }: Memory, inTurn: InTurn): Tool {
  return defineTool({
    name: "memory_append",
    description:
      "Add to a file of the project's memory. Without a path, to the episodes of this month: what happened, in a line or two.",
    input: z.strictObject({ path: PATH.optional(), text: fileText(MOST_ADDED) }),
    changes: true,
    run: ({ path: given, text }, use) =>
      attempt(use, () =>
        inTurn(async () => {
          const month = `episodes/${clock().toISOString().slice(0, 7)}.md`;
          const path = given === undefined ? month : memoryPath(given);
          if (text.trim() === "") throw new HallError("invalid", "There is nothing to add.");
          if (EPISODE.test(path) && path !== month)
            throw new HallError("invalid", `Only this month's episodes are added to: ${month}.`);
          const { standing } = reachFile(files, `${ROOT}/${path}`, "write");
          if (standing === undefined && FACT.test(path)) assertRoom(files);
          const before = standing === undefined ? "" : textAt(files, path);
          await put(files, path, { text: added(path, before, redact(text), clock()), stamp: standing?.stamp });
          return { output: `Added to ${path}.` };
        }),
      ),
  });
}

function added(path: string, before: string, text: string, at: Date): string {
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  if (FACT.test(path)) return withSummary(`${before}${gap}${text.trimEnd()}\n`);
  const heading = before === "" ? `# ${at.toISOString().slice(0, 7)}\n` : "";
  return `${before}${gap}${heading}\n## ${at.toISOString().slice(0, 16).replace("T", " ")}\n\n${text.trim()}\n`;
}

/** A path within memory/, which may be said or not. */
function memoryPath(given: string): string {
  const path = given.replace(/^(?:\.\/)?(?:memory\/)?/, "");
  if (FACT.test(path) || EPISODE.test(path)) return path;
  throw new HallError("path_refused", `The path ${JSON.stringify(given.slice(0, 100))} is not one of the memory.`, {
    hint: "Use facts/<name>.md in small letters, or episodes/YYYY-MM.md.",
  });
}

function textAt(files: Files, path: string): string {
  const { path: reached } = reachExisting(files, `${ROOT}/${path}`, "read");
  const text = decodeText(files.readContained(reached, ROOT));
  if (text === undefined) throw new HallError("invalid", `'${path}' is not UTF-8 text.`);
  return text;
}

function summaryIn(files: Files, path: string): string {
  try {
    return summaryOf(textAt(files, path)) ?? "(no summary)";
  } catch (error) {
    if (error instanceof HallError) return "(cannot be read)";
    throw error;
  }
}

function assertRoom(files: Files): void {
  if (files.names(`${ROOT}/facts`).length >= MOST_FACTS)
    throw new HallError("invalid", `There are ${MOST_FACTS} facts already. Add to one that is there.`);
}

interface New {
  text: string;
  /** The state it was made from. */
  stamp: Stamp | undefined;
}

async function put(files: Files, path: string, { text, stamp }: New): Promise<void> {
  const most = FACT.test(path) ? MOST_FACT_BYTES : MOST_EPISODE_BYTES;
  if (Buffer.byteLength(text) > most)
    throw new HallError("too_large", `'${path}' would be larger than ${most / 1024} KB.`, {
      hint: "Make it shorter, or use another file.",
    });
  const place = `${ROOT}/${path}`;
  await files.ensureFolder(place.slice(0, place.lastIndexOf("/")));
  await files.replace(place, text, { from: { stamp }, within: ROOT });
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** One writer at a time, so that what two agents add at once is both there. */
function turns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
