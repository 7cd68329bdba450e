import { expect, test } from "vitest";
import { addresses } from "./addresses.ts";
import { docsPage } from "./docs-page.ts";
import { landingPage } from "./landing-page.ts";
import { type ApiDescription, describeApi } from "./openapi.ts";

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
  const references = JSON.stringify(api).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g);
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
  expect(operation("streamEvents").parameters.map(({ name }) => name)).toContain("Last-Event-ID");
});

test("streams are described as such", () => {
  for (const name of ["streamEvents", "streamRuns"])
    expect(JSON.stringify(operation(name).responses)).toContain('"text/event-stream"');
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
