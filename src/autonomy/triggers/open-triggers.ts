import type { Config } from "../../contract/documents/config.ts";
import type { EventType } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import type { openLiving } from "../../projects/open-living.ts";
import type { openRuns } from "../../runs/open-runs.ts";
import { Watcher } from "../../store/files/watcher.ts";
import type { openTeams } from "../../teams/open-teams.ts";
import type { Core } from "../../workspace/core.ts";
import type { OpenSubscription } from "../../workspace/events/event-subscriber.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import { soon } from "../../workspace/soon.ts";
import { type EffectsParts, FIRING, TriggerEffects } from "./effects.ts";
import { TriggerHistory } from "./history.ts";
import { TriggerKeeper } from "./keeper.ts";
import { openEventSource } from "./sources/event-source.ts";
import { PlaceSource } from "./sources/place-source.ts";
import { TriggerDesk } from "./trigger-desk.ts";
import { isTriggerFolder, TriggerFiles } from "./trigger-files.ts";
import { WebhookIntake } from "./webhooks/intake.ts";

export interface TriggersOptions {
  core: Core;
  hall: Hall;
  config: Pick<Config, "git">;
  runs: Pick<Awaited<ReturnType<typeof openRuns>>, "triggerRuns" | "judging">;
  teams: Pick<ReturnType<typeof openTeams>, "triggered">;
  orchestrator: EffectsParts["orchestrator"];
  voice: ReturnType<typeof openLiving>["voice"];
  planOf: (run: IndexedRun) => RunPlan | undefined;
  /** The value of an environment variable, or of a line in .guildhall/secrets. */
  secretOf: (name: string) => string | undefined;
  /** The hall's own token, which is no secret of a webhook. */
  token: string;
  onTrouble: (what: string, error: unknown) => void;
}

/** After these, a project may work in another folder. */
const FOLDER_EVENTS: ReadonlySet<EventType> = new Set([
  "project.updated",
  "workdir.recorded",
  "workdir.confirmed",
  "workdir.git_set_aside",
]);

/** Triggers: read at once, fired from `start` on. */
export function openTriggers(options: TriggersOptions) {
  const { core, hall, runs, teams, voice, orchestrator, onTrouble } = options;
  const files = new TriggerFiles(core.files);
  const history = new TriggerHistory({ core, onTrouble });
  const effects = new TriggerEffects({ core, runs: runs.triggerRuns, teams: teams.triggered, orchestrator, voice });
  const keeper = new TriggerKeeper({ core, files, history, effects, onTrouble });
  const { git } = runs.judging;
  const ownEmail = options.config.git.authorEmail;
  const places = new PlaceSource({ ...options, files, history, keeper, git, ownEmail });
  const heedSoon = (work: () => void) =>
    soon(core.shown, work, (error) => onTrouble("triggers could not follow an event", error));
  let isStarted = false;
  const reload = () => {
    for (const name of files.reload(core.projects.ids())) keeper.look(name);
    if (isStarted) places.sync();
  };
  const intake = new WebhookIntake({ ...options, files, history, keeper });
  const desk = new TriggerDesk({
    ...{ core, files, history, keeper, reload },
    problemOf: (trigger) => intake.problemOf(trigger) ?? places.problemOf(trigger),
    assertRole: (roleId) => void hall.roles.get(roleId),
  });
  let watcher: Watcher | undefined;
  let events: OpenSubscription | undefined;
  const unsubscribe: (() => void)[] = [];
  return {
    desk,
    intake,
    problems: (): Problem[] => [
      ...files.problems(),
      ...files.all().flatMap(({ name }) => history.problemOf(name) ?? []),
      ...(events?.problems() ?? []),
    ],
    start: async () => {
      files.reload(core.projects.ids());
      watcher = watchFiles(core, reload, onTrouble);
      events = await openEventSource({ ...options, files, keeper });
      unsubscribe.push(
        core.events.subscribe(({ type, subject, projectId }) => {
          heedSoon(() => keeper.heed());
          if (type === "run.ended" || type === "team.moved") heedSoon(() => keeper.ended(subject.id));
          // Until then, its changes in the folder itself were not looked at.
          if (type === "run.ended" && projectId !== undefined) places.soon(projectId);
          if (FOLDER_EVENTS.has(type)) heedSoon(() => places.sync());
          if (type === "project.moved" || type === "project.removed" || type === "project.created") {
            heedSoon(() => {
              reload();
              for (const { name, projectId } of files.all()) if (projectId === subject.id) keeper.look(name);
            });
          }
        }),
        voice.heed(({ id, ...end }) => {
          if (!id.startsWith(FIRING)) return;
          effects.heard(id, end);
          heedSoon(() => keeper.ended(id));
        }),
      );
      keeper.start();
      isStarted = true;
      places.sync();
    },
    close: async () => {
      for (const each of unsubscribe) each();
      history.close();
      await watcher?.close();
      await events?.close();
      await places.close();
      await keeper.close();
    },
  };
}

function watchFiles({ files }: Core, reload: () => void, onTrouble: TriggersOptions["onTrouble"]): Watcher {
  return new Watcher({
    root: files.root,
    wants: isTriggerFolder,
    onChange: async (paths) => {
      if (paths.some((path) => /(?:^|\/)triggers(?:\/|$)/.test(path))) reload();
    },
    onOverflow: async () => reload(),
    onTrouble: (reason) => onTrouble("changes of triggers can't be followed", reason),
  });
}
