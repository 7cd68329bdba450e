import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import type { Budget } from "../../contract/documents/budget.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { HealthCheck, SettingsReport } from "../../contract/routes/settings-routes.ts";
import type { Models } from "../../models/open-models.ts";
import type { Keys } from "../../models/providers.ts";
import { agentFoldersOf } from "../../processes/project-places.ts";
import { programPath } from "../../store/host/host-places.ts";
import { findProgram } from "../../store/host/programs.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { SECRETS_FILE } from "../../workspace/layout.ts";
import type { Git } from "../git/git.ts";
import { effectiveSettings } from "../plan/effective-settings.ts";
import { AGENT_PROGRAMS, checksOf } from "./doctor.ts";
import { groundChecks } from "./ground-checks.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "index" | "health">;
  config: Config;
  keys: Keys;
  models: Pick<Models, "report">;
  sandbox: SandboxProbe;
  git: Pick<Git, "version" | "tooOldFor">;
  limits: () => { budget: Budget; needsRestart: boolean };
}

/** What a person may want to know of the hall itself: how it is set, and whether all is well. */
export function openExamination(parts: Parts) {
  const { core, config, keys, models } = parts;
  return {
    settings: async (): Promise<SettingsReport> => {
      const { providers } = await models.report();
      const keyNames = providers.flatMap(({ keyNames: names = [] }) => names);
      return effectiveSettings({ files: core.files, config, ...parts.limits(), keys, keyNames });
    },
    doctor: async (): Promise<{ checks: HealthCheck[] }> => ({ checks: await checksFor(parts) }),
  };
}

async function checksFor({ core, hall, models, sandbox, git }: Parts): Promise<HealthCheck[]> {
  const path = programPath(core.shown.isLost ? [core.files.root] : agentFoldersOf(core));
  const programs = AGENT_PROGRAMS.map((name) => [name, findProgram(name, path)] as const);
  const [report, state, version, tooOld] = await Promise.all([
    models.report(),
    sandbox.settle(),
    git.version(),
    git.tooOldFor("merging"),
  ]);
  return checksOf({
    ground: groundChecks(core.files.root),
    index: hall.index.state(),
    containment: hall.health.containment(),
    sandbox: state,
    git: { version, tooOld },
    problems: hall.health.problems(),
    models: report,
    secretsFile: `${core.files.root}/${SECRETS_FILE}`,
    programs: Object.fromEntries(programs.filter(([, found]) => found !== undefined)) as Record<string, string>,
  });
}
