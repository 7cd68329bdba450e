import { z } from "zod";
import type { EndpointName } from "../contract/routes/endpoints.ts";
import type { Route, RouteGroup } from "../contract/routes/route.ts";
import { routes } from "../contract/routes/routes.ts";
import { addresses, isStream } from "./addresses.ts";
import { describeResponses, errorResponses, type ResponseHeader, responseHeaders } from "./api-responses.ts";
import { apiSchemas, type JsonSchema, schemaRef, withDefaultInWords } from "./api-schemas.ts";
import { isTaggedForReading } from "./requests/etag.ts";
import { IDEMPOTENCY_KEY } from "./requests/idempotency.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly operationId: EndpointName;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { schema: JsonSchema }> };
  readonly responses: Record<string, unknown>;
  readonly security?: readonly [];
}

export interface ApiDescription extends Record<string, unknown> {
  readonly info: { readonly title: string; readonly version: string; readonly description: string; license: object };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, JsonSchema>;
    readonly headers: Record<string, ResponseHeader>;
  } & Record<string, unknown>;
}

const GROUPS: Record<RouteGroup, string> = {
  Hall: "The daemon: status, settings and setup.",
  Chat: "Chat with the main agent and with project agents.",
  Runs: "Runs of agents: start, follow, stop and review.",
  Models: "Providers, models, costs and budget.",
  Roles: "Roles of agents: prompt, model and tools.",
  Projects: "Projects and their working folders.",
  Team: "Roles assigned to a project.",
  Teams: "Teams that turn a goal into a spec, a plan and merged work.",
  Tasks: "Tasks of a project.",
  Documents: "Project files and knowledge.",
  Memory: "Memory of agents.",
  Skills: "Skill packs, and instructions that a person has to accept.",
  Hooks: "Programs, addresses and built-in checks that can refuse what agents do.",
  Escalations: "Questions and approvals that wait for a decision, and their answers.",
  Permissions: "What agents may do without asking again, and what they did with it.",
  Gates: "Quality gates: how changes were judged, and whether they work together.",
  Initiatives: "Plans inside projects, and the leads that carry them out.",
  Triggers: "What starts work when its time comes or something happens.",
  Orchestrator: "The state of all projects, and what starts the agents of projects on initiatives.",
  "Briefings and figures": "What a day came to and what is needed, and how work goes over the weeks.",
  "Search and events": "Search, the event log and the live stream.",
};

const text: JsonSchema = { type: "string" };
const NEEDS_NO_TOKEN: readonly EndpointName[] = ["getHealth", "openBrowserSession"];

/** OpenAPI 3.1, made from the contract alone. */
export function describeApi(version: string, url: string): ApiDescription {
  const { schemas, bodies, answers } = apiSchemas();
  return {
    openapi: "3.1.0",
    info: {
      title: "Guildhall",
      version,
      description:
        "Roles, projects, teams, tasks, documents and events; runs of agents with review, checkpoints and costs; models and budget.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [...new Set(addresses.map(({ name }) => routes[name].group))].map((name) => ({
      name,
      description: GROUPS[name],
    })),
    paths: describePaths(bodies, answers),
    components: {
      schemas,
      responses: errorResponses(),
      headers: responseHeaders,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "The content of .guildhall/token in the workspace." },
      },
    },
  };
}

type Names = ReadonlyMap<EndpointName, string>;

function describePaths(bodies: Names, answers: Names): ApiDescription["paths"] {
  const paths: ApiDescription["paths"] = {};
  for (const { name, method, path } of addresses) {
    const key = path.replace(/:(\w+)/g, "{$1}");
    const names = { body: bodies.get(name), answer: answers.get(name) };
    paths[key] = { ...paths[key], [method.toLowerCase()]: describeOperation({ name, method, path }, names) };
  }
  return paths;
}

function describeOperation(
  { name, method, path }: { name: EndpointName; method: string; path: string },
  { body, answer }: { body: string | undefined; answer: string | undefined },
): Operation {
  const route: Route = routes[name];
  const isOpen = NEEDS_NO_TOKEN.includes(name);
  const parameters = [...pathParameters(path), ...queryParameters(route), ...headerParameters(name, method)];
  return {
    operationId: name,
    tags: [route.group],
    summary: route.summary,
    parameters,
    ...(body && {
      requestBody: {
        required: route.bodyOptional !== true,
        content: { "application/json": { schema: schemaRef(body) } },
      },
    }),
    responses: describeResponses(name, {
      answer,
      isOpen,
      method,
      takesInput: body !== undefined || route.query !== undefined,
      hasParams: parameters.some((parameter) => parameter.in === "path"),
    }),
    ...(isOpen && { security: [] }),
  };
}

function pathParameters(path: string): Parameter[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => ({ name, in: "path", required: true, schema: text }));
}

function queryParameters(route: Route): Parameter[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(route.query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: withDefaultInWords(schema as JsonSchema),
  }));
}

const headers = {
  lastEventId: header("Last-Event-ID", "Replays the events after this number first.", { pattern: "^\\d{1,15}$" }),
  ifMatch: header("If-Match", "The ETag that the change is based on; 412 if the document has changed since."),
  ifNoneMatch: header("If-None-Match", "The ETag of a copy; 304 without a body if it is current."),
  key: header("Idempotency-Key", "Requests with the same key run once and get the same response.", {
    minLength: 1,
    maxLength: 200,
    pattern: IDEMPOTENCY_KEY.source,
  }),
};

function header(name: string, description: string, rules: JsonSchema = {}): Parameter {
  return { name, in: "header", required: false, description, schema: { ...text, ...rules } };
}

function headerParameters(name: EndpointName, method: string): Parameter[] {
  if (isStream(name)) return [headers.lastEventId];
  if (method === "GET") return isTaggedForReading(routes[name]) ? [headers.ifNoneMatch] : [];
  if (method === "POST")
    return name.startsWith("move") || name === "resolveEscalation" ? [headers.ifMatch, headers.key] : [headers.key];
  return [headers.ifMatch];
}
