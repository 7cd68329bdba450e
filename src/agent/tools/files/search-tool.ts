import { z } from "zod";
import { HallError } from "../../../contract/errors.ts";
import type { Files } from "../../../store/files/files.ts";
import { checkPath } from "../../../store/files/paths.ts";
import { defineTool, schemaOnce, type Tool } from "../../tool.ts";
import { type Now, Pace } from "../pace.ts";
import { Page } from "../page.ts";
import { globMatcher } from "./glob.ts";
import { LineSearch } from "./line-search.ts";
import { blocksOf, encodingOf } from "./text-blocks.ts";
import { Walk } from "./walk.ts";
import { attempt, reach } from "./working-files.ts";

const MATCHES = 200;
/** Larger files are searched only when they are named. */
const LARGE_BYTES = 16 * 1024 * 1024;
const MOST_MS = 10_000;
/** Texts are searched in portions of about this size: each has a cost of its own. */
const PORTION_CHARACTERS = 256 * 1024;
const PORTION_PARTS = 64;

const SearchInput = schemaOnce(() =>
  z.strictObject({
    pattern: z.string().min(1).max(1_000),
    path: z.string().default(".").describe("Folder or file, relative to the working folder."),
    glob: z.string().max(500).default("").describe("Only matching files, e.g. *.ts or src/**/*.{js,ts}."),
    offset: z.int().min(1).default(1).describe("First match, from 1."),
  }),
);

/** `portionMs`: how long the process may stand still over one portion of text. */
export function searchTool(files: Files, now: Now, portionMs?: number): Tool {
  return defineTool({
    name: "search",
    description:
      "Search text files line by line for a JavaScript regular expression; a leading (?i) ignores case. Returns path:line: text. Narrow it with path and glob.",
    input: SearchInput(),
    changes: false,
    run: ({ pattern, path: given, glob, offset }, use) =>
      attempt(use, async () => {
        const hunt = new Hunt(files, {
          search: new LineSearch(pattern, portionMs),
          page: new Page({ offset, most: MATCHES }),
          pace: new Pace(use.signal, now),
        });
        const { path, kind } = reach(files, given);
        const notes = kind === "file" ? await hunt.inFile(path) : await hunt.below(path, glob);
        return { output: [hunt.text(), ...notes].join("\n") };
      }),
  });
}

interface Tools {
  search: LineSearch;
  page: Page;
  pace: Pace;
}

interface Part {
  path: string;
  line: number;
  text: string;
}

/** One search over many files. */
class Hunt {
  readonly #files: Files;
  readonly #tools: Tools;
  #waiting: Part[] = [];
  #size = 0;
  #late = false;
  readonly #left = { large: 0, protected: 0 };

  constructor(files: Files, tools: Tools) {
    this.#files = files;
    this.#tools = tools;
  }

  text(): string {
    return this.#tools.page.text("matches");
  }

  async inFile(path: string): Promise<string[]> {
    const isText = await this.#take(path, Number.POSITIVE_INFINITY);
    if (!isText) throw new HallError("invalid", `'${path}' is not a UTF-8 text file.`);
    this.#flush();
    return this.#late ? [`(incomplete: stopped after ${MOST_MS / 1_000} seconds)`] : [];
  }

  async below(folder: string, glob: string): Promise<string[]> {
    const fits = glob === "" ? () => true : globMatcher(glob);
    const within = folder === "." ? 0 : folder.length + 1;
    const walk = new Walk(this.#files, this.#tools.pace, glob);
    for await (const { path, kind } of walk.below(folder)) {
      if (kind !== "file" || !(fits(path.slice(within)) || fits(path))) continue;
      await this.#visit(path);
      if (this.#tools.page.isFull) break;
    }
    this.#flush();
    return [...walk.notes(), ...this.#notes()];
  }

  #notes(): string[] {
    const { large, protected: closed } = this.#left;
    return [
      ...(large === 0 ? [] : [`(skipped: files over 16 MiB, ${large}; set path to search one)`]),
      ...(closed === 0 ? [] : [`(skipped: protected or unreadable files, ${closed})`]),
    ];
  }

  /** What cannot be read is passed over, whatever the reason: it may have vanished a moment ago. */
  async #visit(path: string): Promise<void> {
    try {
      checkPath(path, "read");
      await this.#take(path, LARGE_BYTES);
    } catch (error) {
      const isRefusal = error instanceof HallError && error.code !== "invalid";
      if (!isRefusal && !(error instanceof Error && "syscall" in error)) throw error;
      this.#left.protected++;
    }
  }

  /** Whether it is text. */
  async #take(path: string, most: number): Promise<boolean> {
    const { pace, page } = this.#tools;
    const file = this.#files.openContained(path, ".");
    try {
      if (encodingOf(file) !== "utf-8") return false;
      if (file.size > most) {
        this.#left.large++;
        return true;
      }
      for (const { bytes, line } of blocksOf(file)) {
        this.#late = pace.elapsedMs > MOST_MS;
        if (page.isFull || this.#late) break;
        this.#add({ path, line, text: bytes.toString("utf8").replace(/\n$/, "") });
        if (pace.isRestDue) await pace.rest();
      }
      return true;
    } finally {
      file.close();
    }
  }

  #add(part: Part): void {
    this.#waiting.push(part);
    this.#size += part.text.length;
    if (this.#size >= PORTION_CHARACTERS || this.#waiting.length >= PORTION_PARTS) this.#flush();
  }

  #flush(): void {
    const parts = this.#waiting;
    const { search, page } = this.#tools;
    this.#waiting = [];
    this.#size = 0;
    if (parts.length === 0 || page.isFull) return;
    for (const { part, line, text } of search.find(
      parts.map(({ text }) => text),
      page.wanted,
    )) {
      const at = parts[part] as Part;
      page.add(`${at.path}:${at.line + line}: ${text}`);
    }
  }
}
