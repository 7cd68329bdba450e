import { homedir } from "node:os";
import type { Problem } from "../../contract/problem.ts";
import { ChangeLog } from "../../store/changes/change-log.ts";
import { Files } from "../../store/files/files.ts";
import { realPlaceOf } from "../../store/files/folders.ts";
import { type Clock, timeSortedIds } from "../../store/ids.ts";
import { HallIndex } from "../../store/index/hall-index.ts";
import { OwnSecrets } from "../../store/secrets/own-secrets.ts";
import { Attachments } from "../attachments.ts";
import { BY_DAEMON, type Core, noteRecovered } from "../core.ts";
import { escapingFolders } from "../escalations/escalation-warnings.ts";
import { EventLog } from "../events/event-log.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { STATE_FOLDER } from "../layout.ts";
import { Locks } from "../locks.ts";
import { type Migration, migrate } from "../migrations/migrate.ts";
import { migrationNotice } from "../migrations/notice.ts";
import { type ProjectSecrets, secretsIn } from "../projects/project-secrets.ts";
import { WorkdirRecords } from "../projects/workdir-records.ts";
import { recordsIn } from "../records.ts";
import { noteRequest, Shown } from "../shown.ts";
import { TaskGate } from "../tasks/task-gate.ts";
import { createFacade } from "./facade.ts";
import { Following } from "./following.ts";
import type { Hall } from "./hall.ts";
import { type HallPart, HallParts } from "./hall-part.ts";
import { furnish } from "./house.ts";
import { Overviews } from "./overviews.ts";
import { Rebuilding } from "./rebuilding.ts";
import { assertLinesReadable } from "./workspace-format.ts";
import { buildWorkspace } from "./workspace-scaffold.ts";
import type { WorkspaceSync } from "./workspace-sync.ts";

export interface OpenHall {
  hall: Hall;
  core: Core;
  /** Hides what must not be shown, by project. */
  secrets: ProjectSecrets;
  /** What this start migrated; undefined when the workspace had the format of this program. */
  migration: Migration | undefined;
  /** A floor above has opened. */
  attach(part: HallPart): void;
  /** Resolves when changes made by hand so far are in the index. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** How far back the log is compared with the index at a start: changes under way at once may have been indexed out of order. */
const REPLAY_WINDOW = 1_000;
/** After the start, whose first requests come first. */
const SWEEP_AFTER_MS = 1_000;
/** The times of files may lag behind the clock by this much. */
const CLOCK_STEP_MS = 20;
const REQUESTS_KEPT_MS = 24 * 60 * 60 * 1_000;

export interface HallOptions {
  workspace: string;
  clock: Clock;
  version: string;
  /** Problems that the start itself found, such as a token others could read. */
  warnings?: Problem[];
  /** What must never be shown anywhere. */
  secrets?: OwnSecrets;
}

/** Opens a workspace: repairs what a crash left, lets the index catch up with the files, and follows them from then on. */
export async function openHall(options: HallOptions): Promise<OpenHall> {
  const openedAt = Date.now();
  const files = new Files(options.workspace);
  const { isNew, inTheWay, texts } = await buildWorkspace(files, options.version);
  await files.ensureFolder(STATE_FOLDER);
  assertLinesReadable(files);
  const changes = await ChangeLog.open(files);
  const index = new HallIndex(`${files.root}/${STATE_FOLDER}/index.db`);
  const nextId = timeSortedIds(options.clock);
  const workdirRecords = new WorkdirRecords({ files, clock: options.clock, home: realPlaceOf(homedir()) });
  const { secrets: own = new OwnSecrets() } = options;
  const secrets = secretsIn({ files, projects: index.projects, workdirRecords }, own);
  // Those of projects are looked up in the index, which first has to catch up with the files.
  let isOpen = false;
  const events = await EventLog.open({
    files,
    changes,
    clock: options.clock,
    nextId,
    knownSeq: seenSeq(index),
    redactorOf: (projectId) => (isOpen ? secrets.of(projectId) : own.redactor()),
  });
  const subject = { kind: "workspace" as const, id: "hall" };
  if (isNew) await events.commit([{ type: "workspace.created", actor: BY_DAEMON, subject }], texts);
  // A new workspace has its format from here on, and nothing to migrate.
  const migration = await migrate({ files, events, clock: options.clock, version: options.version });
  const overviews = new Overviews(files, index);
  const attachments = new Attachments();
  const core: IndexedCore = {
    files,
    index,
    events,
    changes,
    locks: new Locks(),
    overviews,
    workdirRecords,
    attachments,
    taskGate: new TaskGate(attachments),
    clock: options.clock,
    nextId,
    recovered: catchUp(index, events),
    shown: new Shown(index),
    ...recordsIn(index),
    compareSoon: () => following.compareSoon(),
  };
  const parts = new HallParts();
  const house = furnish(core, parts, secrets);
  const rebuilding = new Rebuilding(core, house.sync, parts);
  const following: Following = follow(core, house.sync);
  house.sync.discardHalfMade();
  const { emptyBecause } = index;
  await catchUpWithFiles(core, house.sync, rebuilding);
  await house.workdirs.recordAll();
  await house.reviewDefault.writeOutOnce();
  rebuilding.watch();
  index.requests.forgetBefore(new Date(options.clock().getTime() - REQUESTS_KEPT_MS).toISOString());
  await events.append({
    type: "daemon.started",
    actor: BY_DAEMON,
    subject,
    after: { version: options.version, ...(emptyBecause && { indexRebuiltBecause: emptyBecause }) },
  });
  overviews.rolesChanged();
  isOpen = true;
  const stopSweeping = sweepLater(house.sync, openedAt);
  return {
    core,
    secrets,
    migration,
    hall: createFacade({
      core,
      house,
      troubles: () => [
        ...(options.warnings ?? []),
        ...inTheWay,
        ...(migration === undefined || migration.files === 0 ? [] : [migrationNotice(migration)]),
        ...following.troubles(),
        ...escapingFolders(core.files),
        ...rebuilding.problems(),
        ...house.answerRules.problems(),
        ...house.grants.problems(),
        ...(index.condition.state === "lost" ? [] : [...house.workdirs.problems(), ...parts.problems()]),
      ],
      rebuilding,
    }),
    attach: (part) => parts.attach(part),
    settled: () => following.settled(),
    close: async () => {
      stopSweeping();
      rebuilding.close();
      await following.close();
      await core.locks.idle();
      overviews.flush();
      house.closeNumbers();
      // A stop that the log cannot take, because the disk is full, is a stop all the same.
      await events.append({ type: "daemon.stopped", actor: BY_DAEMON, subject }).catch(() => undefined);
      index.reflect(() => index.files.setMeta("seq", events.head()));
      await changes.close();
      index.close();
    },
  };
}

/**
 * Nothing waits for leftovers to go, and looking into every folder takes a while. What this daemon writes itself is newer
 * than its start. What cannot be removed is tried again after the next start.
 */
function sweepLater(sync: WorkspaceSync, openedAt: number): () => void {
  const ending = new AbortController();
  const sweep = () => sync.sweep(openedAt - CLOCK_STEP_MS, ending.signal).catch(() => undefined);
  const timer = setTimeout(() => void sweep(), SWEEP_AFTER_MS).unref();
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

/** The newest event that the index knows of. An index that cannot even say that is lost, and will be rebuilt. */
function seenSeq(index: HallIndex): number {
  try {
    return Number(index.files.meta("seq") ?? 0);
  } catch (error) {
    if (index.condition.state !== "lost") throw error;
    return 0;
  }
}

async function catchUpWithFiles(core: IndexedCore, sync: WorkspaceSync, rebuilding: Rebuilding): Promise<void> {
  const { index } = core;
  try {
    if (index.emptyBecause === undefined && index.condition.state !== "lost") await sync.followAll();
  } catch (error) {
    if (index.condition.state !== "lost") throw error;
  }
  if (index.emptyBecause !== undefined || index.condition.state === "lost") await rebuilding.run();
  core.recovered.clear();
}

function follow(core: IndexedCore, sync: WorkspaceSync): Following {
  const followAll = async () => {
    const count = await sync.followAll();
    core.recovered.clear();
    return count;
  };
  const whenAvailable = async <Result>(work: () => Promise<Result>) => {
    await core.index.available();
    return work();
  };
  return new Following(core.files.root, {
    followPaths: (paths) => whenAvailable(() => sync.followPaths(paths)),
    followAll: () => whenAvailable(followAll),
  });
}

/**
 * What the log tells of and the index may not have seen: which version of which file. The index is written a little later
 * than the log, so a crash leaves it behind; Idempotency-Keys are made good here, everything else by comparing files.
 * An empty index is filled from the files and has nothing to catch up with.
 */
function catchUp(index: HallIndex, events: EventLog): Map<string, Set<string>> {
  const seen = seenSeq(index);
  if (index.emptyBecause !== undefined || index.condition.state === "lost") return new Map();
  const unseen = new Map<string, Set<string>>();
  for (const event of events.read({ after: Math.max(0, seen - REPLAY_WINDOW), limit: 100_000 })) {
    noteRequest(index, event);
    if (event.file === undefined || event.etag === undefined) continue;
    noteRecovered(unseen, event.file, event.etag);
  }
  return unseen;
}
