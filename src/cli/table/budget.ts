import type { CommandSpec } from "../command-spec.ts";
import { project } from "./shared-options.ts";

const usd = (help: string) => ({ kind: "text", value: "USD", help }) as const;
const tokens = (help: string) => ({ kind: "text", value: "N", help }) as const;

/** Money and tokens, and their limits. */
export const budgetCommands = {
  budget: {
    summary: "show the limits of money and tokens, or change them",
    detail:
      "Without a limit it shows what is spent, held for calls under way and left, and the runs that wait. " +
      "With one it changes config.yml, or with -p the project, and runs that waited for it go on. " +
      "'none' takes a limit away; 0 lets nothing through that costs anything. A run counts with all it starts. " +
      "With -p, --run-usd none frees the project's runs of the hall's limit, and --run-usd hall leaves it to the hall again.",
    options: {
      project: { ...project, help: "the limits of this project" },
      runUsd: usd("most for one run"),
      dayUsd: usd("most for a day"),
      totalUsd: usd("most for ever"),
      runTokens: tokens("most tokens for one run"),
      dayTokens: tokens("most tokens for a day"),
      totalTokens: tokens("most tokens for ever"),
    },
    examples: ["budget", "budget --day-usd 50 --run-usd 10", "budget -p shop --day-usd 5 --run-usd none"],
  },
} as const satisfies Record<string, CommandSpec>;
