import { z } from "zod";
import { Assignment, FileEntry, ProjectSummary } from "../contract/documents/project.ts";
import { Role, RoleSuggestion, RoleTemplate } from "../contract/documents/role.ts";
import { Task } from "../contract/documents/task.ts";
import { WorkdirView } from "../contract/documents/workdir.ts";
import { ErrorBody } from "../contract/error-body.ts";
import { HallEvent } from "../contract/event.ts";
import { Problem } from "../contract/problem.ts";
import { Initiative } from "../contract/routes/autonomy/initiative-routes.ts";
import { CostRow } from "../contract/routes/cost-routes.ts";
import { Artifact } from "../contract/routes/document-routes.ts";
import type { EndpointName } from "../contract/routes/endpoints.ts";
import { AuditReport } from "../contract/routes/event-routes.ts";
import { Status } from "../contract/routes/hall-routes.ts";
import { ProjectView } from "../contract/routes/project-routes.ts";
import type { Route } from "../contract/routes/route.ts";
import { routes } from "../contract/routes/routes.ts";
import { SearchHit } from "../contract/routes/search-routes.ts";
import { Rollback } from "../contract/runs/checkpoint.ts";
import { Live } from "../contract/runs/live.ts";
import { Run, RunPlan, SpawnResponse } from "../contract/runs/run.ts";
import { addresses, isStream } from "./addresses.ts";
import { readOnlyFields } from "./requests/read-only.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Component schemas by name, and which of them each endpoint takes and answers with. */
interface ApiSchemas {
  readonly schemas: Record<string, JsonSchema>;
  readonly bodies: ReadonlyMap<EndpointName, string>;
  readonly answers: ReadonlyMap<EndpointName, string>;
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

/** One server-sent event of GET /api/live: its name, its id where it has one, and its data. */
const LiveFrame = z.union(
  Live.options.map((live) => {
    const { kind, ...data } = live.shape;
    return z.strictObject({
      event: kind,
      ...(kind.value === "event" && { id: z.string() }),
      data: z.strictObject(data),
    });
  }),
);

export function apiSchemas(): ApiSchemas {
  const answers = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...documents, LiveFrame })) answers.add(schema, { id });
  const bodies = z.registry<{ id: string }>();
  const names = {
    answers: register(answers, "Answer", (name, route) => (isStream(name) ? undefined : route.response)),
    bodies: register(bodies, "Body", (_, route) => route.body),
  };
  const schemas = { ...componentsOf(answers, "output"), ...componentsOf(bodies, "input") };
  for (const [endpoint, name] of names.bodies) {
    const body = schemas[name];
    if (body !== undefined) schemas[name] = { ...body, ...sentBack(routes[endpoint], body) };
  }
  return { schemas, ...names };
}

function register(
  registry: z.core.$ZodRegistry<{ id: string }>,
  suffix: "Answer" | "Body",
  pick: (name: EndpointName, route: Route) => z.ZodType | undefined,
): Map<EndpointName, string> {
  const names = new Map<EndpointName, string>();
  for (const { name } of addresses) {
    const schema = pick(name, routes[name]);
    if (!schema) continue;
    const id = registry.get(schema)?.id ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}`;
    if (!registry.has(schema)) registry.add(schema, { id });
    names.set(name, id);
  }
  return names;
}

function componentsOf(registry: z.core.$ZodRegistry<{ id: string }>, io: "input" | "output") {
  const { schemas } = z.toJSONSchema(registry, { io, uri: refTo, unrepresentable: "any", override: simplify(io) });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]): [string, JsonSchema] => [id, bare(schema)]));
}

/** The fields of the document that a change cannot set, which may come back with it as they were read. */
function sentBack(route: Route, body: JsonSchema): JsonSchema {
  const fields = readOnlyFields(route);
  if (fields.length === 0) return {};
  const description = "Read-only: accepted if unchanged, otherwise refused.";
  const read = fields.map((field): [string, JsonSchema] => [field, { description }]);
  return { properties: { ...body.properties, ...Object.fromEntries(read) } };
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function bare({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/**
 * A default is said in words: generated clients would demand the field otherwise, which makes its absence impossible.
 */
export function withDefaultInWords({ default: fallback, ...schema }: JsonSchema): JsonSchema {
  if (fallback === undefined) return schema;
  const told = `Default: ${JSON.stringify(fallback)}.`;
  return { ...schema, description: schema.description === undefined ? told : `${schema.description} ${told}` };
}

type Simplify = (about: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => void;

/**
 * A field that is only tidied up on the way in looks the same on the way out; a time needs no pattern beside its format; a
 * record with known keys is an object with these fields.
 */
function simplify(io: "input" | "output"): Simplify {
  return ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    if (def.type === "pipe" && def.out._zod.def.type === "transform") {
      Object.assign(jsonSchema, bare(z.toJSONSchema(def.in, { io: "input" })));
    }
    if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    if (def.type === "record") nameKeys(jsonSchema);
    if (io === "input" && jsonSchema.default !== undefined) {
      const { description } = withDefaultInWords(jsonSchema);
      delete jsonSchema.default;
      Object.assign(jsonSchema, { description });
    }
  };
}

function nameKeys(jsonSchema: JsonSchema): void {
  const { propertyNames, additionalProperties: each, required } = jsonSchema;
  const keys = typeof propertyNames === "object" ? propertyNames.enum : undefined;
  if (keys === undefined || required === undefined || typeof each !== "object") return;
  delete jsonSchema.propertyNames;
  jsonSchema.properties = Object.fromEntries(keys.map((key) => [String(key), each]));
  jsonSchema.additionalProperties = false;
}
