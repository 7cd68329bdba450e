import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { agentFoldersOf } from "../../processes/project-places.ts";
import { realPlaceOf } from "../../store/files/folders.ts";
import type { ControlFiles } from "../../store/git/control-files.ts";
import { GitSync } from "../../store/git/git-sync.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { STATE_FOLDER } from "../../workspace/layout.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import type { RunBook } from "../record/run-book.ts";
import { BranchCheckpoints } from "../results/branch-checkpoints.ts";
import type { Gatekeeper } from "../results/gatekeeper.ts";
import type { ResultPolicy } from "../results/lifecycle-events.ts";
import { policyFor } from "../results/result-policies.ts";
import { BranchResults } from "./branch-results.ts";
import { commitLimits } from "./commit-limits.ts";
import { Git } from "./git.ts";
import { HiddenRefs } from "./hidden-refs.ts";
import { Merging } from "./merging.ts";
import { PlaceNotes } from "./place-notes.ts";
import { RepositoryHealth } from "./repository-health.ts";
import { verifyRecent } from "./verify-recent.ts";
import { Workplaces } from "./workplaces.ts";
import { LeftWorktrees, SCRATCH_FOLDER, type Trusted } from "./worktrees/left-worktrees.ts";
import { WorktreeSetups } from "./worktrees/worktree-setups.ts";
import { Worktrees } from "./worktrees/worktrees.ts";

/** What git's sandboxes need while they stand. */
const GIT_FOLDER = `${STATE_FOLDER}/git`;

interface Options {
  core: Core;
  workdirs: Hall["workdirs"];
  config: Config;
  book: RunBook;
  umask: number;
  sandbox: SandboxProbe;
  gates: Gatekeeper;
  control: ControlFiles;
  secrets: Pick<ProjectSecrets, "of">;
  /** Aborted when the daemon stops. */
  closing: AbortSignal;
  aroundMerge: ConstructorParameters<typeof Workplaces>[0]["aroundMerge"];
  onTrouble: (what: string, error: unknown) => void;
}

/** Wires git, and all that runs do with it. */
export function openWorkplaces({ core, workdirs, config, book, umask, sandbox, onTrouble, ...parts }: Options) {
  const { control, gates, aroundMerge, secrets, closing } = parts;
  const { authorName, authorEmail } = config.git;
  // What a crash left of earlier sandboxes.
  core.files.discard(GIT_FOLDER);
  const ownRoot = realPlaceOf(core.files.root);
  const notes = new PlaceNotes(core.files, "places");
  const discardNotes = new PlaceNotes(core.files, "discarded");
  const trusted: Trusted = (path) =>
    workdirs.trustedRepository(path) ?? notes.trustedRepository(path) ?? discardNotes.trustedRepository(path);
  const git = new Git({
    umask,
    sandbox: async () => {
      const { name } = await sandbox.settle();
      return name === "probing" ? "none" : name;
    },
    scratch: `${ownRoot}/${GIT_FOLDER}`,
    indexes: `${core.files.root}/${SCRATCH_FOLDER}`,
    ownRoots: [core.files.root, ownRoot],
    trust: {
      repository: trusted,
      checkout: (path) => workdirs.trustedCheckout(path),
    },
    identity: { name: authorName, email: authorEmail },
    agentFolders: () => agentFoldersOf(core),
  });
  let tooOld: string | undefined;
  void git.tooOldFor("merging").then((why) => (tooOld = why));
  const scratch = () => `${core.files.root}/${SCRATCH_FOLDER}/${core.nextId()}`;
  const made = { git, disk: new GitSync(), scratch };
  const merging = new Merging(made);
  const planOf = (runId: string) => {
    const known = core.runs.get(runId);
    return known === undefined ? undefined : book.planOf(known);
  };
  const placeOf = (runId: string): Workplace | undefined => planOf(runId)?.workplace;
  const continuedBy = (runId: string) => planOf(runId)?.continues?.runId;
  const policyOf = (run: Pick<Run, "projectId" | "team" | "purpose">): ResultPolicy =>
    policyFor(run, core.projects.get(run.projectId));
  const worktrees = new Worktrees({ ...made, limits: commitLimits(config.git) });
  const sandboxOf = (runId: string) => planOf(runId)?.sandbox;
  const setups = new WorktreeSetups({ core, notes, worktrees, secrets, closing, scratch, onTrouble });
  const left = new LeftWorktrees({ core, worktrees, merging, notes, trusted, placeOf, setups, sandboxOf, onTrouble });
  const hidden = new HiddenRefs({ core, ...made, notes: discardNotes, trusted, onTrouble });
  const health = new RepositoryHealth({
    git,
    onRecovered: (repository) =>
      void left
        .recovered(repository)
        .catch((error) => onTrouble(`worktrees of '${repository}' could not be removed`, error)),
    onTrouble,
  });
  const workplaces = new Workplaces({
    core,
    git,
    merging,
    control,
    health,
    worktrees,
    workdirs,
    notes,
    trusted,
    left,
    placeOf,
    continuedBy,
    setups,
    sandboxOf,
    policyOf,
    gates,
    aroundMerge,
  });
  const branches = new BranchResults({
    ...{ core, book, git, worktrees, trusted, merging, health, control, hidden, left, placeOf, policyOf, aroundMerge },
  });
  const branchCheckpoints = new BranchCheckpoints({ core, git, disk: made.disk, hidden, placeOf });
  const verify = () => verifyRecent({ core, merging, health, placeOf, onTrouble });
  const problems = (): Problem[] => [
    ...(tooOld === undefined ? [] : [tooOldProblem(tooOld)]),
    ...health.problems(),
    ...left.problems(),
  ];
  return {
    problems,
    git,
    health,
    workplaces,
    left,
    hidden,
    branches,
    branchCheckpoints,
    placeOf,
    policyOf,
    continuedBy,
    verify,
  };
}

function tooOldProblem(why: string): Problem {
  const reason = `${why}: results in git repositories are not merged; they wait for review on their branches`;
  return { file: "git", kind: "config", severity: "warning", reason };
}
