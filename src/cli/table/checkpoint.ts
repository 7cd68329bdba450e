import type { CommandSpec } from "../command-spec.ts";
import { onlyProject } from "./shared-options.ts";

export const checkpointCommands = {
  "checkpoint list": {
    summary: "list what is kept of working folders, and what agents changed",
    options: { project: onlyProject },
    examples: ["checkpoint list -p shop", "checkpoint list --json"],
  },
  "checkpoint rollback": {
    summary: "take back what agents changed since a checkpoint",
    detail:
      "Only files that agents changed since are touched, and of those only the ones that nobody else has changed; the others are named and left. " +
      "A checkpoint is taken first, so that a rollback can be rolled back.",
    args: { checkpoint: { kind: "one", help: "the checkpoint's id, or its last characters" } },
    options: {
      project: onlyProject,
      run: { kind: "text", value: "RUN", help: "only what this run, and those it started, changed" },
      dryRun: { kind: "flag", help: "only tell what would be done" },
    },
    examples: ["checkpoint rollback 3f2k9x --dry-run", "checkpoint rollback 3f2k9x -p shop --run 8wq1zt"],
  },
} as const satisfies Record<string, CommandSpec>;
