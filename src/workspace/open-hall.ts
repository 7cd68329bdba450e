import type { EventLog as Log } from "./event-log.ts";
import { HallError } from "../contract/errors.ts";
import type { Problem } from "../contract/routes.ts";
import { Files } from "../store/files.ts";
import { HallIndex } from "../store/hall-index.ts";
import { type Clock, timeSortedIds } from "../store/ids.ts";
import { Watcher } from "../store/watcher.ts";
import { BY_DAEMON, type Core } from "./core.ts";
import { DocumentSync } from "./document-sync.ts";
import { Documents } from "./documents.ts";
import { EventLog } from "./event-log.ts";
import type { Hall } from "./hall.ts";
import { Initiatives } from "./initiatives.ts";
import { isFollowed, STATE_FOLDER } from "./layout.ts";
import { Locks } from "./locks.ts";
import { Overviews } from "./overviews.ts";
import { ProjectDirectory } from "./project-directory.ts";
import { ProjectStore } from "./project-store.ts";
import { Projects } from "./projects.ts";
import { RoleSync } from "./role-sync.ts";
import { Roles } from "./roles.ts";
import { searchHall } from "./search-hall.ts";
import { TaskBoard } from "./task-board.ts";
import { TaskNumbers } from "./task-numbers.ts";
import { TaskSync } from "./task-sync.ts";
import { Team } from "./team.ts";
import { warningsOf } from "./warnings.ts";
import { WorkspaceSync } from "./workspace-sync.ts";
import { buildWorkspace } from "./workspace-scaffold.ts";

export interface OpenHall {
  hall: Hall;
  /** Resolves when changes made by hand so far are in the index. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** How far back the log is compared with the index at a start: changes under way at once may have been indexed out of order. */
const REPLAY_WINDOW = 1_000;

export interface HallOptions {
  workspace: string;
  clock: Clock;
  version: string;
  /** Problems that the start itself found, such as a token others could read. */
  warnings?: Problem[];
}

/** Opens a workspace: repairs what a crash left, lets the index catch up with the files, and follows them from then on. */
export async function openHall(options: HallOptions): Promise<OpenHall> {
  const files = new Files(options.workspace);
  const isNew = await buildWorkspace(files);
  await files.ensureFolder(STATE_FOLDER);
  const index = new HallIndex(`${files.root}/${STATE_FOLDER}/index.db`);
  const nextId = timeSortedIds(options.clock);
  const events = await EventLog.open({ files, clock: options.clock, nextId, knownSeq: Number(index.files.meta("seq") ?? 0) });
  const overviews = new Overviews(files, index);
  const core: Core = { files, index, events, locks: new Locks(), overviews, clock: options.clock, nextId, recovered: unseenBy(index, events) };
  const house = furnish(core);
  const troubles: Problem[] = [...(options.warnings ?? [])];
  const watcher = new Watcher({
    root: files.root,
    wants: isFollowed,
    onChange: (paths) => quietly(troubles, house.sync.followPaths(paths)),
    onOverflow: () => quietly(troubles, house.sync.followAll().then(() => undefined)),
    onTrouble: (reason) => troubles.push({ file: ".", kind: "watch", severity: "warning", reason }),
  });
  house.sync.sweep();
  const rebuilt = index.emptyBecause === undefined ? undefined : await rebuild(core, house.sync);
  if (rebuilt === undefined) await house.sync.followAll();
  core.recovered.clear();
  const subject = { kind: "workspace" as const, id: "hall" };
  if (isNew) await events.append({ type: "workspace.created", actor: BY_DAEMON, subject });
  await events.append({ type: "daemon.started", actor: BY_DAEMON, subject, after: { version: options.version, ...(rebuilt && { indexRebuiltBecause: index.emptyBecause }) } });
  overviews.rolesChanged();
  const state = { rebuilt };
  return {
    hall: facade({ core, house, troubles, state }),
    settled: () => watcher.settled(),
    close: async () => {
      await watcher.close();
      await core.locks.idle();
      overviews.flush();
      house.numbers.close();
      await events.append({ type: "daemon.stopped", actor: BY_DAEMON, subject });
      index.files.setMeta("seq", events.head());
      await events.close();
      index.close();
    },
  };
}

function furnish(core: Core) {
  const directory = new ProjectDirectory(core.index);
  const store = new ProjectStore(core);
  const numbers = new TaskNumbers(core.files, core.index.tasks);
  const taskSync = new TaskSync(core, numbers);
  const documentSync = new DocumentSync(core);
  const roleSync = new RoleSync(core);
  const initiatives = new Initiatives(core, documentSync);
  return {
    directory,
    numbers,
    initiatives,
    roles: new Roles(core, roleSync),
    projects: new Projects({ core, directory, store, forgotten: (id) => numbers.forget(id) }),
    team: new Team({ core, projects: directory, store }),
    tasks: new TaskBoard({ core, projects: directory, numbers, sync: taskSync, initiatives }),
    documents: new Documents({ core, projects: directory, sync: documentSync }),
    sync: new WorkspaceSync({ core, roles: roleSync, projects: store, tasks: taskSync, documents: documentSync }),
  };
}

type House = ReturnType<typeof furnish>;

interface Rebuilt {
  at: string;
  ms: number;
  files: number;
}

async function rebuild(core: Core, sync: WorkspaceSync): Promise<Rebuilt> {
  const start = performance.now();
  const count = await sync.loadAll();
  restoreRequests(core);
  return { at: core.clock().toISOString(), ms: Math.round(performance.now() - start), files: count };
}

/** Idempotency-Keys of the last day, from the log that carries them. */
function restoreRequests(core: Core): void {
  for (const event of core.events.tail({ count: 10_000 })) {
    if (event.request === undefined) continue;
    const { key, fingerprint } = event.request;
    core.index.requests.put({ key, fingerprint: fingerprint || undefined, type: event.type, projectId: event.projectId, subjectId: event.subject.id, at: event.at });
  }
}

/** What the log tells of and the index may not have seen: which version of which file. */
function unseenBy(index: HallIndex, events: Log): Map<string, Set<string>> {
  const seen = Number(index.files.meta("seq") ?? 0);
  const unseen = new Map<string, Set<string>>();
  for (const event of events.read({ after: Math.max(0, seen - REPLAY_WINDOW), limit: 100_000 })) {
    if (event.file === undefined || event.etag === undefined) continue;
    unseen.set(event.file, (unseen.get(event.file) ?? new Set()).add(event.etag));
  }
  return unseen;
}

async function quietly(troubles: Problem[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const reason = `a change made by hand could not be taken in: ${error instanceof Error ? error.message : String(error)}`;
    if (!troubles.some((trouble) => trouble.reason === reason)) troubles.push({ file: ".", kind: "watch", severity: "warning", reason });
  }
}

function facade(parts: { core: Core; house: House; troubles: Problem[]; state: { rebuilt: Rebuilt | undefined } }): Hall {
  const { core, house, troubles, state } = parts;
  const { index, events } = core;
  return {
    roles: house.roles,
    projects: house.projects,
    team: house.team,
    tasks: house.tasks,
    documents: {
      initiatives: (projectId) => {
        house.directory.assertKnown(projectId);
        return house.initiatives.list(projectId);
      },
      createInitiative: (projectId, body, change) => {
        house.directory.assertOpen(projectId);
        return house.initiatives.create(projectId, body, change);
      },
      artifacts: (projectId, page) => house.documents.artifacts(projectId, page),
      createArtifact: (projectId, body, change) => house.documents.createArtifact(projectId, body, change),
      context: (projectId) => house.documents.context(projectId),
      writeContext: (projectId, path, content, change) => house.documents.writeContext(projectId, path, content, change),
      read: (projectId, path) => house.documents.read(projectId, path),
    },
    events: {
      head: () => events.head(),
      read: async (query) => events.read(query),
      tail: async (query) => events.tail(query),
      subscribe: (listener) => events.subscribe(listener),
      verify: async () => events.verify(),
    },
    search: (query) => searchHall(index, query),
    problems: () => [...index.files.problems(), ...troubles, ...warningsOf(index)],
    counts: () => ({
      roles: index.roles.count(),
      projects: index.projects.count(),
      tasks: index.tasks.total(),
      problems: index.files.problems().length + troubles.length,
      events: events.head(),
    }),
    indexState: () => ({ schema: index.schema, ...(state.rebuilt && { rebuiltAt: state.rebuilt.at, rebuildMs: state.rebuilt.ms }) }),
    containment: () => core.files.containment,
    rebuildIndex: async () => {
      index.reset();
      state.rebuilt = await rebuild(core, house.sync);
      return { files: state.rebuilt.files, problems: index.files.problems().length, ms: state.rebuilt.ms };
    },
    replay: ({ key, fingerprint }) => {
      const done = index.requests.get(key);
      if (done === undefined) return undefined;
      if (done.fingerprint !== undefined && done.fingerprint !== fingerprint) throw new HallError("idempotency_mismatch", "This Idempotency-Key was used for a different request.");
      return { type: done.type, subjectId: done.subjectId, ...(done.projectId === undefined ? {} : { projectId: done.projectId }) };
    },
  };
}
