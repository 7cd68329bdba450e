import { createHash } from "node:crypto";
import { z } from "zod";
import type { Files } from "../store/files.ts";
import { GitSweep, type Swept } from "../store/git-sweep.ts";

const Note = z.strictObject({ folder: z.string(), known: z.array(z.string()) });
const NOTHING: Swept = { found: [], isWhole: true };

interface Parts {
  /** Where agents work, without a repository of their own. A real path. */
  folder: string;
  /** The project's own folder: what is noted there outlives a crash, and agents cannot write it. */
  notes: Files;
  /** When something was set aside, or not every folder could be searched for it. */
  onSetAside: (swept: Swept) => void;
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
  #known: ReadonlySet<string> = new Set();
  #entering: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sweep = new GitSweep(parts.folder);
    this.#path = `runs/commands-${createHash("sha256").update(parts.folder).digest("hex").slice(0, 16)}.json`;
  }

  /** For a process that starts: deals with what a command left that ended with an earlier one. */
  recover(): void {
    const known = this.#noted();
    if (known === undefined) return;
    this.#sweepAll(known);
  }

  /** Before a command starts. Durable when it resolves. */
  async enter(): Promise<void> {
    this.#commands += 1;
    if (this.#commands === 1) this.#entering = this.#note();
    await this.#entering;
  }

  async #note(): Promise<void> {
    const known = this.#sweep.census();
    this.#known = new Set(known);
    await this.#parts.notes.replace(this.#path, JSON.stringify({ folder: this.#parts.folder, known }));
  }

  /** After a command and everything it started have ended. Another command may need for itself what is there meanwhile. */
  leave(): Swept {
    this.#commands -= 1;
    if (this.#commands > 0) return NOTHING;
    return this.#sweepAll(this.#known);
  }

  #sweepAll(known: ReadonlySet<string>): Swept {
    const swept = this.#sweep.setAside(known);
    this.#parts.notes.discard(this.#path);
    if (swept.found.length > 0 || !swept.isWhole) this.#parts.onSetAside(swept);
    return swept;
  }

  #noted(): ReadonlySet<string> | undefined {
    const { notes, folder } = this.#parts;
    if (!notes.exists(this.#path)) return undefined;
    try {
      const note = Note.parse(JSON.parse(notes.text(this.#path)));
      return note.folder === folder ? new Set(note.known) : undefined;
    } catch {
      // It was being written: no command had started.
      return undefined;
    }
  }
}

/** Carries a command out; `left` is what it is told of what it left behind. */
export async function guarded<Ended>(
  guard: GitGuard | undefined,
  command: () => Promise<Ended>,
): Promise<{ ended: Ended; left: string[] }> {
  if (guard === undefined) return { ended: await command(), left: [] };
  const run = async () => {
    await guard.enter();
    return command();
  };
  const ended = await run().catch((error) => {
    guard.leave();
    throw error;
  });
  return { ended, left: sweepNotes(guard.leave()) };
}

function sweepNotes({ found, isWhole }: Swept): string[] {
  const renamed = found.filter(({ to }) => to !== undefined).map(({ path, to }) => `'${path}' is now '${to}'`);
  const stuck = found.filter(({ to }) => to === undefined).map(({ path }) => `'${path}'`);
  return [
    ...(renamed.length === 0
      ? []
      : [`(This folder is no git repository, and commands cannot make one in it. Set aside: ${renamed.join(", ")}.)`]),
    ...(stuck.length === 0 ? [] : [`(Could not be set aside: ${stuck.join(", ")}.)`]),
    ...(isWhole ? [] : ["(Not all folders could be searched for '.git'.)"]),
  ];
}
