import type { EndCause } from "../../../../src/contract/runs/end-cause.ts";
import type { Run } from "../../../../src/contract/runs/run.ts";

export interface Advice {
  text: string;
  /** Where the person fixes it; absent where a retry is all there is to do. */
  place?: "task" | "costs" | "settings" | "project";
}

/** As it is, it would only fail again: its task is to be changed first. */
export function wantsTaskChanged({ place }: Advice): boolean {
  return place === "task";
}

const OTHER_MODEL = "Check the providers in Settings, or choose another model for the role, then retry.";
const GENERAL: Advice = {
  text: "Read what it did last, then retry; a message in the task's description helps the next run.",
};

const ADVICE: Record<EndCause, Advice> = {
  turns: {
    place: "task",
    text: "Make the task smaller, or raise the turn limit (limits.turns in config.yml), then retry.",
  },
  tokens: {
    place: "task",
    text: "Make the task smaller, or raise the token limit per task in the project's settings, then retry.",
  },
  time: { place: "task", text: "Make the task smaller, or give the role a longer time limit, then retry." },
  repeats: { place: "task", text: "Say in the task what it should do instead, then retry." },
  length: {
    place: "task",
    text: "Make the task smaller, or raise the role's limit for the length of an answer (maxTokens), then retry.",
  },
  silent: { place: "task", text: "Say in the task what the agent should do or report, then retry." },
  refused: { place: "task", text: "Reword the task, or choose another model for the role, then retry." },
  context: {
    place: "task",
    text: "Make the task smaller, or choose a model with a larger context window for the role, then retry.",
  },
  budget: { place: "costs", text: "Raise the limit in Costs, then retry." },
  quota: {
    place: "settings",
    text: "The provider's quota is used up. Wait until it renews, or choose another model, then retry.",
  },
  key: { place: "settings", text: "Check the provider's API key in Settings, then retry." },
  model: { place: "settings", text: OTHER_MODEL },
  provider: { place: "settings", text: OTHER_MODEL },
  network: {
    place: "settings",
    text: "Check the network connection and the provider's address in Settings, then retry.",
  },
  folder: { place: "project", text: "Check the project's working folder and confirm it, then retry." },
  repository: { place: "project", text: "Check the git repository in the project's working folder, then retry." },
  project: { place: "project", text: "Fix the project's files, then retry." },
  task: { text: "Create the task again, then start a run for it." },
  journal: { text: "The run's journal is damaged and the run can't continue. Retry starts a new run." },
  memory: { place: "task", text: "The agent's process ran out of memory. Make the task smaller, then retry." },
  crashed: { text: "Read what it did last, then retry. If it crashes again, look at the daemon's log." },
  internal: { text: "This is a defect in Guildhall. Retry; if it happens again, report it with the error above." },
  cancelled: { text: "It was stopped. Retry starts it again from the beginning." },
};

/** What helps against why a run ended without completing; general where the cause was not recorded. */
export function adviceFor({ status, cause }: Pick<Run, "status" | "cause">): Advice {
  if (status === "cancelled") return ADVICE.cancelled;
  return cause === undefined ? GENERAL : ADVICE[cause];
}
