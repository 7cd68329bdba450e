import { IMPORTED_FILE } from "../../agent/skills/skill-pack.ts";
import type { ImportKind } from "../../contract/documents/autonomy/import.ts";
import { TriggerCreate } from "../../contract/documents/autonomy/trigger.ts";
import { EscalationCreate } from "../../contract/documents/escalation.ts";
import { StatementCreate } from "../../contract/documents/knowledge.ts";
import { ProjectCreate } from "../../contract/documents/project.ts";
import { TaskCreate } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { RoleExchange } from "../../runs/admin/role-exchange.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { parseAgentFile } from "../../workspace/roles/agent-file.ts";
import { roleIdFrom } from "../../workspace/roles/role-rules.ts";
import type { TriggerDesk } from "../triggers/trigger-desk.ts";
import type { Found } from "./found.ts";

type AskPerson = (body: EscalationCreate, change: Change) => Promise<{ escalation?: { id: string } | undefined }>;

export interface Places {
  core: Core;
  hall: Hall;
  roles: RoleExchange;
  triggers: Pick<TriggerDesk, "get" | "create">;
  ask: AskPerson;
}

type Importable = Exclude<Found, { left: unknown } | { broken: unknown }>;
type Of<Thing extends Importable["thing"]> = Extract<Importable, { thing: Thing }>;

/** Where something goes: whether it is there, and what makes it. */
interface Placed {
  id?: string | undefined;
  state: "new" | "exists" | "no_project";
  make: () => Promise<{ id?: string | undefined; note?: string | undefined }>;
}

/** Says of one thing after the other where it goes. Those that wait for others come after them. */
export function placesFor(given: Places & { kind: ImportKind; dryRun: boolean; change: Change }) {
  const { core, hall, roles, triggers, ask, kind, change } = given;
  /** Those that this import made, or would make, or made before. */
  const own = new Set<string>();
  /** Ids of tasks by plan and number. */
  const tasks = new Map<string, string>();

  const project = ({ id, workdir, ...words }: Of<"project">): Placed => {
    const key = `import-${kind}-${id}`;
    const isThere = isKnown(() => hall.projects.get(id), "project_not_found");
    const isOwn = !isThere || hall.replay({ key, fingerprint: "" })?.subjectId === id;
    if (isOwn) own.add(id);
    const { name, description, background } = words;
    const body = () =>
      ProjectCreate.parse({ id, name, description, background, ...(workdir === undefined ? {} : { workdir }) });
    const request = { key, fingerprint: "" };
    return placed(id, isThere, async () => ({ id: (await hall.projects.create(body(), { ...change, request })).id }));
  };

  const initiative = ({ projectId, id, title, plan }: Of<"initiative">): Placed => {
    const isThere = hasProject(projectId) && hall.documents.initiatives(projectId).some(({ slug }) => slug === id);
    return placed(id, isThere, async () => {
      await hall.documents.createInitiative(projectId, { slug: id, title, goals: [] }, change);
      await hall.documents.editPlan(projectId, { slug: id, edit: () => plan }, change);
      return {};
    });
  };

  const task = ({ projectId, plan, number, waitsFor, body, source }: Of<"task">): Placed => {
    const label = `imported-${contentHash(`${kind} ${source}`).slice(0, 16)}`;
    const known = hasProject(projectId)
      ? hall.tasks.list(projectId, { label, sort: "id", limit: 1 }).tasks[0]
      : undefined;
    if (known !== undefined) tasks.set(`${projectId} ${plan} ${number}`, known.id);
    return placed(known?.id, known !== undefined, async () => {
      const blockedBy = waitsFor.flatMap((one) => tasks.get(`${projectId} ${plan} ${one}`) ?? []);
      const labels = [...body.labels, label];
      const made = await hall.tasks.create(projectId, TaskCreate.parse({ ...body, labels, plan, blockedBy }), change);
      tasks.set(`${projectId} ${plan} ${number}`, made.id);
      return { id: made.id };
    });
  };

  const escalation = ({ projectId, type, question, context }: Of<"escalation">): Placed => {
    const known = askedBefore(hall, question, projectId);
    return placed(known?.id, known !== undefined, async () => {
      const body = EscalationCreate.parse({
        type,
        question,
        context,
        ...(projectId === undefined ? {} : { projectId }),
      });
      return { id: (await ask(body, change)).escalation?.id };
    });
  };

  const knowledge = ({ projectId, topic, text }: Of<"knowledge">): Placed => {
    const body = StatementCreate.parse({ topic, text, ...(projectId === undefined ? {} : { project: projectId }) });
    const page = projectId === undefined ? `knowledge/${topic}.md` : `projects/${projectId}/knowledge/${topic}.md`;
    const isThere =
      core.files.exists(page) &&
      core.files
        .text(page)
        .split("\n")
        .some((line) => line.includes(body.text));
    return placed(undefined, isThere, async () => ({ id: (await hall.knowledge.add(body, change)).statement.id }));
  };

  const role = ({ text }: Of<"role">): Placed => {
    const outcome = parseAgentFile(text);
    if (!outcome.ok) throw new HallError("invalid", outcome.reason, { line: outcome.line });
    const id = roleIdFrom(outcome.file.name);
    if (id === undefined) throw new HallError("invalid", "name: can't be turned into an id", { line: 1 });
    return placed(
      id,
      isKnown(() => hall.roles.get(id), "role_not_found"),
      async () => {
        const { notes } = await roles.import({ text, id, replace: false }, change);
        return { note: notes.length === 0 ? undefined : notes.join(" ") };
      },
    );
  };

  const skill = ({ id, files, source }: Of<"skill">): Placed => {
    const path = `skills/${id}`;
    return placed(id, core.files.exists(path), async () => {
      const tree = {
        kind: "tree" as const,
        path,
        folders: [],
        files: { ...files, [IMPORTED_FILE]: `${kind}: ${source}\n` },
      };
      const subject = { kind: "skill" as const, id };
      await commit(
        core,
        { ...byChange(change), type: "skill.imported", subject, after: { from: kind } },
        () => undefined,
        [tree],
      );
      return { note: "waits for you to accept it" };
    });
  };

  const trigger = ({ id, on, text, description }: Of<"trigger">): Placed =>
    placed(
      id,
      isKnown(() => triggers.get(id), "trigger_not_found"),
      async () => {
        const body = TriggerCreate.safeParse({ name: id, on, do: { message: text }, description, enabled: false });
        if (!body.success) throw new HallError("invalid", body.error.issues[0]?.message ?? "invalid");
        await triggers.create(body.data, change);
        return { note: "paused" };
      },
    );

  const memory = ({ id, text }: Of<"memory">): Placed =>
    placed(id, core.files.exists(`memory/${id}`), async () => {
      await hall.memory.write(undefined, { path: id, content: text }, change);
      return {};
    });

  const context = ({ projectId, id, text }: Of<"context">): Placed =>
    placed(id, core.files.exists(`projects/${projectId}/CONTEXT/${id}`), async () => {
      await hall.documents.writeContext(projectId, id, text, change);
      return {};
    });

  const hasProject = (id: string) => isKnown(() => hall.projects.get(id), "project_not_found");

  const place = async (found: Importable): Promise<Placed> => {
    if ("projectId" in found && found.projectId !== undefined && !own.has(found.projectId))
      return { state: "no_project", make: async () => ({}) };
    switch (found.thing) {
      case "project":
        return project(found);
      case "initiative":
        return initiative(found);
      case "task":
        return task(found);
      case "escalation":
        return escalation(found);
      case "knowledge":
        return knowledge(found);
      case "role":
        return role(found);
      case "skill":
        return skill(found);
      case "trigger":
        return trigger(found);
      case "memory":
        return memory(found);
      case "context":
        return context(found);
    }
  };
  return { place };
}

function placed(id: string | undefined, isThere: boolean, make: Placed["make"]): Placed {
  return { id, state: isThere ? "exists" : "new", make };
}

function isKnown(get: () => unknown, missing: string): boolean {
  try {
    get();
    return true;
  } catch (error) {
    if (error instanceof HallError && error.code === missing) return false;
    throw error;
  }
}

/** Open or answered: what was answered is not asked again. */
function askedBefore({ escalations }: Hall, question: string, project: string | undefined) {
  for (let cursor: string | undefined; ; ) {
    const page = escalations.list({ project, snoozed: true, limit: 200, cursor });
    const known = page.escalations.find((one) => one.question === question && one.projectId === project);
    if (known !== undefined || page.nextCursor === undefined) return known;
    cursor = page.nextCursor;
  }
}
