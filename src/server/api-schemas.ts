import { z } from "zod";
import { Rollback } from "../contract/checkpoint.ts";
import { CostRow } from "../contract/cost-routes.ts";
import { Artifact, Initiative } from "../contract/document-routes.ts";
import type { EndpointName } from "../contract/endpoints.ts";
import { ErrorBody } from "../contract/error-body.ts";
import { HallEvent } from "../contract/event.ts";
import { AuditReport } from "../contract/event-routes.ts";
import { Status } from "../contract/hall-routes.ts";
import { Problem } from "../contract/problem.ts";
import { Assignment, FileEntry, ProjectSummary } from "../contract/project.ts";
import { ProjectView } from "../contract/project-routes.ts";
import { Role, RoleSuggestion, RoleTemplate } from "../contract/role.ts";
import { type Route, routes } from "../contract/routes.ts";
import { Run, RunPlan, SpawnResponse } from "../contract/run.ts";
import { SearchHit } from "../contract/search-routes.ts";
import { Task } from "../contract/task.ts";
import { WorkdirView } from "../contract/workdir.ts";
import { addresses, isStream } from "./addresses.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Component schemas by name, and which of them each endpoint uses. */
interface NamedSchemas {
  readonly schemas: Record<string, JsonSchema>;
  readonly names: ReadonlyMap<EndpointName, string>;
}

/** Documents that several answers hold; each is described once. */
const documents = {
  Task,
  Role,
  RoleDocument: routes.getRole.response.shape.role,
  RoleTemplate,
  RoleSuggestion,
  Project: ProjectView,
  Workdir: WorkdirView,
  ProjectSummary,
  Assignment,
  FileEntry,
  Initiative,
  Artifact,
  Run,
  RunPlan,
  SpawnResponse,
  Rollback,
  CostRow,
  SearchHit,
  Event: HallEvent,
  Problem,
  AuditReport,
  Status,
  Error: ErrorBody,
};

export function schemaRef(name: string): JsonSchema {
  return { $ref: refTo(name) };
}

export function responseSchemas(): NamedSchemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(documents)) registry.add(schema, { id });
  return register(registry, "Answer", (name, route) => (isStream(name) ? undefined : route.response));
}

export function requestSchemas(): NamedSchemas {
  return register(z.registry<{ id: string }>(), "Body", (_, route) => route.body);
}

function register(
  registry: z.core.$ZodRegistry<{ id: string }>,
  suffix: "Answer" | "Body",
  pick: (name: EndpointName, route: Route) => z.ZodType | undefined,
): NamedSchemas {
  const names = new Map<EndpointName, string>();
  for (const { name } of addresses) {
    const schema = pick(name, routes[name]);
    if (!schema) continue;
    const id = registry.get(schema)?.id ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}`;
    if (!registry.has(schema)) registry.add(schema, { id });
    names.set(name, id);
  }
  const io = suffix === "Answer" ? "output" : "input";
  const { schemas } = z.toJSONSchema(registry, { io, uri: refTo, unrepresentable: "any", override: simplify });
  return { names, schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)])) };
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function bare({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** A field that is only tidied up on the way in looks the same on the way out; a time needs no pattern beside its format. */
function simplify({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type === "pipe" && def.out._zod.def.type === "transform") {
    Object.assign(jsonSchema, bare(z.toJSONSchema(def.in, { io: "input" })));
  }
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
}
