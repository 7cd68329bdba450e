import { dirname, join } from "node:path/posix";
import { HallError } from "../../contract/errors.ts";
import { Slug } from "../../contract/words/text.ts";
import type { Files } from "../../store/files/files.ts";
import { KeptReading } from "../../store/files/kept-reading.ts";
import type { Stamp } from "../../store/files/regular-file.ts";
import type { Clock } from "../../store/ids.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import {
  assertRoomForFact,
  isDay,
  isEpisode,
  isFact,
  isOverview,
  keptText,
  MEMORY_FOLDER,
  memoryPath,
} from "../../workspace/knowledge/memory-rules.ts";
import { summaryOf } from "../../workspace/knowledge/memory-text.ts";
import { reachExisting, reachFile, reachFolder } from "./files/working-files.ts";

/** Beside its memory, the main agent keeps an overview and notes of each day at the top of the workspace. */
const TOP = ".";
const OF_A_PROJECT = /^(?:\.\/)?projects\/([^/]+)\/memory(?:\/(.*))?$/;

export interface Memory {
  /** The folder of a project, or the workspace for the main agent; nothing but what is below its memory/ is reached. */
  files: Files;
  clock: Clock;
  /** Hides secrets: what is remembered is shown to every later run. */
  redact: (text: string) => string;
  /**
   * Whether there is such a project, whose memory may then be read too. Only the main agent has this, and with it MEMORY.md
   * and daily/ of the workspace.
   */
  hasProject?: ((projectId: string) => boolean) | undefined;
  /** Which of its files are listed; all, unless given. */
  isListed?: ((path: string) => boolean) | undefined;
}

interface Reading {
  text: string;
  /** The state it was read in. */
  stamp: Stamp;
}

const listings = new KeptReading<string[]>(1_000);

/** The files of one memory, or of a project's that may only be read. */
export class MemoryFiles {
  readonly #files: Files;
  readonly #root: string;

  constructor(files: Files, root = MEMORY_FOLDER) {
    this.#files = files;
    this.#root = root;
  }

  /** Facts, then episodes. */
  paths(): string[] {
    return ["facts", "episodes"].flatMap((folder) =>
      listings.of(`${this.#files.root}/${this.#root}/${folder}`, () => this.#pathsIn(folder), []),
    );
  }

  #pathsIn(folder: string): string[] {
    const place = `${this.#root}/${folder}`;
    reachFolder(this.#files, place);
    const paths = this.#files.names(place).map((name) => `${folder}/${name}`);
    return paths.filter((path) => isFact(path) || isEpisode(path));
  }

  summary(path: string): string {
    try {
      return summaryOf(this.read(path).text) ?? "(no summary)";
    } catch (error) {
      if (error instanceof HallError) return "(cannot be read)";
      throw error;
    }
  }

  read(path: string): Reading {
    const { path: reached, standing } = reachExisting(this.#files, this.#at(path), "read");
    const text = decodeText(this.#files.readContained(reached, this.#root));
    if (text === undefined) throw new HallError("invalid", `'${path}' is not UTF-8 text.`);
    return { text, stamp: standing.stamp };
  }

  /** undefined when there is none, and room for one. */
  find(path: string): Reading | undefined {
    // Not as a write: to file tools the memory of a project's own folder is closed.
    const { standing } = reachFile(this.#files, this.#at(path), "read");
    if (standing !== undefined) return this.read(path);
    if (isFact(path)) assertRoomForFact(this.#files.names(`${this.#root}/facts`).length);
    return undefined;
  }

  /** Answers the text as it is kept. A person may write the same file meanwhile: then ChangedMeanwhile. */
  async put(path: string, given: string, before: Reading | undefined): Promise<string> {
    const text = keptText(path, given);
    const place = this.#at(path);
    await this.#files.ensureFolder(dirname(place));
    await this.#files.replace(place, text, { from: { stamp: before?.stamp }, within: this.#root, shared: true });
    return text;
  }

  #at(path: string): string {
    return join(this.#root, path);
  }
}

/** Which of the own files a path is: of the memory, or of the main agent's beside it. */
export function ownAt({ files, hasProject }: Memory, given: string): { of: MemoryFiles; path: string } {
  const path = given.replace(/^\.\//, "");
  if (hasProject !== undefined && (isOverview(path) || isDay(path))) return { of: new MemoryFiles(files, TOP), path };
  return { of: new MemoryFiles(files), path: memoryPath(given) };
}

/** The main agent's files beside its memory, the newest days first. */
export function besideMemory({ files, hasProject }: Memory): string[] {
  if (hasProject === undefined) return [];
  const days = files.names("daily").map((name) => `daily/${name}`);
  return [...(files.exists("MEMORY.md") ? ["MEMORY.md"] : []), ...days.filter(isDay).sort().reverse()];
}

/** As ownAt, for reading: also the memory of a project. */
export function memoryAt(memory: Memory, given: string): { of: MemoryFiles; path: string } {
  const { files, hasProject } = memory;
  if (!(hasProject && OF_A_PROJECT.test(given))) return ownAt(memory, given);
  const { of, rest } = projectMemory({ files, hasProject }, given);
  return { of, path: memoryPath(rest) };
}

/** Which memory a path names as a whole. */
export function wholeMemory(memory: Memory, given: string | undefined): MemoryFiles {
  if (given === undefined || /^(?:\.\/)?memory\/?$/.test(given)) return new MemoryFiles(memory.files);
  const { of, rest } = projectMemory(memory, given);
  if (rest !== "" || !OF_A_PROJECT.test(given)) memoryPath("");
  return of;
}

function projectMemory(
  { files, hasProject }: Pick<Memory, "files" | "hasProject">,
  given: string,
): { of: MemoryFiles; rest: string } {
  const [, id, rest = ""] = (hasProject && OF_A_PROJECT.exec(given)) ?? [];
  if (id === undefined) return { of: new MemoryFiles(files), rest: given };
  if (!Slug.safeParse(id).success || hasProject?.(id) !== true)
    throw new HallError("project_not_found", `There is no project '${id.slice(0, 64)}'.`);
  return { of: new MemoryFiles(files, `projects/${id}/memory`), rest };
}
