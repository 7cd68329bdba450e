import type { Config } from "../../contract/config.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Workplace } from "../../contract/run.ts";
import { realPlaceOf } from "../../store/folders.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall.ts";
import type { RunBook } from "../run-book.ts";
import { Git } from "./git.ts";
import { Merging } from "./merging.ts";
import { SCRATCH_FOLDER, Workplaces } from "./workplaces.ts";
import { Worktrees } from "./worktrees.ts";

const MOST_PROJECTS = 100_000;

interface Options {
  core: Core;
  workdirs: Hall["workdirs"];
  config: Config;
  book: RunBook;
  umask: number;
  aroundMerge: ConstructorParameters<typeof Workplaces>[0]["aroundMerge"];
  onTrouble: (what: string, error: unknown) => void;
}

/** Wires git, and all that runs do with it. */
export function openWorkplaces({ core, workdirs, config, book, umask, aroundMerge, onTrouble }: Options) {
  const { authorName, authorEmail } = config.git;
  const git = new Git({
    umask,
    identity: { name: authorName, email: authorEmail },
    agentFolders: () => agentFoldersOf(core),
  });
  let tooOld: string | undefined;
  void git.tooOldFor("merging").then((why) => (tooOld = why));
  core.troubles.push(() => (tooOld === undefined ? [] : [tooOldProblem(tooOld)]));
  const scratch = () => `${core.files.root}/${SCRATCH_FOLDER}/${core.nextId()}`;
  const merging = new Merging(git, scratch);
  const planOf = (runId: string) => {
    const known = core.index.runs.get(runId);
    return known === undefined ? undefined : book.planOf(known);
  };
  const placeOf = (runId: string): Workplace | undefined => planOf(runId)?.workplace;
  const requiresReview = (projectId: string) => {
    const project = core.index.projects.get(projectId);
    // What a project that cannot be read asks for, nobody knows.
    return project === undefined || project.status === "invalid" || project.config.constraints.requireReview === true;
  };
  const workplaces = new Workplaces({
    core,
    git,
    merging,
    worktrees: new Worktrees(git, scratch),
    workdirs,
    placeOf,
    continuedBy: (runId) => planOf(runId)?.continues?.runId,
    requiresReview,
    aroundMerge,
    onTrouble,
  });
  return { git, merging, workplaces, placeOf, aroundMerge, requiresReview };
}

/** The workspace, and every folder in which a project's agents work. */
export function agentFoldersOf(core: Core): string[] {
  const projects = core.index.projects.list({ after: "", limit: MOST_PROJECTS });
  return [core.files.root, ...projects.flatMap(({ workdir }) => (workdir === undefined ? [] : realPlaceOf(workdir)))];
}

function tooOldProblem(why: string): Problem {
  const reason = `${why}: what runs do in git repositories is not merged, but waits for review on its branch`;
  return { file: "git", kind: "config", severity: "warning", reason };
}
