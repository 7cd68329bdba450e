import { DocumentSync } from "./document-sync.ts";
import { Documents } from "./documents.ts";
import type { HallParts } from "./hall-part.ts";
import type { IndexedCore } from "./indexed-core.ts";
import { Initiatives } from "./initiatives.ts";
import { Knowledge } from "./knowledge.ts";
import { Memories } from "./memories.ts";
import { ProjectDirectory } from "./project-directory.ts";
import type { ProjectSecrets } from "./project-secrets.ts";
import { ProjectStore } from "./project-store.ts";
import { Projects } from "./projects.ts";
import { RoleSync } from "./role-sync.ts";
import { Roles } from "./roles.ts";
import { TaskBoard } from "./task-board.ts";
import { TaskNumbers } from "./task-numbers.ts";
import { TaskSync } from "./task-sync.ts";
import { Team } from "./team.ts";
import { Workdirs } from "./workdirs.ts";
import { WorkspaceSync } from "./workspace-sync.ts";

/** Every part of the workspace, wired by hand. */
export function furnish(core: IndexedCore, parts: Pick<HallParts, "leave">, secrets: ProjectSecrets) {
  const directory = new ProjectDirectory(core.index, core.locks);
  const numbers = new TaskNumbers(core.files, core.index.tasks);
  const store = new ProjectStore(core, (id) => numbers.forget(id));
  const taskSync = new TaskSync(core, numbers);
  const documentSync = new DocumentSync(core);
  const roleSync = new RoleSync(core);
  const initiatives = new Initiatives(core, documentSync);
  return {
    directory,
    numbers,
    initiatives,
    workdirs: new Workdirs(core, directory),
    documentSync,
    roles: new Roles(core, roleSync),
    projects: new Projects({ core, directory, store, documents: documentSync, parts }),
    team: new Team({ core, projects: directory, store }),
    tasks: new TaskBoard({ core, projects: directory, numbers, sync: taskSync, initiatives }),
    memories: new Memories(core, directory),
    documents: new Documents({ core, projects: directory, sync: documentSync }),
    knowledge: new Knowledge({
      core,
      projects: directory,
      sync: documentSync,
      redactorOf: (projectId = "") => secrets.fresh(projectId),
    }),
    sync: new WorkspaceSync({ core, roles: roleSync, projects: store, tasks: taskSync, documents: documentSync }),
  };
}

export type House = ReturnType<typeof furnish>;
