import type { RoleState } from "../../contract/documents/teams/team-message.ts";
import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import { type Core, keep } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { TeamState } from "../machine/team-state.ts";
import { teamPaths } from "../team-files.ts";

/** Of the whole file. */
const LONGEST = 64 * 1024;
const MOST_KEYS = 200;
/** The last word of each member on its own state; only `state_update` changes it. */
export const ROLE_STATE = "role_state";
/** A person may save the file in between. */
const MOST_TRIES = 5;

type Memory = Record<string, unknown>;

export interface MemoryEntry {
  key: string;
  value: unknown;
  /** Of the value: who replaces it says which one it has seen. */
  etag: string;
}

export interface MemoryWrite {
  key: string;
  value: unknown;
  etag?: string | undefined;
}

/**
 * `shared-memory.json` of teams: one JSON object, which people may edit too. The daemon alone writes it for members, one key at a time, and
 * only where the writer has seen the value that it replaces: of two who write at once, the second is told, and nothing is lost.
 */
export class SharedMemory {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  read(state: TeamState, keys?: readonly string[]): MemoryEntry[] {
    const memory = this.#load(state).memory;
    return Object.keys(memory)
      .filter((key) => keys === undefined || keys.includes(key))
      .map((key) => ({ key, value: memory[key], etag: etagOf(memory[key]) }));
  }

  /** Durable when it resolves. The same value again changes nothing. */
  async write(state: TeamState, { key, value, etag }: MemoryWrite): Promise<MemoryEntry> {
    if (key === ROLE_STATE)
      throw new HallError("invalid", `key: '${ROLE_STATE}' is what members say of their state; send a state_update.`);
    await this.#change(state, (memory) => {
      const current = Object.hasOwn(memory, key) ? etagOf(memory[key]) : undefined;
      if (current === etagOf(value)) return memory;
      if (current !== undefined && current !== etag)
        throw new HallError(
          "memory_conflict",
          `'${key}' has the etag ${current}${etag === undefined ? "" : `, not ${etag}`}, and this value: ${JSON.stringify(memory[key]).slice(0, 2_000)}`,
        );
      if (current === undefined && etag !== undefined)
        throw new HallError("memory_conflict", `There is no '${key}' any more. Send it without etag to create it.`);
      return { ...memory, [key]: value };
    });
    return { key, value, etag: etagOf(value) };
  }

  /** What it leaves out stays as it was. */
  async setState(state: TeamState, member: string, said: RoleState): Promise<void> {
    await this.#change(state, (memory) => {
      const states = objectIn(memory[ROLE_STATE]);
      return { ...memory, [ROLE_STATE]: { ...states, [member]: { ...objectIn(states[member]), ...said } } };
    });
  }

  async #change(state: TeamState, next: (memory: Memory) => Memory): Promise<void> {
    const { id, projectId } = state.document;
    const path = teamPaths(state.document).memory;
    await this.#core.locks.run(`team memory ${id}`, async () => {
      for (let tries = 1; ; tries++) {
        const { memory, text } = this.#load(state);
        const content = `${JSON.stringify(next(memory), null, 2)}\n`;
        if (content === text) return;
        assertSmall(JSON.parse(content), content);
        try {
          const base = text === undefined ? null : contentHash(text);
          await keep(this.#core, [{ kind: "put", path, content, base, within: projectRoot(projectId) }]);
          return;
        } catch (error) {
          if (!(error instanceof ChangedMeanwhile)) throw error;
          if (tries >= MOST_TRIES)
            throw new HallError("memory_conflict", `${path} is being edited. Try again in a moment.`);
        }
      }
    });
  }

  /** A file that can't be read is left as it is: what is in it may be worth more than what would be written. */
  #load({ document }: TeamState): { memory: Memory; text?: string } {
    const { files } = this.#core;
    const path = teamPaths(document).memory;
    if (!files.exists(path)) return { memory: {} };
    const text = files.text(path);
    try {
      const memory: unknown = JSON.parse(text);
      if (typeof memory === "object" && memory !== null && !Array.isArray(memory))
        return { memory: memory as Memory, text };
      throw new Error("must be a JSON object");
    } catch (error) {
      throw new HallError("file_invalid", `${path}: ${errorText(error)}`, { file: path });
    }
  }
}

function assertSmall(memory: Memory, content: string): void {
  if (Object.keys(memory).length > MOST_KEYS)
    throw new HallError("too_large", `The shared memory holds at most ${MOST_KEYS} keys.`);
  if (Buffer.byteLength(content) > LONGEST)
    throw new HallError(
      "too_large",
      `The shared memory holds at most ${LONGEST / 1024} KiB. Save longer texts as artifacts.`,
    );
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Of a value, whatever the order of its keys. */
function etagOf(value: unknown): string {
  return contentHash(JSON.stringify(sorted(value))).slice(0, 12);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
