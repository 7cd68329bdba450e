import { z } from "zod";
import type { EndpointName } from "../contract/endpoints.ts";
import { type Route, routes } from "../contract/routes.ts";
import { addresses } from "./addresses.ts";
import { type JsonSchema, requestSchemas, responseSchemas, schemaRef } from "./api-schemas.ts";

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
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonSchema> } & Record<string, unknown>;
}

const ERROR_RESPONSE = { $ref: "#/components/responses/Error" };
const text: JsonSchema = { type: "string" };

/** OpenAPI 3.1, made from the contract alone. */
export function describeApi(version: string, url: string): ApiDescription {
  const requests = requestSchemas();
  const responses = responseSchemas();
  return {
    openapi: "3.1.0",
    info: {
      title: "Guildhall",
      version,
      description:
        "The hall's roles, projects, teams, tasks, documents and events; runs of agents, with their review, checkpoints and costs; models and the budget.",
    },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [...new Set(addresses.map(({ name }) => routes[name].group))].map((name) => ({ name })),
    paths: describePaths(requests.names, responses.names),
    components: {
      schemas: { ...responses.schemas, ...requests.schemas },
      responses: {
        Error: {
          description: "The request was refused or failed; the error says why and what to do.",
          content: { "application/json": { schema: schemaRef("Error") } },
        },
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "The text in .guildhall/token of the workspace." },
      },
    },
  };
}

type Names = ReadonlyMap<EndpointName, string>;

function describePaths(bodies: Names, answers: Names): ApiDescription["paths"] {
  const paths: ApiDescription["paths"] = {};
  for (const { name, method, path } of addresses) {
    const key = path.replace(/:(\w+)/g, "{$1}");
    paths[key] = { ...paths[key], [method.toLowerCase()]: describeOperation(name, method, { path, bodies, answers }) };
  }
  return paths;
}

function describeOperation(
  name: EndpointName,
  method: string,
  { path, bodies, answers }: { path: string; bodies: Names; answers: Names },
): Operation {
  const route: Route = routes[name];
  const body = bodies.get(name);
  return {
    operationId: name,
    tags: [route.group],
    summary: route.summary,
    parameters: [...pathParameters(path), ...queryParameters(route), ...headerParameters(name, method)],
    ...(body && {
      requestBody: {
        required: route.bodyOptional !== true,
        content: { "application/json": { schema: schemaRef(body) } },
      },
    }),
    responses: { [String(route.status ?? 200)]: success(answers.get(name)), default: ERROR_RESPONSE },
    ...((name === "getHealth" || name === "openBrowserSession") && { security: [] }),
  };
}

function success(answer: string | undefined): object {
  if (answer) return { description: "Done.", content: { "application/json": { schema: schemaRef(answer) } } };
  return { description: "A stream of events.", content: { "text/event-stream": { schema: text } } };
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
    schema: schema as JsonSchema,
  }));
}

function headerParameters(name: EndpointName, method: string): Parameter[] {
  const header = (title: string, description: string): Parameter => ({
    name: title,
    in: "header",
    required: false,
    description,
    schema: text,
  });
  const ifMatch = header("If-Match", "The ETag the change is based on; 412 when the document has changed since.");
  const key = header("Idempotency-Key", "Repeating the request with the same key does it once and answers the same.");
  if (name === "streamEvents" || name === "streamLive")
    return [header("Last-Event-ID", "Replays the events after this number first.")];
  if (method === "POST") return name.startsWith("move") ? [ifMatch, key] : [key];
  return method === "GET" ? [] : [ifMatch];
}
