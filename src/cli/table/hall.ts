import type { CommandSpec } from "../command-spec.ts";
import { onlyProject } from "./shared-options.ts";

export const SEARCH_KINDS = ["task", "role", "project", "knowledge", "artifact", "context", "plan", "run"] as const;

/** The hall itself: its daemon, its search, its log and its index. */
export const hallCommands = {
  up: {
    summary: "start the daemon and stay in the foreground",
    detail:
      "Creates the workspace when it is not there. Unless --port or config.yml says another, it takes the port of the last time if that " +
      "is free, so that open pages find it again. Ctrl-C or SIGTERM stops it after the writes under way; a second one ends it at once. " +
      "It prints a link to the dashboard that signs a browser in, and on a terminal opens it. In a checkout of the sources, a dashboard " +
      "that is missing or older than they are is built first; the daemon answers meanwhile.",
    options: {
      port: { kind: "number", value: "PORT", help: "listen on this port (0 takes any free one)" },
      open: { kind: "off", help: "do not open the browser" },
      build: { kind: "off", help: "do not build the dashboard" },
    },
    examples: ["up", "up --port 0 --no-open --workspace ./hall"],
  },
  open: {
    summary: "open the dashboard in a browser, signed in",
    detail:
      "Prints a link that works once, within ten minutes, and stays good for 30 days in the browser that it was opened in. " +
      "On a terminal the browser is opened with it.",
    options: { print: { kind: "flag", help: "only print the link" } },
    examples: ["open", "open --print", "open --json"],
  },
  down: {
    summary: "stop the daemon",
    detail: "Returns when its process is gone, at the latest after 15 seconds.",
    examples: ["down"],
  },
  stop: {
    summary: "end every run and its processes at once",
    detail:
      "Runs are cancelled for good, within two seconds, also those that do not answer; their tasks are pending again. " +
      "The daemon stays up, and what is spawned afterwards is carried out.",
    options: {
      all: { kind: "flag", help: "of all projects" },
      project: onlyProject,
    },
    examples: ["stop --all", "stop -p shop --json"],
  },
  status: {
    summary: "show what the hall holds and how it is",
    examples: ["status", "status --json"],
  },
  doctor: {
    summary: "look for what is wrong and say how to mend it",
    detail:
      "Works with and without the daemon, and tells which language models are found; keys are never shown. " +
      "The exit code is 0 when all is well and 7 when something has to be mended.",
    options: {
      testModel: {
        kind: "maybe",
        value: "MODEL",
        help: "also ask a model for one word, the default one unless named",
      },
    },
    examples: ["doctor", "doctor --test-model", "doctor --test-model anthropic/claude-sonnet-4-5"],
  },
  init: {
    summary: "set up the hall: its workspace, model, budget and a first project",
    detail:
      "At a terminal it looks for keys, local models and programs of agents, and asks: Enter takes the default, s skips the rest, " +
      "Esc or Ctrl-C leaves, and nothing is made before the last answer. Where a workspace is there, it asks only for what is missing. " +
      "With --yes or --json, or where nobody can answer, it makes the workspace with all defaults and no project.",
    options: { yes: { kind: "flag", short: "y", help: "ask nothing and take the defaults" } },
    examples: ["init", "init --yes --workspace ./hall"],
  },
  demo: {
    summary: "see agents at work, in a folder of its own and without a key",
    detail:
      "Makes a workspace and a small git repository with a failing test, starts a hall of its own and has the offline model " +
      "play agents that mend it, in under a minute: the tests are really run. Afterwards the hall stays up until Ctrl-C, " +
      "and the files stay. Your own workspace is never touched, and --workspace is refused. The exit code is 1 when anything does not come out as promised.",
    options: {
      once: { kind: "flag", help: "play at full speed, check what came of it, end and remove the files" },
      keep: { kind: "flag", help: "keep the files after --once" },
      pace: {
        kind: "number",
        value: "SECONDS",
        help: "how long an agent thinks before a step (1.5, or 0 with --once)",
      },
      open: { kind: "off", help: "do not open the browser" },
      build: { kind: "off", help: "do not build the dashboard" },
    },
    ownWorkspace: true,
    examples: ["demo", "demo --pace 3 --no-open", "demo --once --json"],
  },
  search: {
    summary: "search tasks, roles, projects, knowledge, artifacts, context, plans and runs",
    detail:
      "Of runs that are over, what their agents said, called and failed with and what you said to them is searched, " +
      "the first 64,000 characters of each. The command 'run show ID' shows a run that was found.",
    args: { query: { kind: "rest", help: "words to look for" } },
    options: {
      project: onlyProject,
      kind: { kind: "text", value: "KIND", help: "only this kind of document", words: SEARCH_KINDS },
      limit: { kind: "number", value: "N", help: "how many at most (1 to 100, 20 unless given)" },
    },
    examples: ["search login timeout", "search 'rate limit' -p shop --kind task", "search rounding --kind run"],
  },
  "events tail": {
    summary: "show the newest events, and follow them",
    detail:
      "With --follow it goes on until Ctrl-C (exit code 130), reconnects by itself and misses nothing in between. " +
      "With --json each event is one line.",
    options: {
      lines: { kind: "number", short: "n", value: "N", help: "how many to begin with (0 to 1000, 20 unless given)" },
      follow: { kind: "flag", short: "f", help: "wait for more" },
      project: onlyProject,
    },
    examples: ["events tail -n 50", "events tail -f -p shop --json"],
  },
  "audit verify": {
    summary: "check the hash chain of the event log, and the journals of runs against it",
    detail: "The exit code is 4 when the chain is broken, or the journal of a run that is over was changed.",
    examples: ["audit verify"],
  },
  "index rebuild": {
    summary: "build the index anew from the files",
    examples: ["index rebuild"],
  },
  completion: {
    summary: "print the completion script of a shell",
    args: { shell: { kind: "one", help: "bash, zsh or fish", words: ["bash", "zsh", "fish"] } },
    examples: [
      "completion bash > ~/.local/share/bash-completion/completions/guildhall",
      "completion fish > ~/.config/fish/completions/guildhall.fish",
    ],
  },
} as const satisfies Record<string, CommandSpec>;
