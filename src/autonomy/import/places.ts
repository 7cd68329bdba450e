import type { z } from "zod";
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
import { parseJsonText } from "../../store/markup/json-text.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { TriggerDesk } from "../triggers/trigger-desk.ts";
import { type Found, fieldsOf } from "./found.ts";

type AskPerson = (body: EscalationCreate, change: Change) => Promise<{ escalation?: { id: string } | undefined }>;

export interface Places {
  core: Core;
  hall: Hall;
  roles: RoleExchange;
  triggers: Pick<TriggerDesk, "get" | "create" | "assertUsable">;
  ask: AskPerson;
}

type Importable = Exclude<Found, { left: unknown } | { broken: unknown }>;
type Of<Thing extends Importable["thing"]> = Extract<Importable, { thing: Thing }>;

/** Where something goes: whether it is there, and what makes it. `note`: what is different here. */
interface Placed {
  id?: string | undefined;
  state: "new" | "exists" | "no_project" | "same_name";
  note?: string | undefined;
  make: () => Promise<{ id?: string | undefined }>;
}

/**
 * Says of one thing after the other where it goes. Those that wait for others come after them. Throws HallError what can't be made, so
 * that a dry run says the same as the import.
 */
export function placesFor(given: Places & { kind: ImportKind; root: string; dryRun: boolean; change: Change }) {
  const { core, hall, roles, triggers, ask, kind, dryRun, change } = given;
  /** Those that this import made, or would make, or made before. */
  const own = new Set<string>();
  /** Ids of tasks by plan and number. */
  const tasks = new Map<string, string>();
  /** What this import found, by its name or its words. */
  const met = new Set<string>();

  const project = ({ id, workdir, ...words }: Of<"project">): Placed => {
    const key = `import-${kind}-${contentHash(given.root).slice(0, 16)}-${id}`;
    const isThere = isKnown(() => hall.projects.get(id), "project_not_found");
    const { name, description, background } = words;
    const body = checked(ProjectCreate, { id, name, description, background, ...(workdir && { workdir }) });
    if (isThere ? requestOf(core, id) === key : dryRun) own.add(id);
    return placed(id, isThere, async () => {
      await hall.projects.create(body, { ...change, request: { key, fingerprint: "" } });
      own.add(id);
      return {};
    });
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
    const of = (one: number) => `${projectId} ${plan} ${one}`;
    const lost = waitsFor.filter((one) => !tasks.has(of(one)));
    const wanted = checked(TaskCreate, { ...body, labels: [...body.labels, label], plan });
    tasks.set(of(number), known?.id ?? "");
    const note = lost.length === 0 ? undefined : `no link to ${lost.join(", ")}`;
    const make = async () => {
      const blockedBy = waitsFor.flatMap((one) => tasks.get(of(one)) || []);
      const made = await hall.tasks.create(projectId, { ...wanted, blockedBy }, change);
      tasks.set(of(number), made.id);
      return { id: made.id };
    };
    return { ...placed(known?.id, known !== undefined, make), note };
  };

  const escalation = ({ projectId, type, question, context }: Of<"escalation">): Placed => {
    const known = askedBefore(hall, question, projectId);
    const body = checked(EscalationCreate, { type, question, context, ...(projectId && { projectId }) });
    const isThere = known !== undefined || isMet(["escalation", projectId, question]);
    return placed(known?.id, isThere, async () => ({ id: (await ask(body, change)).escalation?.id }));
  };

  const knowledge = ({ projectId, topic, text }: Of<"knowledge">): Placed => {
    const body = checked(StatementCreate, { topic, text, ...(projectId && { project: projectId }) });
    const isStated = () =>
      (projectId === undefined || hasProject(projectId)) &&
      isKnown(() => hall.knowledge.get(projectId, { text: body.text }), "statement_not_found");
    const isThere = isMet(["knowledge", projectId, body.text]) || isStated();
    return placed(undefined, isThere, async () => ({ id: (await hall.knowledge.add(body, change)).statement.id }));
  };

  const role = ({ text }: Of<"role">): Placed => {
    const { id, role: wanted, notes } = roles.read(text);
    if (id === undefined) throw new HallError("invalid", "name: can't be turned into an id", { line: 1 });
    const isThere = isKnown(() => hall.roles.get(id), "role_not_found");
    const make = async () => ({ id: (await hall.roles.create({ ...wanted, id }, change)).id });
    return { ...placed(id, isThere, make), note: notes.length === 0 ? undefined : notes.join(" ") };
  };

  const skill = ({ id, files, source }: Of<"skill">): Placed => {
    const path = `skills/${id}`;
    const make = async () => {
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
      return {};
    };
    return { ...placed(id, core.files.exists(path), make), note: "waits for you to accept it" };
  };

  const trigger = ({ id, on, text, description }: Of<"trigger">): Placed => {
    const body = checked(TriggerCreate, { name: id, on, do: { message: text }, description, enabled: false });
    triggers.assertUsable(body);
    const isThere = isKnown(() => triggers.get(id), "trigger_not_found");
    const make = async () => ({ id: (await triggers.create(body, change)).name });
    return { ...placed(id, isThere, make), note: "paused" };
  };

  const memory = ({ id, text }: Of<"memory">): Placed =>
    placed(id, core.files.exists(`memory/${id}`), async () => {
      await hall.memory.write(undefined, { path: id, content: text }, change);
      return {};
    });

  const hasProject = (id: string) => isKnown(() => hall.projects.get(id), "project_not_found");

  /** Whether this import found the same before. */
  const isMet = (words: readonly unknown[]) => {
    const key = JSON.stringify(words);
    const isThere = met.has(key);
    met.add(key);
    return isThere;
  };

  const place = (found: Importable): Placed => {
    const at = "projectId" in found ? found.projectId : undefined;
    if (at !== undefined && !own.has(at)) return { state: "no_project", make: async () => ({}) };
    const one = placeOf(found);
    const isSame = NAMED.has(found.thing) && isMet([found.thing, at, one.id]);
    return isSame ? { ...one, state: "same_name" } : one;
  };

  const placeOf = (found: Importable): Placed => {
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
    }
  };
  return { place };
}

function placed(id: string | undefined, isThere: boolean, make: Placed["make"]): Placed {
  return { id, state: isThere ? "exists" : "new", make };
}

/** Things of which two with one name are two. */
const NAMED = new Set<Importable["thing"]>(["project", "initiative", "role", "skill", "trigger", "memory"]);

function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const outcome = schema.safeParse(body);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  throw new HallError("invalid", `${issue?.path.join(".") || "it"}: ${issue?.message ?? "is invalid"}`);
}

/** The key with which a project was created, as its file has it. */
function requestOf({ files }: Core, id: string): unknown {
  const outcome = parseJsonText(files.text(`${projectRoot(id)}/PROJECT.json`));
  return outcome.ok ? fieldsOf(outcome.value).request : undefined;
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
