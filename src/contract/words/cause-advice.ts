import type { EndCause } from "../runs/end-cause.ts";
import { type Hint, hint } from "./hint.ts";

/** A run, as far as advice needs it. */
interface Ended {
  id: string;
  projectId: string;
  taskId: string;
  /** `provider/model`. */
  model: string;
  cause?: EndCause | undefined;
}

export interface CauseAdvice {
  text: string;
  /** What fixes the cause, as a command and a page; absent where a retry is all there is to do. */
  fix?: Hint | undefined;
}

type Fix = (run: Ended) => Hint;

const editTask: Fix = ({ taskId, projectId }) => hint("task-edit", { task: taskId, project: projectId });
const updateKey: Fix = ({ model }) => hint("key-update", { provider: providerOf(model) });
const checkProvider: Fix = ({ model }) => hint("provider-check", { provider: providerOf(model) });
const raiseLimit: Fix = () => hint("budget-raise");
const checkFolder: Fix = ({ projectId }) => hint("project-folder", { project: projectId });
const checkRepository: Fix = () => hint("doctor-repository");
const openProject: Fix = ({ projectId }) => hint("project-show", { project: projectId });

const GENERAL = "Read what it did last, then retry. More detail in the task's description helps the next run.";
const OTHER_MODEL = "Check the provider, or choose another model for the role, then retry.";

const ADVICE: Record<EndCause, { text: string; fix?: Fix }> = {
  turns: { fix: editTask, text: "Make the task smaller, or raise the turn limit (limits.turns), then retry." },
  tokens: {
    fix: editTask,
    text: "Make the task smaller, or raise the token limit per task in the project's settings, then retry.",
  },
  time: { fix: editTask, text: "Make the task smaller, or give the role a longer time limit, then retry." },
  repeats: { fix: editTask, text: "Say in the task what the agent should do instead, then retry." },
  calls_refused: {
    fix: () => hint("hook-list"),
    text: "The transcript shows why its calls were refused. Change the hooks or the task, then retry.",
  },
  result_refused: {
    fix: () => hint("hook-list"),
    text: "The transcript shows why its result was refused. Change the hook or the task, then retry.",
  },
  nothing_submitted: {
    text: "Its team starts it again once. If it fails again, choose another model for the lead (agentTeams).",
  },
  length: {
    fix: editTask,
    text: "Make the task smaller, or raise the role's maximum answer length (maxTokens), then retry.",
  },
  silent: { fix: editTask, text: "Say in the task what the agent should do or report, then retry." },
  refused: { fix: editTask, text: "Reword the task, or choose another model for the role, then retry." },
  context: {
    fix: editTask,
    text: "Make the task smaller, or choose a model with a larger context window for the role, then retry.",
  },
  budget: { fix: raiseLimit, text: "Raise the limit, then retry." },
  quota: { fix: checkProvider, text: "Wait until the provider's quota renews, or choose another model, then retry." },
  key: { fix: updateKey, text: "The provider rejected the API key. Update the key, then retry." },
  model: { fix: checkProvider, text: OTHER_MODEL },
  provider: { fix: checkProvider, text: OTHER_MODEL },
  network: { fix: checkProvider, text: "Check the network connection and the provider's address, then retry." },
  folder: { fix: checkFolder, text: "Check the project's working folder and confirm it, then retry." },
  repository: { fix: checkRepository, text: "Repair the git repository in the working folder, then retry." },
  setup: {
    fix: ({ projectId }) => hint("worktree-setup", { project: projectId }),
    text: "The error has the command's output. Fix the setup commands in the project's settings, then retry.",
  },
  project: { fix: openProject, text: "Fix the project's files, then retry." },
  task: { text: "Create the task again, then start a run for it." },
  journal: { text: "The run's journal is damaged and the run can't continue. Retry starts a new run." },
  memory: { fix: editTask, text: "The agent's process ran out of memory. Make the task smaller, then retry." },
  crashed: { text: "Read what it did last, then retry. If it crashes again, check the daemon's log." },
  internal: { text: "This is a defect in Guildhall. Retry; if it happens again, report it with the error." },
  cancelled: { text: "It was stopped. Retry starts it again from the beginning." },
};

/** What helps against the cause of a failure; general where the cause was not recorded. */
export function adviceFor(run: Ended): CauseAdvice {
  if (run.cause === undefined) return { text: GENERAL };
  const { text, fix } = ADVICE[run.cause];
  return { text, ...(fix === undefined ? {} : { fix: fix(run) }) };
}

function providerOf(model: string): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}
