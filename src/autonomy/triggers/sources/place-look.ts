import type { Project } from "../../../contract/documents/project.ts";
import { HallError } from "../../../contract/errors.ts";
import type { RunPlan } from "../../../contract/runs/run.ts";
import type { Git } from "../../../runs/git/git.ts";
import { findRepository, type Repository } from "../../../runs/git/repository.ts";
import { writesInPlace } from "../../../runs/schedule/writing-turn.ts";
import type { Write } from "../../../store/changes/change.ts";
import { documentText, readDocument } from "../../../store/logs/durable-document.ts";
import type { Core } from "../../../workspace/core.ts";
import type { WorkdirSight } from "../../../workspace/projects/workdir-sight.ts";
import type { IndexedRun } from "../../../workspace/records.ts";
import { seenFile, type TriggerHistory } from "../history.ts";
import type { TriggerKeeper } from "../keeper.ts";
import type { TriggerDocument } from "../trigger-files.ts";
import { type NewCommit, newCommits, ownPaths } from "./new-commits.ts";
import { pathScope } from "./path-scope.ts";
import { changedBetween, filesBelow, markOf, SeenFiles } from "./seen-files.ts";

const MOST_NAMED = 20;
const MOST_RUNS = 200;

export interface PlaceParts {
  core: Core;
  history: Pick<TriggerHistory, "of">;
  keeper: Pick<TriggerKeeper, "accept" | "skip" | "seen">;
  git: Git;
  /** Who Guildhall commits as. */
  ownEmail: string;
  planOf: (run: IndexedRun) => RunPlan | undefined;
}

/** Compares a working folder with what its triggers have seen of it. What Guildhall itself changed fires nothing. */
export class PlaceLook {
  readonly #parts: PlaceParts;
  readonly #problems = new Map<string, string>();

  constructor(parts: PlaceParts) {
    this.#parts = parts;
  }

  problemOf(name: string): string | undefined {
    return this.#problems.get(name);
  }

  async at(project: Project, sight: WorkdirSight | undefined, triggers: readonly TriggerDocument[]): Promise<void> {
    const { core, git } = this.#parts;
    await core.shown.caughtUp();
    const found = await findRepository(git, project, sight);
    const repository = found instanceof HallError ? undefined : found;
    for (const trigger of triggers) {
      const { on, name } = trigger;
      if (on.files === undefined && on.event !== "commit.created") continue;
      const problem = problemIn({ sight, found, isCommit: on.files === undefined });
      if (problem !== undefined) this.#problems.set(name, problem);
      else await this.#one(trigger, sight as { path: string }, repository);
    }
  }

  async #one(trigger: TriggerDocument, { path }: { path: string }, repository: Repository | undefined): Promise<void> {
    try {
      if (trigger.on.files !== undefined) await this.#files(trigger, path, repository);
      else if (repository !== undefined) await this.#commits(trigger, repository);
      this.#problems.delete(trigger.name);
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "invalid") throw error;
      this.#problems.set(trigger.name, error.message);
    }
  }

  async #commits({ name }: TriggerDocument, { gitDir, target }: Repository): Promise<void> {
    const { git, history, keeper, ownEmail } = this.#parts;
    const tip = await git.resolve({ gitDir }, `refs/heads/${target}^{commit}`);
    const { mark: before } = history.of(name);
    const mark = `commit ${tip} ${target}`;
    if (tip === undefined || before === mark) return;
    const [kind, since, ...branch] = (before ?? "").split(" ");
    const isSame = kind === "commit" && branch.join(" ") === target;
    const commits = isSame ? await newCommits(git, { gitDir, since, tip }, ownEmail) : undefined;
    // Seen for the first time, on another branch, or a branch that was set back.
    if (commits === undefined || commits.length === 0) return keeper.seen(name, { mark });
    const cause = `commit.created ${tip.slice(0, 12)}`;
    const others = commits.filter(({ isOwn }) => !isOwn);
    if (others.length === 0) return keeper.skip(name, { reason: "caused-by-guildhall", cause }, { mark });
    const count = others.length === 1 ? "a new commit" : `${others.length} new commits`;
    const facts = `${count} on ${JSON.stringify(target)}: ${named(others.map(({ id }) => id))}`;
    await keeper.accept(name, { cause, keys: [`commit ${tip}`], given: { facts } }, { mark });
  }

  async #files(trigger: TriggerDocument, root: string, repository: Repository | undefined): Promise<void> {
    const { core, history, keeper } = this.#parts;
    const { name, projectId = "" } = trigger;
    // What a run changes in the folder itself is known when it is over.
    if (core.runs.unsettled(projectId).some((run) => writesInPlace(this.#parts.planOf(run)))) return;
    const at = core.clock().toISOString();
    const now = await this.#stateOf(trigger, root, repository, at);
    const before = this.#before(trigger, history.of(name).mark);
    const mark = markOf(now);
    if (before !== undefined && markOf(before) === mark) return;
    const seen = { mark, also: [this.#write(name, now)] };
    const changed = before === undefined ? [] : changedBetween(before.files, now.files);
    if (before === undefined || changed.length === 0) return keeper.seen(name, seen);
    const own = await this.#ownSince(before, { projectId, now, repository });
    const others = changed.filter((path) => !own.has(path));
    const cause = `files ${mark.slice("files ".length, "files ".length + 12)}`;
    if (others.length === 0) return keeper.skip(name, { reason: "caused-by-guildhall", cause }, seen);
    const facts = `changed files: ${named(others.map((path) => JSON.stringify(path)))}`;
    await keeper.accept(name, { cause, given: { facts } }, seen);
  }

  /** With a repository, no merge is under way meanwhile. */
  async #stateOf(
    { on, source }: TriggerDocument,
    root: string,
    repository: Repository | undefined,
    at: string,
  ): Promise<SeenFiles> {
    const scope = pathScope(on.files ?? []);
    if (repository === undefined) return { source, at, files: filesBelow(root, scope) };
    const { gitDir, target } = repository;
    return this.#parts.core.locks.run(`repository ${gitDir}`, async () => {
      const commit = await this.#parts.git.resolve({ gitDir }, `refs/heads/${target}^{commit}`);
      const files = filesBelow(root, scope);
      return commit === undefined ? { source, at, files } : { source, at, commit, files };
    });
  }

  /** Undefined of a trigger that looks for the first time, or for something else than before. */
  #before({ name, source }: TriggerDocument, mark: string | undefined): SeenFiles | undefined {
    const { files } = this.#parts.core;
    const path = seenFile(name);
    if (mark === undefined || !files.exists(path)) return undefined;
    const seen = readDocument(files, path, SeenFiles);
    return seen?.source === source && markOf(seen) === mark ? seen : undefined;
  }

  #write(name: string, now: SeenFiles): Write {
    return { kind: "put", path: seenFile(name), content: documentText(now) };
  }

  /** Paths in the working folder that merges and runs of Guildhall changed. */
  async #ownSince(
    { at, commit }: SeenFiles,
    { projectId, now, repository }: { projectId: string; now: SeenFiles; repository: Repository | undefined },
  ): Promise<Set<string>> {
    const { core, git, ownEmail } = this.#parts;
    const own = new Set<string>();
    for (const { run } of core.runs.list({ projectId, limit: MOST_RUNS }))
      if ((run.endedAt ?? "") >= at && run.delivery?.kind !== "branch")
        for (const path of run.result?.filesChanged ?? []) own.add(path);
    if (repository === undefined || now.commit === undefined || now.commit === commit) return own;
    const { gitDir, prefix } = repository;
    const commits: NewCommit[] = (await newCommits(git, { gitDir, since: commit, tip: now.commit }, ownEmail)) ?? [];
    const start = prefix === "" ? "" : `${prefix}/`;
    for (const path of await ownPaths(git, gitDir, commits))
      if (path.startsWith(start)) own.add(path.slice(start.length));
    return own;
  }
}

function problemIn({
  sight,
  found,
  isCommit,
}: {
  sight: WorkdirSight | undefined;
  found: Awaited<ReturnType<typeof findRepository>>;
  isCommit: boolean;
}): string | undefined {
  if (sight === undefined) return "Its project has no working folder.";
  if (!("path" in sight)) return sight.changes.join(" ");
  if (!isCommit) return undefined;
  if (found instanceof HallError) return found.message;
  return found === undefined ? "The working folder of its project is in no git repository." : undefined;
}

function named(names: readonly string[]): string {
  const left = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
