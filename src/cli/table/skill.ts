import type { ArgumentSpec, CommandSpec, OptionSpec } from "../command-spec.ts";
import { project } from "./shared-options.ts";

const skill = { kind: "one", help: "the skill's name" } as const satisfies ArgumentSpec;
const ofProject = {
  ...project,
  help: "with the packs of this project (else GUILDHALL_PROJECT, else the hall's alone)",
} as const satisfies OptionSpec;

export const skillCommands = {
  "skill list": {
    summary: "list the skill packs, and those that cannot be read",
    options: { project: ofProject },
    examples: ["skill list", "skill list -p shop --json"],
  },
  "skill show": {
    summary: "show one skill pack: its text, its files and whether it was changed",
    args: { skill },
    options: { project: ofProject },
    examples: ["skill show deploy", "skill show lint -p shop"],
  },
  "skill accept": {
    summary: "accept a skill pack as it is now",
    detail:
      "Agents do not use a pack that comes with a working folder before that, nor after any of its files changed. " +
      "Packs of the workspace and of projects are used at once; accepting them marks what you have seen.",
    args: { skill },
    options: {
      project: ofProject,
      hash: { kind: "text", value: "HASH", help: "refuse unless this is its hash, as 'skill show' tells it" },
    },
    examples: ["skill accept lint -p shop", "skill accept deploy --hash 3f2a…"],
  },
} as const satisfies Record<string, CommandSpec>;
