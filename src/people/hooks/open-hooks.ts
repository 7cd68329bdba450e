import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import type { Project } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { statOf } from "../../store/files/regular-file.ts";
import { Watcher } from "../../store/files/watcher.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";
import { BY_DAEMON, type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import { type HookCall, HookCaller } from "./hook-caller.ts";
import { HookDesk } from "./hook-desk.ts";
import { HookFiles } from "./hook-files.ts";
import { hookMoments } from "./hook-moments.ts";
import { HOOKS_FOLDER, HookPlaces } from "./hook-places.ts";
import { HookRecords } from "./hook-records.ts";
import { HookSamples } from "./hook-samples.ts";
import { HookSwitches, SWITCHES_FILE } from "./hook-switches.ts";
import { HookTable } from "./hook-table.ts";
import type { BuiltInHook, HookInput } from "./hooks.ts";
import type { ListedHook } from "./listed-hook.ts";
import { OwnHooks } from "./own-hooks.ts";
import { RepositoryHooks } from "./repository-hooks.ts";

export interface HooksOptions {
  core: Core;
  hall: Pick<Hall, "projects">;
  settings: LiveSettings;
  sandbox: SandboxProbe;
  workdirOf: (runId: string) => string | undefined;
  redactorOf: (projectId: string | undefined) => Redactor;
  /** Which calls of runs are asked about has changed. */
  onChange: () => void;
  onTrouble: (what: string, error: unknown) => void;
}

/** Hooks of every source. Nothing is run before `start`. */
export function openHooks(options: HooksOptions) {
  const { core, settings, redactorOf, onTrouble } = options;
  const builtIns: BuiltInHook[] = [];
  const switches = new HookSwitches(core);
  const files = new HookFiles(core.files);
  const project = (id: string) => knownProject(options.hall, id);
  const repository = new RepositoryHooks({ core, project, switchOf: (name) => switches.of(name) });
  const ofRepository = (id: string) => repository.list(id);
  const table = new HookTable({ builtIns, settings, files, switches, ofRepository });
  const places = new HookPlaces({ ...options, project });
  const caller = new HookCaller({ places, redactorOf, onTrouble });
  const records = new HookRecords(core);
  const samples = new HookSamples({ caller, stampOf: (hook) => programStamp(hook, places) });
  const hooks = new OwnHooks({ table, caller, samples, record: recorder({ core, records, onTrouble }) });
  let watcher: Watcher | undefined;
  const changed = () => {
    options.onChange();
    return samples.tryAll(table.list(undefined));
  };
  const desk = new HookDesk({
    ...{ core, table, repository, settings, switches, records, samples, caller },
    changed: () => void changed(),
  });
  return {
    hooks,
    desk,
    moments: hookMoments(hooks),
    /** Checks that are part of Guildhall; they run before the person's own hooks. */
    register: (...more: BuiltInHook[]) => void builtIns.push(...more),
    problems: (): Problem[] => [...table.problems(), ...samples.problems(), ...repository.problems()],
    start: () => {
      watcher = watch(core, changed, onTrouble);
      void samples.tryAll(table.list(undefined));
    },
    close: async () => {
      await watcher?.close();
      await caller.close();
      await records.close();
    },
  };
}

function knownProject(hall: HooksOptions["hall"], id: string): Project | undefined {
  try {
    return hall.projects.get(id);
  } catch (error) {
    if (error instanceof HallError) return undefined;
    throw error;
  }
}

/** What the person changes applies to runs at work, too. */
function watch({ files }: Core, changed: () => Promise<void>, onTrouble: HooksOptions["onTrouble"]): Watcher {
  const isOurs = (path: string) =>
    path === CONFIG_FILE || path === SWITCHES_FILE || path === HOOKS_FOLDER || path.startsWith(`${HOOKS_FOLDER}/`);
  return new Watcher({
    root: files.root,
    wants: (folder) => folder === "." || folder === "policies" || folder.split("/")[0] === HOOKS_FOLDER,
    onChange: async (paths) => {
      if (paths.some(isOurs)) await changed();
    },
    onOverflow: changed,
    onTrouble: (reason) => onTrouble("changes of hooks can't be followed", reason),
  });
}

/** Of the files that the command names. */
function programStamp({ action }: ListedHook, places: HookPlaces): string {
  if (action.kind !== "command") return "";
  const stats = places.placed(action.words).map((word) => (word.startsWith("/") ? statOf(word) : undefined));
  return stats.map((stat) => (stat === undefined ? "" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`)).join();
}

const WHAT: Readonly<Record<string, (input: HookInput) => string>> = {
  PreToolUse: ({ tool_name }) => `a call of ${String(tool_name)}`,
  TaskCreated: () => "a new task",
  TaskCompleted: () => "the completion of a task",
  TeammateIdle: () => "the end of a turn",
  PreShutdown: () => "a shutdown",
};

/** Counts every run of a hook; refusals and failures are in the event log as well. */
function recorder({ core, records, onTrouble }: Pick<HooksOptions, "core" | "onTrouble"> & { records: HookRecords }) {
  return (hook: ListedHook, input: HookInput, call: HookCall): void => {
    const { project_id: projectId, run_id: runId } = input;
    const text = call.outcome === "allowed" ? call.context : call.text;
    const where = { ...(projectId === undefined ? {} : { projectId }), ...(runId === undefined ? {} : { runId }) };
    records.add(hook.name, { outcome: call.outcome, ms: call.ms, ...(text === undefined ? {} : { text }), ...where });
    if (call.outcome === "allowed") return;
    const what = WHAT[hook.event]?.(input) ?? hook.event;
    const after = {
      event: hook.event,
      what,
      text: call.text.slice(0, 2_000),
      ...(runId === undefined ? {} : { runId }),
    };
    const subject = { kind: "hook", id: hook.name } as const;
    const type = call.outcome === "refused" ? "hook.refused" : "hook.failed";
    const draft = {
      type,
      actor: BY_DAEMON,
      subject,
      after,
      ...(projectId === undefined ? {} : { projectId }),
    } as const;
    commit(core, draft, () => undefined).catch((error) =>
      onTrouble(`what the hook '${hook.name}' said could not be recorded`, error),
    );
  };
}
