import { expect, it } from "vitest";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { LocalChecks } from "../checks/local-checks.ts";
import type { Mention, TreeChange, TreeSource } from "../trees/tree-source.ts";
import { onlyDocuments } from "./documents.ts";

const change = (path: string, from?: string): TreeChange => ({
  ...{ path, status: from === undefined ? "modified" : "renamed", additions: 1, deletions: 1, binary: false },
  ...(from !== undefined && { from }),
});

/** Whether a change is left unjudged; `named`: the files that name one of its paths. */
async function isLeft(
  paths: (string | TreeChange)[],
  { settings = {}, named = [], hasTask = false }: { settings?: object; named?: string[]; hasTask?: boolean } = {},
): Promise<boolean> {
  const search = async (): Promise<Mention[]> => named.map((path) => ({ path, line: 1, text: "" }));
  const reason = await onlyDocuments(
    {
      settings: QualityGates.parse(settings),
      ground: {
        trees: { search } as unknown as TreeSource,
        checks: { isCheckSetting: (path: string) => path === "docs/settings.md" } as unknown as LocalChecks,
        ...{ prefix: "", close: async () => undefined },
      },
      span: { base: "b", baseTree: "b", tree: "t" },
      run: hasTask ? ({ id: "run-1" } as never) : undefined,
    },
    paths.map((path) => (typeof path === "string" ? change(path) : path)),
  );
  expect(reason?.code ?? "not-code").toBe("not-code");
  return reason !== undefined;
}

it.each([
  [["README.md"]],
  [["docs/guide.md", "docs/picture.png", "LICENSE"]],
  [["man/tool.txt", "CHANGELOG"]],
  [["assets/logo.svg"]],
  [[change("docs/new.md", "docs/old.md")]],
])("a change of nothing but documents is not judged: %j", async (paths) => {
  expect(await isLeft(paths)).toBe(true);
});

it.each([
  [["README.md", "src/a.ts"]],
  [["README.md", "a.test.js"]],
  [["test/fixtures/expected.md"]],
  [["src/__snapshots__/page.md"]],
  [["requirements.txt"]],
  [["requirements-dev.txt"]],
  [["CMakeLists.txt"]],
  [["package-lock.json"]],
  [["yarn.lock"]],
  [["bun.lockb"]],
  [["Cargo.lock"]],
  [["vitest.config.ts"]],
  [["package.json"]],
  [[".gitattributes"]],
  [["Makefile"]],
  [[".github/workflows/ci.yml"]],
  [["docs/settings.md"]],
  [["docs/conf.py"]],
  [["data.json"]],
  [["module.wasm"]],
  [[change("docs/a.md", "src/a.js")]],
])("a change that touches anything else is judged: %j", async (paths) => {
  expect(await isLeft(paths)).toBe(false);
});

it("is judged where code names the file, which may be data", async () => {
  expect(await isLeft(["src/prompts/review.md"], { named: ["src/prompts.ts"] })).toBe(false);
  expect(await isLeft(["src/prompts/review.md"], { named: ["docs/index.md"] })).toBe(true);
  expect(await isLeft(["data.txt"], { named: ["tests/read.rs"] })).toBe(false);
  expect(await isLeft(["notes.txt"])).toBe(true);
});

it("is judged where a person has something run for every change, or it has a task", async () => {
  expect(await isLeft(["README.md"], { settings: { commands: { tests: "make test" } } })).toBe(false);
  expect(await isLeft(["README.md"], { settings: { testScope: "full" } })).toBe(false);
  expect(await isLeft(["docs/spec.md"], { settings: { spec: "docs/spec.md" } })).toBe(false);
  expect(await isLeft(["README.md"], { hasTask: true })).toBe(false);
});
