import type { OpenWork } from "../../contract/routes/hall-routes.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Models } from "../../models/open-models.ts";
import type { HallVoice } from "../../projects/hall-voice.ts";
import type { HookMoments } from "../../projects/moments.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { UsesParts } from "../learning/statement-uses.ts";
import { builtInChecks } from "./built-in-checks.ts";
import { CRITERIA_ADDRESSED } from "./built-in-names.ts";
import { checkedMoments } from "./checked-moments.ts";
import { openIn, openWork } from "./open-work.ts";
import { ToldOnce } from "./told-once.ts";

export interface ChecksOptions extends Pick<UsesParts, "planOf"> {
  core: Core;
  hall: Hall;
  models: Pick<Models, "isPlayed">;
  voice: Pick<HallVoice, "unreadResults" | "listening">;
  moments: Pick<HookMoments, "attach">;
}

/** The checks that come with Guildhall, and the moments of agents at which hooks run. */
export function openChecks({ core, hall, models, voice, moments, planOf }: ChecksOptions, hooks: Hooks) {
  const checked = checkedMoments({ hooks, told: new ToldOnce(core) });
  moments.attach(checked);
  core.taskGate.completion.attach((task, { actor }) => checked.completed(task, actor.kind));
  return {
    builtIn: builtInChecks({
      ...{ core, hall, tasks: hall.tasks },
      unreadResults: (projectId) => voice.unreadResults(projectId),
      plannedOf: (runId) => {
        const known = core.runs.get(runId);
        return known === undefined ? undefined : planOf(known)?.criteria;
      },
    }),
    openWork: (): Promise<OpenWork[]> => openWork({ core, hall, voice, hooks }),
    openIn: (projectId: string): OpenWork[] => openIn({ core, hall, voice, hooks }, projectId),
    /** Whether a run has something to say before it ends. The offline model has nothing to add to what it plays. */
    checksEnd: ({ projectId, taskId, model }: Run): boolean =>
      !models.isPlayed(model) &&
      hooks.isEnabled(CRITERIA_ADDRESSED) &&
      (core.tasks.record(projectId, taskId)?.acceptanceCriteria ?? []).some(({ done }) => !done),
  };
}
