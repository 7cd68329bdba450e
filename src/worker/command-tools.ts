import { join } from "node:path";
import type { GitGuard } from "../agent/git-guard.ts";
import { sandboxNamed } from "../agent/sandbox/probe.ts";
import { toolSearches } from "../agent/sandbox/tool-folders.ts";
import type { Tool } from "../agent/tool.ts";
import { execTool } from "../agent/tools/exec-tool.ts";
import { readTool } from "../agent/tools/files/read-tool.ts";
import { fileStem, outputName, readingOutputs } from "../agent/tools/output-reading.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { Files } from "../store/files/files.ts";
import type { Redactor } from "../store/secrets/redaction.ts";

const TELL_EVERY_MS = 250;
/** More at once is not shown to those who watch. */
const MOST_TOLD = 4_000;

export interface CommandPlace {
  plan: RunPlan;
  orderId: string;
  /** Where the agent works; absolute. */
  workdir: string;
  /** The project's working folder, which it is a worktree of, if that is another one. */
  checkout: string;
  /** The project's own folder. */
  journals: Files;
  /** The run's journal in it: outputs are kept beside it, out of the working folder's and the agent's reach. */
  journal: string;
  /** Of the folders that commands may write, except a worktree. */
  guards: readonly GitGuard[];
  timeLeft: () => number;
  redactor: Redactor;
  send: (message: FromProcess) => void;
}

/** The tools of a run with `exec` among them, if its plan has a sandbox for it; `read` then reads outputs too. */
export function withCommands(tools: readonly Tool[], place: CommandPlace): Tool[] {
  const { plan, workdir, journals, journal, timeLeft } = place;
  if (plan.sandbox === undefined) return [...tools];
  const folder = journal.replace(/\.jsonl$/, ".outputs");
  const pathOf = (stem: string) => `${folder}/${stem}.txt`;
  const kept = readTool(journals, () => performance.now());
  const exec = execTool({
    sandbox: sandboxNamed(plan.sandbox.name),
    policy: plan.sandbox,
    workdir,
    checkout: place.checkout === workdir ? undefined : place.checkout,
    keepAt: (callId) => ({ path: join(journals.root, pathOf(fileStem(callId))), name: outputName(callId) }),
    timeLeft,
    redactor: place.redactor,
    onOutput: teller(place),
    guards: place.guards,
  });
  return [
    ...tools.map((tool) => (tool.spec.name === "read" ? readingOutputs(tool, kept, pathOf) : tool)),
    tellingSearches(exec, place.send),
  ];
}

/** Other processes need not search folders of programs again that this one has searched for its command. */
function tellingSearches(exec: Tool, send: CommandPlace["send"]): Tool {
  return {
    ...exec,
    run: async (...call) => {
      const begun = Date.now();
      try {
        return await exec.run(...call);
      } finally {
        const searches = toolSearches(begun);
        if (searches.length > 0) send({ type: "searched", searches });
      }
    },
  };
}

/** Tells those who watch what a command says, a few times a second. */
function teller({ orderId, send }: CommandPlace): (callId: string, text: string) => void {
  const waiting = new Map<string, string>();
  return (callId, text) => {
    const before = waiting.get(callId);
    waiting.set(callId, `${before ?? ""}${text}`.slice(-MOST_TOLD));
    if (before !== undefined) return;
    setTimeout(() => {
      const told = waiting.get(callId) ?? "";
      waiting.delete(callId);
      send({ type: "output", orderId, callId, text: told });
    }, TELL_EVERY_MS).unref();
  };
}
