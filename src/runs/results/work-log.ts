import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Put } from "../../store/changes/change.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import type { Member } from "../../store/changes/gathering.ts";
import { isSameStamp, type Stamp } from "../../store/files/regular-file.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { readBody, writeSection } from "../../store/markup/sections.ts";
import { type Core, keep } from "../../workspace/core.ts";
import { projectPaths, projectRoot } from "../../workspace/layout.ts";
import { untilUndisturbed } from "../../workspace/undisturbed.ts";

const SECTION = "Work Log";
const SECTIONS = ["Key Decisions", "Important Context", "Lessons Learned", "Active Threads", SECTION];
const LONGEST_LINE = 200;
/** Every agent reads the memory: when it has so many entries, the older ones go to a file for each month. */
const MOST_ENTRIES = 100;
const KEPT_ENTRIES = 50;
/** Memories whose last lines are remembered. */
const MOST_ENDS = 50;
const ENTRY = /^- (\d{4}-\d{2})-\d{2} TASK-\d+ .*\b(run-[0-9a-z]+)\)$/;

/** A line for the log, and by what it is known to be there already. */
interface Line {
  text: string;
  mark: string;
}

export type WorkVerdict = "changes requested" | "reverted" | "discarded" | "restored";

/** What a person decided about a result. */
interface Decision {
  verdict: WorkVerdict;
  words: string;
  at: string;
}

/** A memory with more lines. */
interface Longer {
  content: string;
  /** What is new, where that is its end. */
  added?: string;
  /** How many lines the log has, where the memory ends with it. */
  lines: number | undefined;
  /** Files for older lines. */
  months: Put[];
}

interface Waiting {
  line: Line;
  gathered: Member | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A memory as it is. */
interface Found {
  text: string;
  /** Hash of the text; null where there is no file. */
  base: string | null;
  from?: Stamp | undefined;
}

/** One that ends with the log, and how many lines that has. */
interface LogAtEnd extends Found {
  lines: number;
}

/** One line for every finished run in the project's MEMORY.md, so that the next agent knows what was done, and undone. */
export class WorkLog {
  readonly #core: Core;
  readonly #waiting = new Map<string, Waiting[]>();
  /** By project, as they were last written: most get the next line at their end, as long as nobody edits them. */
  readonly #ends = new Map<string, LogAtEnd>();

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Resolves when the line is on disk. Runs that end together are written together, and the only one of its project with
   * what it is gathered with; one that is there is not added again.
   */
  add(run: Run, gathered?: Member): Promise<void> {
    return this.#enter(run.projectId, { text: entryOf(run), mark: run.id }, gathered);
  }

  /** As add, for what a person decided: else the log would go on to tell of it as done. */
  note(run: Run, { verdict, words, at }: Decision): Promise<void> {
    const mark = `(${verdict}, ${run.id})`;
    const said = words === "" ? "" : `: ${shortLine(words)}`;
    const text = `- ${at.slice(0, 10)} ${run.taskId} ${run.title}: ${verdict} by the person${said} ${mark}`;
    return this.#enter(run.projectId, { text, mark });
  }

  #enter(projectId: string, line: Line, gathered?: Member): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(projectId);
      if (waiting !== undefined) return void waiting.push({ line, gathered, resolve, reject });
      this.#waiting.set(projectId, [{ line, gathered, resolve, reject }]);
      void this.#flush(projectId);
    });
  }

  async #flush(projectId: string): Promise<void> {
    const { memory } = projectPaths(projectId);
    let batch: Waiting[] = [];
    try {
      await this.#core.locks.run(`file ${memory}`, async () => {
        batch = this.#waiting.get(projectId) ?? [];
        this.#waiting.delete(projectId);
        const lines = batch.map(({ line }) => line);
        const gathered = batch.length === 1 ? batch[0]?.gathered : undefined;
        await untilUndisturbed(() => this.#write(projectId, lines, gathered));
      });
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #write(projectId: string, wanted: readonly Line[], gathered: Member | undefined): Promise<void> {
    const { memory } = projectPaths(projectId);
    const found = this.#find(projectId, memory);
    // What cannot be read as text is not ours to rewrite.
    if (found === undefined) return;
    const { text, base, from } = found;
    const added = wanted.filter(({ mark }) => !text.includes(mark)).map((line) => line.text);
    if (added.length === 0) return;
    const after = this.#longer(projectId, text, added) ?? this.#written(projectId, text, added);
    const put: Put = { kind: "put", path: memory, content: after.content, base, from, added: after.added };
    const { stamps } = await keep(this.#core, [...after.months, put], gathered);
    if (this.#ends.size >= MOST_ENDS) this.#ends.clear();
    const written = { text: after.content, base: contentHash(after.content), from: stamps.get(memory) };
    if (after.lines === undefined) this.#ends.delete(projectId);
    else this.#ends.set(projectId, { ...written, lines: after.lines });
  }

  /** As it was last written, where the file is in the same state. */
  #find(projectId: string, memory: string): Found | undefined {
    const { files } = this.#core;
    const end = this.#ends.get(projectId);
    if (end?.from !== undefined && isSameStamp(end.from, files.stamp(memory))) return end;
    try {
      const { bytes, stamp } = files.readStamped(memory);
      const text = decodeText(bytes);
      return text === undefined ? undefined : { text, base: contentHash(bytes), from: stamp };
    } catch (error) {
      if (error instanceof HallError && error.code === "file_not_found")
        return { text: "# Project Memory\n", base: null };
      throw error;
    }
  }

  /** Undefined where more has to be done than to add lines at the end. */
  #longer(projectId: string, text: string, lines: readonly string[]): Longer | undefined {
    const end = this.#ends.get(projectId);
    if (end?.text !== text || end.lines + lines.length > MOST_ENTRIES) return undefined;
    const added = `${lines.join("\n")}\n`;
    return { content: text + added, added, lines: end.lines + lines.length, months: [] };
  }

  #written(projectId: string, text: string, added: readonly string[]): Longer {
    const before = readBody(text, SECTIONS).sections.get(SECTION) ?? "";
    const lines = [...(before === "" ? [] : before.split("\n")), ...added];
    const { kept, older } = this.#divide(lines);
    const months = [...older].map(([month, entries]) => this.#monthWith(projectId, month, entries));
    const content = writeSection(text, { name: SECTION, content: kept.join("\n"), known: SECTIONS });
    return { content, lines: content.endsWith(`\n${kept.at(-1)}\n`) ? kept.length : undefined, months };
  }

  /**
   * Only what was written here is moved away; a person's own lines stay where they are. A run that is not settled yet may
   * be looked for once more, after a crash.
   */
  #divide(lines: readonly string[]): { kept: string[]; older: Map<string, string[]> } {
    const entries = lines.filter((line) => ENTRY.test(line));
    const older = new Map<string, string[]>();
    if (entries.length <= MOST_ENTRIES) return { kept: [...lines], older };
    const moved = new Set(entries.slice(0, -KEPT_ENTRIES).filter((line) => this.#isSettled(line)));
    for (const line of moved) {
      const month = ENTRY.exec(line)?.[1] ?? "";
      older.set(month, [...(older.get(month) ?? []), line]);
    }
    return { kept: lines.filter((line) => !moved.has(line)), older };
  }

  #isSettled(line: string): boolean {
    const known = this.#core.runs.get(ENTRY.exec(line)?.[2] ?? "");
    return known === undefined || isOver(known.run);
  }

  /** Not in memory/, where the project's process is the only writer. */
  #monthWith(projectId: string, month: string, entries: readonly string[]): Put {
    const { files } = this.#core;
    const folder = `${projectRoot(projectId)}/runs/work-log`;
    const path = `${folder}/${month}.md`;
    const before = files.exists(path) ? (decodeText(files.read(path)) ?? "") : `# ${month}\n\n`;
    const added = entries.filter((entry) => !before.includes(entry));
    const content = `${before}${added.map((entry) => `${entry}\n`).join("")}`;
    return { kind: "put", path, content, within: projectRoot(projectId) };
  }
}

function entryOf(run: Run): string {
  const what = run.purpose === "work" ? run.title : `${run.title} (${run.purpose})`;
  return `- ${run.endedAt?.slice(0, 10)} ${run.taskId} ${what}: ${saidBy(run)} (${run.roleId}, ${run.id})`;
}

/** Every later agent reads it in its prompt: nothing that strangers may have put into a run's mouth. */
function saidBy({ trigger, result }: Run): string {
  if (trigger?.outside === true) return "was given words from outside; see its report";
  return shortLine((result?.output ?? "").split("\n")[0] ?? "");
}

function shortLine(text: string): string {
  return text
    .slice(0, LONGEST_LINE)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ");
}
