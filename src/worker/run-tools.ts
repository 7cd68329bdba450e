import type { Deadline } from "../agent/run-time.ts";
import type { Tool } from "../agent/tool.ts";
import { type HallPort, hallTools } from "../agent/tools/hall-tools.ts";
import { projectKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { outgoingTools } from "../agent/tools/outgoing-tool.ts";
import { webSearchTool } from "../agent/tools/web-tools.ts";
import type { ToProcess } from "../contract/protocol.ts";
import type { RunPlan } from "../contract/run.ts";
import { placeKind } from "../store/host-places.ts";
import type { Redactor } from "../store/redaction.ts";
import { askedKnowledge } from "./asked-knowledge.ts";
import { withCommands } from "./command-tools.ts";
import { skillTools } from "./skill-tools.ts";
import type { Workshop } from "./workshop.ts";

interface Parts {
  plan: RunPlan;
  order: Extract<ToProcess, { type: "run" }>;
  shop: Workshop;
  deadline: Deadline;
  redactor: Redactor;
  /** Aborted when the process leaves the run: nothing is asked of the hall any more. */
  leaving: AbortSignal;
  /** Called before the run waits for another. */
  giveSlotBack: () => void;
}

/** The tools that the plan of a run grants, over its folder and its hall; nothing that is secret goes out by them. */
export function runTools(parts: Parts): Tool[] {
  const { plan, order, shop, deadline, redactor } = parts;
  const { workdir, checkout, journals, send, nextMark } = shop;
  const skills = skillTools({ plan, projectPath: journals.root, checkout, workdir, nextMark });
  const tools = [...shop.fileTools, ...shop.otherTools, ...skills, ...askingTools(parts)];
  const guarded = outgoingTools(tools, redactor, () => performance.now());
  const place = {
    ...{ plan, workdir, checkout, journals, journal: order.journal, redactor, send },
    guards: guardedFolders(plan, workdir).map(shop.guardOf),
    timeLeft: () => deadline.left,
  };
  return withCommands(guarded, place).filter((tool) => plan.tools.value.includes(tool.spec.name));
}

/** Where commands may write and leave no repository behind: a worktree has one, and what is in it is looked at when it is saved. */
function guardedFolders({ workplace, sandbox }: RunPlan, workdir: string): string[] {
  const others = (sandbox?.writable ?? []).filter((path) => placeKind(path) === "folder");
  return [...new Set([...(workplace === undefined ? [workdir] : []), ...others])];
}

/** Those that ask the hall for something. */
function askingTools({ plan, order: { runId, epoch }, shop, deadline, leaving, giveSlotBack }: Parts): Tool[] {
  const { hall, hasFile, nextMark } = shop;
  const run = { runId, epoch };
  const until = (signal: AbortSignal) => AbortSignal.any([signal, leaving]);
  const port: HallPort = {
    hasFile,
    notify: (note, signal) => hall.notify({ ...run, ...note }, until(signal)),
    spawn: (request, signal) => {
      giveSlotBack();
      return deadline.pauseDuring(() => hall.spawn({ ...run, ...request }, until(signal)));
    },
  };
  const knowledge = askedKnowledge({ ask: (question, signal) => hall.ask({ ...question, ...run }, until(signal)) });
  const search = webSearchTool(
    { search: (request, signal) => hall.search({ ...run, ...request }, until(signal)) },
    nextMark,
  );
  return [search, ...projectKnowledgeTools(knowledge), ...hallTools(port, plan.purpose)];
}
