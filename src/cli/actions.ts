import type { Action } from "./context.ts";
import type { CommandPath } from "./table/all.ts";

/** The action of each command, loaded only when it runs: what is imported decides how long a command takes. */
export const actions: { [Path in CommandPath]: () => Promise<Action<Path>> } = {
  up: async () => (await import("./commands/up.ts")).up,
  down: async () => (await import("./commands/down.ts")).down,
  status: async () => (await import("./commands/status.ts")).status,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  init: async () => (await import("./commands/init.ts")).init,
  search: async () => (await import("./commands/search.ts")).search,
  "events tail": async () => (await import("./commands/events-tail.ts")).eventsTail,
  "audit verify": async () => (await import("./commands/audit-verify.ts")).auditVerify,
  "index rebuild": async () => (await import("./commands/index-rebuild.ts")).indexRebuild,
  completion: async () => (await import("./commands/completion.ts")).completion,

  "role list": async () => (await import("./commands/role-list.ts")).roleList,
  "role templates": async () => (await import("./commands/role-list.ts")).roleTemplates,
  "role suggest": async () => (await import("./commands/role-list.ts")).roleSuggest,
  "role show": async () => (await import("./commands/role-show.ts")).roleShow,
  "role create": async () => (await import("./commands/role-write.ts")).roleCreate,
  "role edit": async () => (await import("./commands/role-write.ts")).roleEdit,
  "role delete": async () => (await import("./commands/role-write.ts")).roleDelete,
  "role assign": async () => (await import("./commands/role-team.ts")).roleAssign,
  "role unassign": async () => (await import("./commands/role-team.ts")).roleUnassign,
  "role pause": async () => (await import("./commands/role-team.ts")).rolePause,
  "role resume": async () => (await import("./commands/role-team.ts")).roleResume,

  "project list": async () => (await import("./commands/project-list.ts")).projectList,
  "project team": async () => (await import("./commands/project-list.ts")).projectTeam,
  "project show": async () => (await import("./commands/project-show.ts")).projectShow,
  "project create": async () => (await import("./commands/project-write.ts")).projectCreate,
  "project edit": async () => (await import("./commands/project-write.ts")).projectEdit,
  "project suspend": async () => (await import("./commands/project-lifecycle.ts")).projectSuspend,
  "project resume": async () => (await import("./commands/project-lifecycle.ts")).projectResume,
  "project complete": async () => (await import("./commands/project-lifecycle.ts")).projectComplete,
  "project reopen": async () => (await import("./commands/project-lifecycle.ts")).projectReopen,
  "project archive": async () => (await import("./commands/project-lifecycle.ts")).projectArchive,
  "project delete": async () => (await import("./commands/project-lifecycle.ts")).projectDelete,

  "task list": async () => (await import("./commands/task-list.ts")).taskList,
  "task show": async () => (await import("./commands/task-show.ts")).taskShow,
  "task add": async () => (await import("./commands/task-write.ts")).taskAdd,
  "task edit": async () => (await import("./commands/task-write.ts")).taskEdit,
  "task move": async () => (await import("./commands/task-write.ts")).taskMove,
  "task search": async () => (await import("./commands/search.ts")).taskSearch,
};
