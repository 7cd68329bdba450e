import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import type { HealthCheck, SettingsReport, SettingsUpdate } from "../../contract/routes/settings-routes.ts";
import type { KeyDesk } from "../../models/keys/key-desk.ts";
import type { Models } from "../../models/open-models.ts";
import type { Keys } from "../../models/providers.ts";
import { agentFoldersOf } from "../../processes/project-places.ts";
import { programPath } from "../../store/host/host-places.ts";
import { findProgram } from "../../store/host/programs.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import type { Git } from "../git/git.ts";
import { AGENT_PROGRAMS, checksOf } from "./doctor.ts";
import { groundChecks } from "./ground-checks.ts";
import { settingsReport, updateSettings } from "./settings-desk.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "index" | "health">;
  settings: LiveSettings;
  keys: Keys;
  models: Pick<Models, "report">;
  providers: Pick<KeyDesk, "known">;
  sandbox: SandboxProbe;
  git: Pick<Git, "version" | "tooOldFor">;
}

/** What a person may want to know of the hall itself: how it is set, and whether all is well. */
export function openExamination(parts: Parts) {
  const { core, settings, keys, models } = parts;
  return {
    settings: async (): Promise<SettingsReport> => {
      const { providers } = await models.report();
      const keyNames = providers.flatMap(({ keyNames: names = [] }) => names);
      const names = new Set([...Object.keys(settings.written().providers), ...providers.map(({ name }) => name)]);
      return settingsReport({ files: core.files, settings, keys, providers: [...names], keyNames });
    },
    updateSettings: async (update: SettingsUpdate, change: Change) => {
      await updateSettings({ settings, known: () => parts.providers.known() }, update, change);
      return { needsRestart: settings.needsRestart(), etag: settings.etag() };
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
    programs: Object.fromEntries(programs.filter(([, found]) => found !== undefined)) as Record<string, string>,
  });
}
