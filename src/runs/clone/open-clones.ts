import { homedir } from "node:os";
import { HallError } from "../../contract/errors.ts";
import { agentFoldersOf } from "../../processes/project-places.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { CommitLimits } from "../git/commit-limits.ts";
import { createFirstCommit } from "../git/first-commit.ts";
import type { Git } from "../git/git.ts";
import { Clones } from "./clones.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "projects">;
  git: Git;
  /** Of the first commit. */
  limits: CommitLimits;
  umask: number;
}

/** Repositories that come from elsewhere, or have no commit yet. */
export function openClones({ core, hall, git, limits, umask }: Parts) {
  const agentFolders = () => agentFoldersOf(core);
  return {
    clones: new Clones({ core, env: process.env, home: homedir(), umask, agentFolders }),
    createFirstCommit: async (projectId: string, { actor }: Change) => {
      if (actor.kind !== "person")
        throw new HallError("forbidden", "Only a person can create the first commit.", { hint: "Ask the person." });
      return createFirstCommit({ git, core, limits }, hall.projects.get(projectId));
    },
  };
}
