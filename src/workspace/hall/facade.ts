import { homedir } from "node:os";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { listFolders } from "../projects/host-folders.ts";
import type { Hall } from "./hall.ts";
import type { House } from "./house.ts";
import type { Rebuilding } from "./rebuilding.ts";
import { searchHall } from "./search-hall.ts";
import { warningsOf } from "./warnings.ts";

interface FacadeParts {
  core: IndexedCore;
  house: House;
  /** Problems that no single file has, such as a folder that cannot be watched. */
  troubles: () => Problem[];
  rebuilding: Rebuilding;
}

/** What the floors above see of the workspace. */
export function createFacade(parts: FacadeParts): Hall {
  const { core, house } = parts;
  const { index, events } = core;
  return {
    roles: house.roles,
    projects: house.projects,
    reviewDefault: house.reviewDefault,
    workdirs: house.workdirs,
    team: house.team,
    tasks: house.tasks,
    escalations: house.escalations,
    gates: house.gates,
    answerRules: house.answerRules,
    grants: house.grants,
    knowledge: house.knowledge,
    documents: {
      initiatives: (projectId) => {
        house.directory.assertKnown(projectId);
        return house.initiatives.list(projectId);
      },
      createInitiative: (projectId, body, change) =>
        house.directory.working(projectId, () => house.initiatives.create(projectId, body, change)),
      initiative: (projectId, slug) => {
        house.directory.assertKnown(projectId);
        return house.initiatives.get(projectId, slug);
      },
      updateInitiative: (projectId, slug, update, change) =>
        house.directory.working(projectId, () => house.initiatives.update(projectId, slug, update, change)),
      editPlan: (projectId, plan, change) =>
        house.directory.working(projectId, () => house.initiatives.edit(projectId, plan, change)),
      artifacts: (projectId, page) => house.documents.artifacts(projectId, page),
      createArtifact: (projectId, body, change) => house.documents.createArtifact(projectId, body, change),
      context: (projectId) => house.documents.context(projectId),
      writeContext: (projectId, path, content, change) =>
        house.documents.writeContext(projectId, path, content, change),
      read: (projectId, path) => house.documents.read(projectId, path),
    },
    memory: house.memories,
    events: {
      head: () => events.head(),
      read: async (query) => events.read(query),
      before: async (query) => events.before(query),
      tail: async (query) => events.tail(query),
      subscribe: (listener) => events.subscribe(listener),
      verify: () => events.verify(),
    },
    index: indexOf(parts),
    health: healthOf(parts),
    folders: (query) => listFolders(query, { root: core.files.root, home: homedir() }),
    search: (query) => searchHall(index, query),
    replay: ({ key, fingerprint }) => {
      const done = index.requests.get(key);
      if (done === undefined) return undefined;
      if (done.fingerprint !== undefined && done.fingerprint !== fingerprint)
        throw new HallError("idempotency_mismatch", "This Idempotency-Key was used for a different request.");
      return {
        type: done.type,
        subjectId: done.subjectId,
        ...(done.projectId === undefined ? {} : { projectId: done.projectId }),
      };
    },
  };
}

function indexOf({ core: { index }, rebuilding }: FacadeParts): Hall["index"] {
  return {
    available: () => index.available(),
    state: () => {
      const rebuilt = rebuilding.last();
      return { schema: index.schema, ...(rebuilt && { rebuiltAt: rebuilt.at, rebuildMs: rebuilt.ms }) };
    },
    rebuild: async () => {
      const { files, ms } = await rebuilding.refresh();
      return { files, problems: index.files.problems().length, ms };
    },
  };
}

function healthOf({ core, troubles }: FacadeParts): Hall["health"] {
  const { index, events } = core;
  return {
    counts: () => ({
      roles: index.roles.count(),
      projects: index.projects.count(),
      tasks: index.tasks.total(),
      problems: index.files.problems().length + troubles().length,
      events: events.head(),
    }),
    problems: () =>
      index.condition.state === "lost"
        ? troubles()
        : [...index.files.problems(), ...troubles(), ...warningsOf(index, core.files.root)],
    unreadable: (limit) => {
      const others = troubles().filter(({ severity }) => severity === "invalid");
      const total = index.glance.invalid() + others.length;
      const known = total === others.length ? [] : index.files.problems();
      const problems = [...known.filter(({ severity }) => severity === "invalid"), ...others];
      return { problems: problems.slice(0, limit), total };
    },
    containment: () => core.files.containment,
  };
}
