import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import { fileText } from "../../contract/words/text.ts";
import { isDay, isEpisode, isFact, isOverview, MOST_FACT_BYTES } from "../../workspace/knowledge/memory-rules.ts";
import { summaryOf } from "../../workspace/knowledge/memory-text.ts";
import { untilUndisturbed } from "../../workspace/undisturbed.ts";
import { defineTool, schemaOnce, type Tool } from "../tool.ts";
import { placesOf, replaceAt } from "./files/edit-places.ts";
import { noPlace, severalPlaces } from "./files/edit-refusal.ts";
import { hiddenRefusal } from "./files/hidden-text.ts";
import { attempt } from "./files/working-files.ts";
import { besideMemory, type Memory, memoryAt, ownAt, wholeMemory } from "./memory-files.ts";
import { Page } from "./page.ts";

const MOST_ADDED = 8_000;
const MOST_SHOWN = 40_000;
const MOST_AMBIGUOUS = 1_000;

const PATH = z.string().describe("facts/<name>.md, or episodes/YYYY-MM.md.");
const READ_PATH = z
  .string()
  .describe(
    "facts/<name>.md, or episodes/YYYY-MM.md; for a project: projects/<id>/memory/facts/<name>.md; MEMORY.md; daily/YYYY-MM-DD.md.",
  );
/** Of the main agent, which keeps the overview and notes of each day too. */
const MAIN_PATCHED = z.string().describe("facts/<name>.md, or MEMORY.md, which is in every prompt you get.");
const MAIN_ADDED = z
  .string()
  .describe("facts/<name>.md, episodes/YYYY-MM.md, MEMORY.md, or daily/YYYY-MM-DD.md of today.");
const FACT = z.string().describe("facts/<name>.md.");

/** The inputs of the main agent's tools, and of those of a project. */
const INPUTS = {
  main: inputsWith({ read: READ_PATH, patched: MAIN_PATCHED, added: MAIN_ADDED, reachesProjects: true }),
  project: inputsWith({ read: PATH, patched: FACT, added: PATH, reachesProjects: false }),
};

type Path = typeof PATH;

function inputsWith(paths: { read: Path; patched: Path; added: Path; reachesProjects: boolean }) {
  const { read, patched, added, reachesProjects } = paths;
  const own = { offset: z.int().min(1).default(1).describe("First entry, from 1.") };
  const path = z.string().optional().describe("projects/<id>/memory, for a project.");
  return {
    list: schemaOnce(() => (reachesProjects ? z.strictObject({ ...own, path }) : z.strictObject(own))),
    read: schemaOnce(() => z.strictObject({ path: read })),
    write: schemaOnce(() => z.strictObject({ path: FACT, content: fileText(MOST_FACT_BYTES) })),
    patch: schemaOnce(() =>
      z.strictObject({
        path: patched,
        old: z.string().min(1).max(MOST_FACT_BYTES).describe("With enough context to be unique."),
        new: fileText(MOST_FACT_BYTES),
      }),
    ),
    append: schemaOnce(() => z.strictObject({ path: added.optional(), text: fileText(MOST_ADDED) })),
  };
}

function inputsOf({ hasProject }: Memory) {
  return hasProject === undefined ? INPUTS.project : INPUTS.main;
}

/** What an agent keeps for itself: facts, one file for each subject, and an episode file for each month. */
export function memoryTools(memory: Memory): Tool[] {
  const inTurn = turns();
  return [
    listMemory(memory),
    readMemory(memory),
    writeMemory(memory, inTurn),
    patchMemory(memory, inTurn),
    appendMemory(memory, inTurn),
  ];
}

function listMemory(memory: Memory): Tool {
  return defineTool({
    name: "memory_list",
    description: "List your memory files with their summaries.",
    input: inputsOf(memory).list(),
    changes: false,
    run: (input, use) =>
      attempt(use, () => {
        const of = wholeMemory(memory, "path" in input && typeof input.path === "string" ? input.path : undefined);
        const page = new Page({ offset: input.offset, most: 200 });
        const { isListed = () => true } = memory;
        const listed = of.paths().filter(isListed);
        for (const file of listed) page.add(isFact(file) ? `${file}: ${of.summary(file)}` : file);
        if (!("path" in input) || input.path === undefined) for (const file of besideMemory(memory)) page.add(file);
        return { output: page.text("entries") };
      }),
  });
}

function readMemory(memory: Memory): Tool {
  return defineTool({
    name: "memory_read",
    description: "Read a memory file. For long files, shows the end.",
    input: inputsOf(memory).read(),
    changes: false,
    run: ({ path: given }, use) =>
      attempt(use, () => {
        const { of, path } = memoryAt(memory, given);
        const { text } = of.read(path);
        const shown = text.slice(-MOST_SHOWN).replace(/^[\udc00-\udfff]/, "");
        return { output: shown === text ? text : `(the last ${shown.length} of ${text.length} characters)\n${shown}` };
      }),
  });
}

function writeMemory(memory: Memory, inTurn: InTurn): Tool {
  return defineTool({
    name: "memory_write",
    description:
      "Write or replace a lasting fact. One subject per file, at most 15 KB, with a line '> Summary: …' near the top.",
    input: inputsOf(memory).write(),
    changes: true,
    run: ({ path: given, content }, use) =>
      attempt(use, () =>
        inTurn(async () => {
          const { of, path } = ownAt(memory, given);
          if (isOverview(path)) throw new HallError("invalid", `Change ${path} with memory_patch or memory_append.`);
          if (!isFact(path)) throw onlyAddedTo();
          const before = of.find(path);
          const text = await of.put(path, memory.redact(content), before);
          const done = before === undefined ? "Created" : "Replaced";
          return { output: `${done} ${path}. Summary: ${summaryOf(text)}`, remembered: path };
        }),
      ),
  });
}

function onlyAddedTo(): HallError {
  return new HallError("invalid", "Episodes and daily notes are append-only; use memory_append.");
}

function patchMemory(memory: Memory, inTurn: InTurn): Tool {
  return defineTool({
    name: "memory_patch",
    description: "Replace text in a memory file. old must match exactly, and only once.",
    input: inputsOf(memory).patch(),
    changes: true,
    run: ({ path: given, old, new: put }, use) =>
      attempt(use, () =>
        inTurn(async () => {
          const { of, path } = ownAt(memory, given);
          if (!isFact(path) && !isOverview(path)) throw onlyAddedTo();
          const before = of.read(path);
          const refusal = patchRefusal(before.text, old, put);
          if (refusal !== undefined) return { output: `${path}: ${refusal}`, failed: true };
          const places = placesOf(before.text, old, { overlapping: true, most: MOST_AMBIGUOUS });
          const text = await of.put(path, replaceAt(before.text, places, memory.redact(put)), before);
          const summary = isFact(path) ? ` Summary: ${summaryOf(text)}` : "";
          return { output: `Changed ${path}.${summary}`, remembered: path };
        }),
      ),
  });
}

/** Why a text cannot be put in the place of another; undefined when it can. */
export function patchRefusal(text: string, old: string, put: string): string | undefined {
  if (old === put) return "old and new are the same; nothing was changed.";
  const hidden = hiddenRefusal({ standing: text, given: old }) ?? hiddenRefusal({ standing: text, given: put });
  if (hidden !== undefined) return hidden;
  const places = placesOf(text, old, { overlapping: true, most: MOST_AMBIGUOUS });
  if (places.length === 0) return inWords(noPlace(text, old));
  return places.length === 1 ? undefined : inWords(severalPlaces(text, places, MOST_AMBIGUOUS));
}

/** What edit says of its own words, in those of memory_patch. */
function inWords(refusal: string): string {
  return refusal.replaceAll("oldText", "old").replace(", or set all.", ".");
}

function appendMemory(memory: Memory, inTurn: InTurn): Tool {
  const { clock, redact } = memory;
  return defineTool({
    name: "memory_append",
    description: "Append to a memory file. Without a path: this month's episodes, what happened in a line or two.",
    input: inputsOf(memory).append(),
    changes: true,
    run: ({ path: given, text }, use) =>
      attempt(use, () =>
        inTurn(async () => {
          const { month, day } = presentFiles(clock());
          const { of, path } = ownAt(memory, given ?? month);
          if (text.trim() === "") throw new HallError("invalid", "Nothing to add.");
          if (isEpisode(path) && path !== month)
            throw new HallError("invalid", `You can only append to this month's episodes: ${month}.`);
          if (isDay(path) && path !== day)
            throw new HallError("invalid", `You can only append to today's notes: ${day}.`);
          await untilUndisturbed(() => {
            const before = of.find(path);
            return of.put(path, added(path, before?.text ?? "", { text: redact(text), at: clock() }), before);
          });
          return { output: `Added to ${path}.`, remembered: path };
        }),
      ),
  });
}

/** Those of them that are still added to. */
function presentFiles(at: Date): { month: string; day: string } {
  const now = at.toISOString();
  return { month: `episodes/${now.slice(0, 7)}.md`, day: `daily/${now.slice(0, 10)}.md` };
}

function added(path: string, before: string, { text, at }: { text: string; at: Date }): string {
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  if (isFact(path) || isOverview(path)) return `${before}${gap}${text.trimEnd()}\n`;
  const now = at.toISOString().slice(0, 16).replace("T", " ");
  const heading = before === "" ? `# ${now.slice(0, isDay(path) ? 10 : 7)}\n` : "";
  return `${before}${gap}${heading}\n## ${isDay(path) ? now.slice(11) : now}\n\n${text.trim()}\n`;
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
