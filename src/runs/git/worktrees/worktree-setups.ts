import { sandboxNamed } from "../../../agent/sandbox/probe.ts";
import { execTool } from "../../../agent/tools/exec-tool.ts";
import type { RunSandbox } from "../../../contract/documents/sandbox.ts";
import type { WorktreeOutfit, WorktreeSettings } from "../../../contract/documents/worktree.ts";
import { HallError } from "../../../contract/errors.ts";
import type { Workplace } from "../../../contract/runs/run.ts";
import { realPlaceOf, removeFolder } from "../../../store/files/folders.ts";
import type { Core } from "../../../workspace/core.ts";
import { STATE_FOLDER } from "../../../workspace/layout.ts";
import type { ProjectSecrets } from "../../../workspace/projects/project-secrets.ts";
import type { PlaceNotes } from "../place-notes.ts";
import type { Worktrees } from "./worktrees.ts";

const DATA_FOLDER = `${STATE_FOLDER}/worktree-data`;
const USUAL_SECONDS = 600;
/** Who ends a run waits for it. */
const TEARDOWN_SECONDS = 30;
const FIRST_PORT = 20_000;
const PORTS_EACH = 10;
/** How soon a setup ends whose run was stopped. */
const LOOK_MS = 100;
const MOST_OUTPUT = 3_000;
const MOST_LEFT = 5;

interface Parts {
  core: Core;
  notes: PlaceNotes;
  worktrees: Pick<Worktrees, "leftIn">;
  secrets: Pick<ProjectSecrets, "of">;
  /** Aborted when the daemon stops. */
  closing: AbortSignal;
  /** A path for a file that is needed for a moment. */
  scratch: () => string;
  onTrouble: (what: string, error: unknown) => void;
}

/** A worktree that is to be made ready, or was. */
export interface SetUp {
  projectId: string;
  place: Workplace;
  /** How the commands of its run are kept in. */
  policy: RunSandbox;
  /** The setup ends with it. */
  signal: AbortSignal;
}

export type Prepared = { outfit?: WorktreeOutfit } | { failed: string };

/**
 * Makes worktrees ready with the commands that their project names, and ends what these started. Each worktree has ports and a
 * folder for data of its own. Commands may run again after a crash.
 */
export class WorktreeSetups {
  readonly #parts: Parts;
  /** The ports of each worktree, by its owner. */
  #slots: Map<string, number> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Until the run is to end. */
  signalFor(runId: string): { signal: AbortSignal; end: () => void } {
    const { core, closing } = this.#parts;
    const stopped = new AbortController();
    const timer = setInterval(() => {
      if (core.runs.get(runId)?.cancelling !== undefined) stopped.abort();
    }, LOOK_MS);
    return { signal: AbortSignal.any([closing, stopped.signal]), end: () => clearInterval(timer) };
  }

  /** Once for each worktree. Throws where the daemon stops; a setup that was stopped has failed. */
  prepare(order: SetUp): Promise<Prepared> {
    const settings = this.#settingsOf(order.projectId);
    if (settings === undefined) return Promise.resolve({});
    return this.#parts.core.locks.run(`setup ${order.place.owner}`, () => this.#prepare(order, settings));
  }

  async #prepare(order: SetUp, settings: WorktreeSettings): Promise<Prepared> {
    const { notes, worktrees, closing } = this.#parts;
    const { place } = order;
    const { owner } = place;
    const slot = this.#slotOf(owner);
    const outfit = this.#outfitOf(place, slot);
    if (notes.setupOf(owner)?.isDone === true) return { outfit };
    // From here on there is something to tear down.
    await notes.noteSetup(owner, { slot, isDone: false });
    const failed = await this.#runAll(settings.setup ?? [], { ...order, outfit, seconds: secondsOf(settings) });
    if (closing.aborted) throw new HallError("stopping", "The daemon is stopping.");
    if (failed !== undefined) return { failed: `Setup of the worktree failed: ${failed}` };
    const left = place.commit === undefined ? await worktrees.leftIn(place) : [];
    if (left.length > 0) return { failed: leftText(left) };
    await notes.noteSetup(owner, { slot, isDone: true });
    return { outfit };
  }

  /** Before a worktree is removed. Never rejects. */
  async end(projectId: string | undefined, place: Workplace, policy: RunSandbox | undefined): Promise<void> {
    const { core, notes, onTrouble } = this.#parts;
    const { owner } = place;
    const setup = notes.setupOf(owner);
    if (setup === undefined) return;
    try {
      await core.locks.run(`setup ${owner}`, async () => {
        const commands = projectId === undefined ? [] : (this.#settingsOf(projectId)?.teardown ?? []);
        if (policy !== undefined && projectId !== undefined && commands.length > 0) {
          const outfit = this.#outfitOf(place, setup.slot);
          const order = { projectId, place, policy, outfit, signal: this.#parts.closing, seconds: TEARDOWN_SECONDS };
          const failed = await this.#runAll(commands, order);
          if (failed !== undefined) onTrouble(`the teardown of a worktree of project ${projectId} failed`, failed);
        }
        await removeFolder(this.#dataOf(owner));
        this.#slots?.delete(owner);
      });
    } catch (error) {
      onTrouble(`the teardown of worktree ${owner} failed`, error);
    }
  }

  /** The first that fails, with the end of what it said; undefined where all went well. */
  async #runAll(
    commands: readonly string[],
    order: SetUp & { outfit: WorktreeOutfit; seconds: number },
  ): Promise<string | undefined> {
    const { core, secrets, scratch } = this.#parts;
    const { projectId, place, outfit, signal, seconds } = order;
    const policy = { ...order.policy, env: outfit.env, writable: [...order.policy.writable, ...outfit.writable] };
    const until = performance.now() + seconds * 1_000;
    const kept = scratch();
    const exec = execTool({
      ...{ sandbox: sandboxNamed(policy.name), policy, redactor: secrets.of(projectId) },
      workdir: `${realPlaceOf(place.worktree)}${place.workdir.slice(place.worktree.length)}`,
      keepAt: () => ({ path: kept, name: "the output" }),
      timeLeft: () => until - performance.now(),
      onOutput: () => undefined,
    });
    try {
      for (const command of commands) {
        const input = JSON.stringify({ command, timeoutSeconds: seconds });
        const { output, failed } = await exec.run(input, { callId: place.owner, signal });
        if (failed === true) return `'${command}': ${cutOutput(output)}`;
      }
      return undefined;
    } catch (error) {
      if (signal.aborted) return "it was stopped.";
      throw error;
    } finally {
      core.files.discard(kept.slice(core.files.root.length + 1));
    }
  }

  #settingsOf(projectId: string): WorktreeSettings | undefined {
    const project = this.#parts.core.projects.get(projectId);
    return project === undefined || project.status === "invalid" ? undefined : project.config.worktree;
  }

  #outfitOf(place: Workplace, slot: number): WorktreeOutfit {
    const data = this.#dataOf(place.owner);
    this.#parts.core.files.makeFolder(`${DATA_FOLDER}/${place.owner}`);
    const env = {
      GUILDHALL_PORT: String(FIRST_PORT + slot * PORTS_EACH),
      GUILDHALL_DATA: data,
      GUILDHALL_RUN: place.owner,
    };
    return { env, writable: [data] };
  }

  #dataOf(owner: string): string {
    return `${realPlaceOf(this.#parts.core.files.root)}/${DATA_FOLDER}/${owner}`;
  }

  /** The lowest that no other worktree has. */
  #slotOf(owner: string): number {
    const { notes } = this.#parts;
    this.#slots ??= new Map(
      notes.all().flatMap((one): [string, number][] => {
        const setup = notes.setupOf(one);
        return setup === undefined ? [] : [[one, setup.slot]];
      }),
    );
    const known = this.#slots.get(owner);
    if (known !== undefined) return known;
    const taken = new Set(this.#slots.values());
    let slot = 0;
    while (taken.has(slot)) slot++;
    this.#slots.set(owner, slot);
    return slot;
  }
}

function secondsOf({ timeoutSeconds = USUAL_SECONDS }: WorktreeSettings): number {
  return timeoutSeconds;
}

function cutOutput(text: string): string {
  return text.length <= MOST_OUTPUT ? text : `${text.slice(0, MOST_OUTPUT / 3)}\n…\n${text.slice(-MOST_OUTPUT)}`;
}

function leftText(left: readonly string[]): string {
  const more = left.length > MOST_LEFT ? ` and ${left.length - MOST_LEFT} more` : "";
  const names = left.slice(0, MOST_LEFT).join(", ");
  return `Setup of the worktree changed files that git doesn't ignore: ${names}${more}. Add them to .gitignore, or they would be part of every result.`;
}
