import { HallError } from "../../contract/errors.ts";
import type { Artifact } from "../../contract/routes/document-routes.ts";
import type { RouteBody, RouteParams, RouteResponse } from "../../contract/routes/routes.ts";
import type { SpawnRequest } from "../../contract/runs/run.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { completeBeginning } from "../../workspace/projects/project-beginning.ts";
import type { JsonEndpoint } from "../handler.ts";
import type { EscalationDesk } from "../handlers/escalation-handlers.ts";
import type { LeadApi } from "../handlers/initiative-handlers.ts";
import type { RunDesk } from "../handlers/run-handlers.ts";
import type { TeamDesk } from "../handlers/team-handlers.ts";
import type { TriggerDesk } from "../handlers/trigger-handlers.ts";

type Done = NonNullable<ReturnType<Hall["replay"]>>;
interface Floors {
  readonly hall: Hall;
  readonly runs: RunDesk;
  readonly escalations: Pick<EscalationDesk, "get">;
  readonly teams: Pick<TeamDesk, "get">;
  readonly triggers: Pick<TriggerDesk, "get">;
  readonly leads: Pick<LeadApi, "get">;
}
type Rebuild<Name extends JsonEndpoint> = (
  floors: Floors,
  done: Done,
  body: RouteBody<Name>,
  params: RouteParams<Name>,
) => RouteResponse<Name> | Promise<RouteResponse<Name>>;

const success = true as const;
const PAGE = 1_000;

const task = async ({ hall }: Floors, done: Done) => ({
  success,
  task: await hall.tasks.get(projectOf(done), done.subjectId),
});
const project = ({ hall }: Floors, done: Done) => ({
  success,
  project: hall.projects.get(done.projectId ?? done.subjectId),
});
const spawned = ({ runs }: Floors, done: Done, body: SpawnRequest) =>
  runs.spawns.answer(done.subjectId, { wait: body.options.waitForCompletion });

/** What was done may be about a run or a project; the address names the entry. */
const escalation = async ({ escalations }: Floors, _done: Done, _body: unknown, { id }: { id: string }) => ({
  success,
  escalation: await escalations.get(id),
});

/** What was done may be a decision about the team's escalation; the address names the team. */
const team = ({ teams }: Floors, _done: Done, _body: unknown, { id }: { id: string }) => ({
  success,
  team: teams.get(id),
});

const rebuilds: { readonly [Name in JsonEndpoint]?: Rebuild<Name> } = {
  createRole: ({ hall }, done) => ({ success, role: hall.roles.get(done.subjectId) }),
  importRole: ({ hall }, done) => ({ success, role: hall.roles.get(done.subjectId), notes: [] }),
  createProject: project,
  // A crash may have come between the project and its team.
  beginProject: async ({ hall }, done, { roles }) => ({
    success,
    ...(await completeBeginning(
      hall,
      { projectId: projectOf(done), roles },
      { actor: { kind: "person", via: "http" } },
    )),
  }),
  moveProject: project,
  confirmWorkdir: ({ hall }, done) => ({ success, folder: hall.workdirs.view(done.subjectId) }),
  createAssignment: ({ hall }, done) => ({ success, assignment: findAssignment(hall, done) }),
  createTask: task,
  createTaskAnywhere: task,
  moveTask: task,
  startLead: ({ leads }, done) => ({ success, lead: leads.get(done.subjectId) }),
  stopLead: ({ leads }, done) => ({ success, lead: leads.get(done.subjectId) }),
  createInitiative: ({ hall }, done) => ({ success, initiative: findInitiative(hall, done) }),
  createArtifact: ({ hall }, done) => ({ success, artifact: findArtifact(hall, done) }),
  addKnowledge: ({ hall }, _, { project, text }) => ({
    success,
    statement: hall.knowledge.get(project, { text }),
    merged: true,
  }),
  createAnswerRule: ({ hall }, done) => ({ success, rule: hall.answerRules.get(done.subjectId) }),
  createGate: ({ hall }, done) => ({ gate: hall.gates.get(done.subjectId) }),
  createIntegrationCheck: ({ hall }, done) => ({ check: hall.gates.getCheck(done.subjectId) }),
  createTrigger: ({ triggers }, done) => ({ success, trigger: triggers.get(done.subjectId) }),
  createTeam: ({ teams }, done) => ({ team: teams.get(done.subjectId) }),
  importTeam: ({ teams }, done) => ({ team: teams.get(done.subjectId) }),
  approvePlan: team,
  rejectPlan: team,
  spawn: spawned,
  spawnInProject: spawned,
  approveRun: ({ runs }, done) => ({ success, run: runs.get(done.subjectId) }),
  revertRun: ({ runs }, done) => ({ success, run: runs.get(done.subjectId) }),
  discardRun: ({ runs }, done) => ({ success, run: runs.get(done.subjectId) }),
  undoDiscard: ({ runs }, done) => ({ success, run: runs.get(done.subjectId) }),
  requestChanges: ({ runs }, done) => runs.spawns.answer(done.subjectId, { wait: false }),
  resolveEscalation: escalation,
  dismissEscalation: escalation,
  undoEscalation: escalation,
  snoozeEscalation: escalation,
  retryRun: ({ runs }, done) => runs.spawns.answer(done.subjectId, { wait: false }),
};

/**
 * What a keyed request answered in an earlier life of the daemon: the document it made, or the run it started, as it is
 * now. Undefined for endpoints that leave no trace in the workspace; repeating those does no harm.
 */
export async function earlierAnswer(
  name: JsonEndpoint,
  floors: Floors,
  { done, body, params }: { done: Done; body: unknown; params: Record<string, string> },
): Promise<object | undefined> {
  // The body was checked against the route of this very name.
  return rebuilds[name]?.(floors, done, body as never, params as never);
}

function findAssignment(hall: Hall, done: Done) {
  const found = hall.team.list(projectOf(done)).find((assignment) => assignment.id === done.subjectId);
  if (!found)
    throw new HallError("assignment_not_found", `Assignment ${done.subjectId} was created, but no longer exists.`);
  return found;
}

function findInitiative(hall: Hall, done: Done) {
  const found = hall.documents.initiatives(projectOf(done)).find((initiative) => initiative.slug === done.subjectId);
  if (!found) throw new HallError("file_not_found", `Initiative ${done.subjectId} was created, but no longer exists.`);
  return found;
}

function findArtifact(hall: Hall, done: Done): Artifact {
  let cursor: string | undefined;
  do {
    const page = hall.documents.artifacts(projectOf(done), { limit: PAGE, cursor });
    const found = page.artifacts.find((artifact) => artifact.path === done.subjectId);
    if (found) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  throw new HallError("file_not_found", `Artifact ${done.subjectId} was created, but no longer exists.`);
}

function projectOf(done: Done): string {
  if (done.projectId === undefined) throw new Error(`event ${done.type} names no project`);
  return done.projectId;
}
