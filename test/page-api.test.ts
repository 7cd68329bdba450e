import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allCommands } from "../src/cli/command-table.ts";
import { type EndpointName, endpoints } from "../src/contract/routes/endpoints.ts";
import { SETTING_WORDS } from "../src/contract/words/setting-words.ts";
import { describeApi } from "../src/server/openapi.ts";

const pages = join(import.meta.dirname, "../web/src");
const sources = readdirSync(pages, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
  .map((path) => readFileSync(join(pages, path), "utf8"));
const matches = (pattern: RegExp) =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, found = ""]) => found));

/** The endpoints that pages name: nothing else in them reaches the daemon but the stream. */
const used = [...new Set(matches(/\b(?:call|useAct)(?:<[^(]*>)?\(\s*"(\w+)"/g))];
const { paths } = describeApi("0.0.0", "http://127.0.0.1:1");
const described = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { address: `${method.toUpperCase()} ${path}`, operation },
    ]),
  ),
);

test("pages call what the OpenAPI document describes, by the same method and path, with all of its parameters [S4-SCOPE-20]", () => {
  expect(used.length).toBeGreaterThan(60);
  for (const name of used) {
    const address = endpoints[name as EndpointName];
    expect(address, `${name} is no endpoint`).toBeDefined();
    const found = described.get(name as EndpointName);
    expect(found?.address, name).toBe(address.replaceAll(/:(\w+)/g, "{$1}"));
    const inPath = found?.operation.parameters.filter(({ in: place }) => place === "path").map((each) => each.name);
    expect(inPath, name).toEqual([...address.matchAll(/:(\w+)/g)].map(([, param]) => param));
  }
});

test("the thing is called a project in every address, command and setting [S3-DD-01]", async () => {
  const commands = (await allCommands()).map(({ path }) => path);
  const names = [...Object.keys(endpoints), ...Object.values(endpoints), ...commands, ...Object.keys(SETTING_WORDS)];
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => /(?<!work)space|notebook|desk/i.test(name))).toEqual([]);
  expect(names.filter((name) => /\bprojects?\b/i.test(name)).length).toBeGreaterThan(60);
});

test("pages reach the daemon through the typed client alone, but for the stream", () => {
  expect(sources.filter((text) => /\bfetch\(|new EventSource|XMLHttpRequest|sendBeacon/.test(text))).toHaveLength(2);
  const streamed = matches(/`(\/api\/[\w/]+)/g);
  expect(streamed).toEqual(["/api/live"]);
  expect([...described.values()].map(({ address }) => address)).toContain("GET /api/live");
  expect(matches(/["'](\/api\/[^"']*)/g)).toEqual([]);
});
