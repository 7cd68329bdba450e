import { dirname } from "node:path";
import { BusLine } from "../../contract/documents/teams/team-message.ts";
import { HallError } from "../../contract/errors.ts";
import { TEAM_LIMITS } from "../../contract/words/teams/team-words.ts";
import type { Files } from "../../store/files/files.ts";
import { durableLines, lineText } from "../../store/logs/durable-line.ts";
import { type BusState, compactLines, emptyBus, foldLine } from "./bus-state.ts";

const readerOf = durableLines(BusLine);

/** Messages that the file may hold beyond those that are kept, so that it is not rewritten for each. */
const SPARE_MESSAGES = 200;
/** Lines about deliveries. */
const SPARE_LINES = 4_000;

/**
 * `messages.jsonl` of one team, and what it says. The daemon alone writes it, one change at a time: whoever calls `append` has the
 * bus of that team alone.
 */
export class BusFile {
  readonly #files: Files;
  readonly #path: string;
  #state: BusState | undefined;
  #lines = 0;
  #messages = 0;

  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Throws where the file is not a regular one, or was written by a newer program. Lines that can't be read are left out. */
  get state(): BusState {
    this.#state ??= this.#read();
    return this.#state;
  }

  #read(): BusState {
    const state = emptyBus();
    this.#lines = 0;
    this.#messages = 0;
    if (!this.#exists()) return state;
    const read = readerOf(this.#files, this.#path);
    this.#files.scanLog(this.#path, 0, (text) => {
      const line = read(text);
      if (line !== undefined) this.#take(state, line);
      return true;
    });
    return state;
  }

  #take(state: BusState, line: BusLine): void {
    this.#lines++;
    if (line.line === "message") this.#messages++;
    foldLine(state, line);
  }

  /** Durable when it resolves. After a failure the file is read again. */
  async append(lines: readonly BusLine[]): Promise<void> {
    const { state } = this;
    try {
      await this.#write(lines.map(lineText));
    } catch (error) {
      this.#state = undefined;
      throw error;
    }
    for (const line of lines) this.#take(state, line);
    if (this.#messages > TEAM_LIMITS.messages + SPARE_MESSAGES || this.#lines > TEAM_LIMITS.messages + SPARE_LINES)
      await this.#compact(state);
  }

  async #write(lines: readonly string[]): Promise<void> {
    const isNew = !this.#exists();
    const { log } = this.#files.openLogEnd(this.#path, "whole");
    try {
      await Promise.all(lines.map((line) => log.append(line)));
      if (isNew) await this.#files.syncFolder(dirname(this.#path));
    } finally {
      await log.close();
    }
  }

  /** The new file takes the place of the old one whole, or not at all: then the old one is as good. */
  async #compact(state: BusState): Promise<void> {
    const lines = compactLines(state);
    await this.#files.replace(this.#path, `${lines.map(lineText).join("\n")}\n`).catch(() => undefined);
    this.#lines = lines.length;
    this.#messages = state.messages.length;
  }

  /** A link or a folder in its place would take messages elsewhere. */
  #exists(): boolean {
    const kind = this.#files.standing(this.#path)?.kind;
    if (kind !== undefined && kind !== "file")
      throw new HallError("path_refused", `'${this.#path}' is a ${kind}; it must be a regular file.`, {
        hint: "Move it elsewhere.",
      });
    return kind !== undefined;
  }
}
