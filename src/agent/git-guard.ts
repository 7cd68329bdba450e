import { createHash } from "node:crypto";
import { z } from "zod";
import type { Files } from "../store/files/files.ts";
import { isWithin } from "../store/files/folders.ts";
import { type Counted, GitSweep, type Swept } from "../store/git/git-sweep.ts";

/** What was in a folder before the first command. It is on disk while commands run there, and until what they left is swept. */
export const CommandNote = z.strictObject({
  folder: z.string(),
  /** Of the folder. Notes of earlier versions have none. */
  identity: z.string().optional(),
  known: z.array(z.string()),
});
export const COMMAND_NOTE = /^commands-[0-9a-f]{16}\.json$/;

/** What commands of another project found in a part of the folder: whatever is new there since is not the person's. */
export interface CensusLimit {
  /** Relative to the folder; "" is all of it. */
  below: string;
  known: string[];
}

/** Several projects can work in one folder, each with a process of its own. The daemon knows what the others do there. */
export interface SharedCensus {
  /** Before a folder is looked through. */
  begin: (folder: string) => Promise<{ after: number; limits: CensusLimit[] }>;
  /** When what was found is on disk. False: commands of another project started in it meanwhile. */
  end: (folder: string, after: number) => Promise<boolean>;
}

const NOTHING: Swept = { found: [], isWhole: true };
const MOST_TRIES = 10;

interface Parts {
  /** Where commands may write without a repository of their own. A real path. */
  folder: string;
  /** The project's own folder: what is noted there outlives a crash, and agents cannot write it. */
  notes: Files;
  shared: SharedCensus;
  /** When something was set aside, or not every folder could be searched for it. */
  onSetAside: (swept: Swept, folder: string) => void;
}

/**
 * Lets no command leave a `.git` behind in a folder that is not a repository: whoever enters the folder with git would run
 * what its settings say. What was there before the first command stays.
 */
export class GitGuard {
  readonly #parts: Parts;
  readonly #sweep: GitSweep;
  readonly #path: string;
  #commands = 0;
  /** Undefined until the folder was looked through. */
  #known: ReadonlySet<string> | undefined;
  #entering: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sweep = new GitSweep(parts.folder);
    this.#path = `runs/commands-${createHash("sha256").update(parts.folder).digest("hex").slice(0, 16)}.json`;
  }

  get folder(): string {
    return this.#parts.folder;
  }

  /** For a process that starts: deals with what a command left that ended with an earlier one. */
  recover(): void {
    const note = noteAt(this.#parts.notes, this.#path);
    const identity = this.#sweep.identity();
    // It may be on a disk that is mounted later.
    if (note === undefined || identity === undefined) return;
    // Of a folder that was put in its place nothing is known.
    if ((note.identity ?? identity) === identity) this.#sweepAll(new Set(note.known));
    else this.#parts.notes.discard(this.#path);
  }

  /** Before a command starts. Durable when it resolves. */
  async enter(): Promise<void> {
    this.#commands += 1;
    if (this.#commands === 1) this.#entering = this.#note();
    await this.#entering;
  }

  async #note(): Promise<void> {
    const { folder, shared, notes } = this.#parts;
    this.#known = undefined;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { after, limits } = await shared.begin(folder);
      const known = withinLimits(this.#sweep.census(), limits);
      await notes.replace(this.#path, JSON.stringify({ folder, identity: this.#sweep.identity(), known }));
      if (!(await shared.end(folder, after))) continue;
      this.#known = new Set(known);
      return;
    }
    notes.discard(this.#path);
    throw new Error(`Another project keeps running commands in '${folder}'.`);
  }

  /** After a command and everything it started have ended. Another command may need for itself what is there meanwhile. */
  leave(): Swept {
    this.#commands -= 1;
    if (this.#commands > 0 || this.#known === undefined) return NOTHING;
    return this.#sweepAll(this.#known);
  }

  #sweepAll(known: ReadonlySet<string>): Swept {
    const swept = this.#sweep.setAside(known);
    this.#parts.notes.discard(this.#path);
    if (swept.found.length > 0 || !swept.isWhole) this.#parts.onSetAside(swept, this.#parts.folder);
    return swept;
  }
}

/** Undefined where there is none, or it was being written: then no command had started. */
export function noteAt(files: Files, path: string): z.infer<typeof CommandNote> | undefined {
  if (!files.exists(path)) return undefined;
  try {
    return CommandNote.parse(JSON.parse(files.text(path)));
  } catch {
    return undefined;
  }
}

function withinLimits(counted: readonly Counted[], limits: readonly CensusLimit[]): string[] {
  const sets = limits.map(({ below, known }) => ({ below: `/${below}`, known: new Set(known) }));
  const isKept = ({ key, path }: Counted) =>
    sets.every(({ below, known }) => known.has(key) || !isWithin(`/${path}`, below));
  return counted.filter(isKept).map(({ key }) => key);
}

/** Carries a command out; `left` is what it is told of what it left behind. */
export async function guarded<Ended>(
  guards: readonly GitGuard[],
  command: () => Promise<Ended>,
): Promise<{ ended: Ended; left: string[] }> {
  const [guard, ...others] = guards;
  if (guard === undefined) return { ended: await command(), left: [] };
  const run = async () => {
    await guard.enter();
    return guarded(others, command);
  };
  const { ended, left } = await run().catch((error) => {
    guard.leave();
    throw error;
  });
  return { ended, left: [...left, ...sweepNotes(guard.leave(), guard.folder)] };
}

function sweepNotes({ found, isWhole }: Swept, folder: string): string[] {
  const renamed = found.filter(({ to }) => to !== undefined).map(({ path, to }) => `'${path}' is now '${to}'`);
  const stuck = found.filter(({ to }) => to === undefined).map(({ path }) => `'${path}'`);
  return [
    ...(renamed.length === 0
      ? []
      : [`(Commands can't create a git repository in '${folder}'. Renamed: ${renamed.join(", ")}.)`]),
    ...(stuck.length === 0 ? [] : [`(Could not be renamed: ${stuck.join(", ")}.)`]),
    ...(isWhole ? [] : [`(Not all folders in '${folder}' could be searched for '.git'.)`]),
  ];
}
