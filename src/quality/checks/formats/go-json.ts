import { z } from "zod";
import type { TestCase } from "../local-checks.ts";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import { identifiedByName, MOST_CASES, type ParsedTests, parsedJson, UNREADABLE } from "./parsed.ts";

const Event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  FailedBuild: z.string().optional(),
});

const MOST_OUTPUT = 8_000;
const NOT_BUILT = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/;
const PLACE = /^\s*([\w./-]{1,300}\.go):(\d{1,7})(?::\d{1,7})?:/m;

interface Known {
  package: string;
  test?: string | undefined;
  status?: TestCase["status"];
  output: string;
}

interface Options {
  /** Of go.mod. */
  module: string;
  /** Where go.mod is. */
  folder: string;
}

export function isGoJson(output: string): boolean {
  return /^\{"(?:Time|ImportPath|Action)":.*"Action":"\w/m.test(output) || /^\{"Action":"\w/m.test(output);
}

/** `go test -json`. Lines that are none of its own, as tests print them, are passed over. */
export function parseGoJson(source: string, { module, folder }: Options): ParsedTests {
  const known = new Map<string, Known>();
  let builds = "";
  let plain = "";
  let isOver = false;
  for (const text of source.split("\n")) {
    if (!text.startsWith("{")) {
      // Before Go 1.24 what does not build is told in plain text.
      const unbuilt = NOT_BUILT.exec(text)?.[1];
      if (unbuilt === undefined) plain = `${plain}${text}\n`.slice(0, MOST_OUTPUT);
      else known.set(`${unbuilt}\0`, { package: unbuilt, status: "failed", output: sectionOf(plain, unbuilt) });
      isOver ||= unbuilt !== undefined;
      continue;
    }
    const event = Event.safeParse(parsedJson(text));
    if (!event.success) continue;
    const { Action, Package, Test, Output = "" } = event.data;
    if (Action === "build-output") builds = `${builds}${Output}`.slice(0, MOST_OUTPUT);
    if (Package === undefined) continue;
    const key = `${Package}\0${Test ?? ""}`;
    const one: Known = known.get(key) ?? { package: Package, test: Test, output: "" };
    if (Action === "output" && one.output.length < MOST_OUTPUT) one.output += Output;
    const status = STATUSES.get(Action);
    if (status !== undefined) one.status = status;
    if (status !== undefined && Test === undefined) isOver = true;
    if (known.size < MOST_CASES) known.set(key, one);
  }
  if (!isOver) return UNREADABLE;
  const all = [...known.values()];
  const failed = new Set(
    all
      .filter(({ test, status }) => test !== undefined && status !== "passed" && status !== "skipped")
      .map((one) => one.package),
  );
  const parents = parentsIn(all);
  const drafts = all.flatMap((one): Omit<TestCase, "id">[] => {
    const below = one.package.startsWith(`${module}/`) ? one.package.slice(module.length + 1) : "";
    const place = [folder, below].filter((part) => part !== "").join("/");
    if (one.test === undefined) {
      // A package that fails without a test that does was not built, or crashed around its tests.
      if (one.status !== "failed" || failed.has(one.package)) return [];
      const message = `${builds}${one.output}`.trim();
      return [
        { name: one.package, ...placeIn(message, folder), status: "failed", message, failure: loadFailure(message) },
      ];
    }
    if (parents.has(`${one.package}\0${one.test}`)) return [];
    const name = `${one.package} ${one.test}`;
    // One that never ended was cut off by a crash or the time limit.
    const status = one.status ?? "failed";
    if (status !== "failed") return [{ name, status }];
    const message = one.output.trim();
    return [{ name, ...placeIn(message, place), status, message, failure: bodyFailure(message) }];
  });
  return { tests: identifiedByName(drafts) };
}

/** What the compiler says of a package; all that it says where the error is in one that it needs. */
function sectionOf(plain: string, name: string): string {
  const sections = plain.split(/^(?=# )/m);
  return sections.find((section) => section.split(/\s/, 2)[1] === name) ?? plain;
}

/** Tests that have subtests, whose results they sum up. */
function parentsIn(all: readonly Known[]): Set<string> {
  const parents = new Set<string>();
  for (const one of all) {
    const slash = one.test?.lastIndexOf("/") ?? -1;
    if (slash > 0) parents.add(`${one.package}\0${one.test?.slice(0, slash)}`);
  }
  return parents;
}

const STATUSES = new Map<string, TestCase["status"]>([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);

function placeIn(text: string, folder: string): { file?: string; line?: number } {
  const found = PLACE.exec(text);
  if (found === null) return {};
  const path = (found[1] ?? "").replace(/^\.\//, "");
  return path.startsWith("/")
    ? {}
    : { file: [folder, path].filter((part) => part !== "").join("/"), line: Number(found[2]) };
}
