import { EscalationBoard } from "../escalations/escalation-board.ts";
import { EscalationFiles } from "../escalations/escalation-files.ts";
import { escalationNumbers } from "../escalations/escalation-numbers.ts";
import { EscalationSync } from "../escalations/escalation-sync.ts";
import { GateReports } from "../gates/gate-reports.ts";
import { GateSync } from "../gates/gate-sync.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { DocumentSync } from "../knowledge/document-sync.ts";
import { Documents } from "../knowledge/documents.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import { Memories } from "../knowledge/memories.ts";
import { ReviewDefault } from "../migrations/review-default.ts";
import { AnswerRules } from "../policies/answer-rules.ts";
import { Grants } from "../policies/grants.ts";
import { ProjectDirectory } from "../projects/project-directory.ts";
import type { ProjectSecrets } from "../projects/project-secrets.ts";
import { ProjectStore } from "../projects/project-store.ts";
import { Projects } from "../projects/projects.ts";
import { Workdirs } from "../projects/workdirs.ts";
import { RoleSync } from "../roles/role-sync.ts";
import { Roles } from "../roles/roles.ts";
import { Team } from "../roles/team.ts";
import { Initiatives } from "../tasks/initiatives.ts";
import { TaskBoard } from "../tasks/task-board.ts";
import { TaskNumbers } from "../tasks/task-numbers.ts";
import { TaskSync } from "../tasks/task-sync.ts";
import type { HallParts } from "./hall-part.ts";
import { WorkspaceSync } from "./workspace-sync.ts";

/** Every part of the workspace, wired by hand. */
export function furnish(core: IndexedCore, parts: Pick<HallParts, "leave">, secrets: ProjectSecrets) {
  const directory = new ProjectDirectory(core.index, core.locks);
  const numbers = new TaskNumbers(core.files, core.index.tasks);
  const store = new ProjectStore(core, (id) => numbers.forget(id));
  const taskSync = new TaskSync(core, numbers);
  const escalationSeries = escalationNumbers(core);
  const escalationSync = new EscalationSync(core, escalationSeries);
  const gateSync = new GateSync(core);
  const documentSync = new DocumentSync(core);
  const roleSync = new RoleSync(core);
  const initiatives = new Initiatives(core, documentSync);
  const projects = new Projects({ core, directory, store, documents: documentSync, parts });
  return {
    directory,
    closeNumbers: () => {
      numbers.close();
      escalationSeries.close();
    },
    initiatives,
    workdirs: new Workdirs(core, directory),
    documentSync,
    roles: new Roles(core, roleSync),
    projects,
    reviewDefault: new ReviewDefault({ core, projects }),
    team: new Team({ core, projects: directory, store }),
    tasks: new TaskBoard({ core, projects: directory, numbers, sync: taskSync, initiatives }),
    escalations: new EscalationBoard({
      core,
      numbers: escalationSeries,
      sync: escalationSync,
      redactorOf: (projectId = "") => secrets.fresh(projectId),
    }),
    gates: new GateReports({ core, projects: directory, sync: gateSync }),
    answerRules: new AnswerRules(core),
    grants: new Grants(core),
    memories: new Memories(core, directory),
    documents: new Documents({ core, projects: directory, sync: documentSync }),
    knowledge: new Knowledge({
      core,
      projects: directory,
      sync: documentSync,
      redactorOf: (projectId = "") => secrets.fresh(projectId),
    }),
    sync: new WorkspaceSync({
      core,
      roles: roleSync,
      projects: store,
      tasks: taskSync,
      escalations: new EscalationFiles(core, escalationSync),
      documents: documentSync,
      gates: gateSync,
    }),
  };
}

export type House = ReturnType<typeof furnish>;
