import { expect, test } from "vitest";
import { addresses } from "./addresses.ts";
import type { JsonSchema } from "./api-schemas.ts";
import { type ApiDescription, describeApi } from "./openapi.ts";
import { docsPage } from "./pages/docs-page.ts";
import { landingPage } from "./pages/landing-page.ts";

const api = describeApi("0.1.0", "http://127.0.0.1:4777");

function operation(name: string) {
  const found = Object.values(api.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`${name} is not described`);
  return found;
}

test("every endpoint is described, and nothing else", () => {
  const described = Object.values(api.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(described.sort()).toEqual(addresses.map(({ name }) => name).sort());
});

test("every reference leads to a schema", () => {
  const references = JSON.stringify(api).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g);
  const components = api.components as Record<string, Record<string, unknown>>;
  const lost = [...references].filter(([, kind = "", name = ""]) => components[kind]?.[name] === undefined);
  expect(lost).toEqual([]);
});

test("the documents are described once and named in the answers", () => {
  expect(api.components.schemas.GetTaskAnswer?.properties).toEqual({ task: { $ref: "#/components/schemas/Task" } });
  expect(api.components.schemas.Task?.required).toContain("waitingOn");
  expect(api.components.schemas.GetRunAnswer?.properties).toEqual({ run: { $ref: "#/components/schemas/Run" } });
  expect(api.components.schemas.RetryRunAnswer).toBeUndefined();
});

test("a body is described as it may be sent, an answer as it comes", () => {
  expect(api.components.schemas.CreateTaskBody?.required ?? []).not.toContain("priority");
  expect(api.components.schemas.CreateTaskBody?.properties?.priority).toMatchObject({
    enum: ["low", "medium", "high", "urgent", "critical"],
  });
  expect(api.components.schemas.Project?.properties?.description).toMatchObject({ type: "string" });
});

test("parameters of path, query and headers are there", () => {
  expect(operation("listTasks").parameters.map(({ name, in: place }) => `${place} ${name}`)).toContain("query limit");
  expect(operation("moveTask").parameters.map(({ name }) => name)).toEqual([
    "id",
    "taskId",
    "If-Match",
    "Idempotency-Key",
  ]);
  expect(operation("streamLive").parameters.map(({ name }) => name)).toContain("Last-Event-ID");
});

test("streams are described as such", () => {
  expect(JSON.stringify(operation("streamLive").responses)).toContain(
    '"text/event-stream":{"schema":{"$ref":"#/components/schemas/LiveFrame"}}',
  );
  const events = api.components.schemas.LiveFrame?.anyOf?.map((frame) => (frame as JsonSchema).properties?.event);
  expect(events).toMatchObject(["hello", "event", "run", "delta", "talk"].map((name) => ({ const: name })));
  expect(JSON.stringify(operation("spawn").responses)).not.toContain("event-stream");
});

test("all but the health check need the token", () => {
  expect(operation("getHealth").security).toEqual([]);
  expect(operation("getTask").security).toBeUndefined();
});

test("the page shows every endpoint and error, loads nothing and runs nothing", () => {
  const { html } = docsPage(api);
  for (const { name } of addresses) expect(html).toContain(`id="${name}"`);
  expect(html).toContain("<code>version_mismatch</code>");
  expect(html).not.toMatch(/<script|<img|<iframe|@import|url\(|src=|href="(?!#|data:,"|\/)/);
});

test("every link in the page leads somewhere", () => {
  const { html } = docsPage(api);
  const lost = [...html.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !html.includes(`id="${id}"`));
  expect(lost.map(([link]) => link)).toEqual([]);
});

test("what the page shows is escaped", () => {
  const hostile: ApiDescription = { ...api, info: { ...api.info, version: `<script>alert("x")</script>` } };
  expect(docsPage(hostile).html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
});

test("the landing page loads itself again, leads to the docs and shows no data", () => {
  const { html, styleHash, scriptHash } = landingPage();
  expect(html).toContain('href="/api/docs"');
  expect(html).toContain("<script>setTimeout(() => location.reload(), 2000)</script>");
  expect(styleHash).toMatch(/^sha256-.{44}$/);
  expect(scriptHash).toMatch(/^sha256-.{44}$/);
});

test("no body has a default, which generated clients would take for a field that must be sent", () => {
  const bodies = Object.entries(api.components.schemas).filter(([name]) => name.endsWith("Body"));
  expect(bodies.filter(([, schema]) => JSON.stringify(schema).includes('"default":')).map(([name]) => name)).toEqual(
    [],
  );
  expect(api.components.schemas.CreateTaskBody?.properties?.labels).toMatchObject({ description: "Default: []." });
});

test("a change may have the read-only fields of its document, and no others", () => {
  const { properties = {}, additionalProperties } = api.components.schemas.UpdateTaskBody ?? {};
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(["title", "id", "etag", "history", "ready"]));
  expect(additionalProperties).toBe(false);
});

test("copies, versions and repetitions are described", () => {
  expect(operation("getTask").responses).toMatchObject({ 200: { headers: { ETag: {} } }, 304: {} });
  expect(operation("getTask").parameters.map(({ name }) => name)).toContain("If-None-Match");
  expect(operation("getProject").responses).not.toHaveProperty("304");
  expect(operation("createTask").responses).toMatchObject({ 201: { headers: { "Idempotency-Replayed": {} } } });
  expect(operation("openBrowserSession").responses).toMatchObject({ 201: { headers: { "Set-Cookie": {} } } });
  expect(operation("createTask").parameters.at(-1)?.schema).toMatchObject({
    maxLength: 200,
    pattern: expect.any(String),
  });
});

test("rules between fields and of texts are described", () => {
  const { schemas } = api.components;
  expect(schemas.CreateTaskBody?.anyOf).toEqual([{ required: ["title"] }, { required: ["subject"] }]);
  expect(schemas.CreateTaskAnywhereBody?.anyOf).toHaveLength(2);
  expect(schemas.CreateRoleBody?.anyOf).toEqual([{ required: ["name"] }, { required: ["template"] }]);
  expect(schemas.UpdateRoleBody?.anyOf).toBeUndefined();
  expect(schemas.SpawnBody).toMatchObject({ anyOf: [{ required: ["taskId"] }, { required: ["task"] }] });
  expect(schemas.SendChatBody?.properties?.text).toMatchObject({ pattern: "\\S" });
  expect(schemas.CreateArtifactBody?.properties?.name).toMatchObject({ minLength: 1 });
  expect(schemas.AddKnowledgeBody?.anyOf).toMatchObject([{ required: ["project"] }, { not: {} }]);
  expect(schemas.BeginProjectBody?.properties?.path).toMatchObject({ pattern: expect.stringContaining("/") });
  expect(schemas.ListModelsAnswer).toMatchObject({
    properties: { team: { properties: { ranks: { properties: { lead: {}, worker: {} } } } } },
  });
});
