import { describe, expect, it } from "vitest";
import { type ControlCandidate, ControlFiles } from "./control-files.ts";

const control = new ControlFiles();
const NONE = async () => ({ before: "", after: "" });
const NO_LINKS = new Map<string, string>();
const added = (path: string): ControlCandidate => ({ path, before: undefined, after: "file" });
const changed = (path: string): ControlCandidate => ({ path, before: "file", after: "file" });

describe("the files that control people's tools", () => {
  it.each([
    ["agent", ["AGENTS.md", "deep/er/CLAUDE.md", ".claude/settings.json", ".mcp.json", ".cursor/rules/a.mdc"]],
    ["agent", [".agents/skills/x/SKILL.md", ".github/copilot-instructions.md", "GEMINI.md"]],
    [
      "ci",
      [".github/workflows/ci.yml", ".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml", "Jenkinsfile"],
    ],
    [
      "editor",
      [".vscode/tasks.json", "app/.idea/workspace.xml", ".devcontainer/devcontainer.json", "a.code-workspace"],
    ],
    ["git", [".gitattributes", "vendor/.gitattributes", ".gitmodules"]],
    ["hook", [".husky/pre-commit", "lefthook.yml", ".pre-commit-config.yaml", ".envrc", ".githooks/pre-push"]],
    ["hook", ["tools/hooks/pre-commit", "x/commit-msg", "post-checkout", "x/Post-Merge", "x/reference-transaction"]],
    ["hook", ["docs/.hg/hgrc", ".jj/repo/config.toml", "flake.nix"]],
    ["agent", [".github/hooks/a.json", ".claude-plugin/plugin.json", "sub/AGENT.md", ".agent/rules/a.md"]],
    ["ci", [".github/CODEOWNERS", "renovate.json", ".readthedocs.yaml", ".build.yml"]],
    ["editor", [".helix/languages.toml", "analysis/.Rprofile", ".lite_project.lua", ".vim/coc-settings.json"]],
    ["package-manager", ["packages/a/package.yaml", "packages/a/package.json5", ".pnp.cjs", "rust-toolchain.toml"]],
    ["package-manager", ["gradlew", "mvnw.cmd", "tools/bazel", ".puppeteerrc.cjs"]],
    ["package-manager", [".npmrc", "web/.yarnrc.yml", ".pnpmfile.cjs", ".yarn/releases/yarn.cjs", "package.json"]],
  ] as const)("are known by their paths at any depth: %s", (kind, paths) => {
    for (const path of paths) expect(control.kindOf(path), path).toBe(kind);
  });

  it("are known in every spelling that some file system takes for the same", () => {
    for (const path of [
      ...["agents.MD", "Claude.md", ".VSCODE/tasks.json", ".Github/WorkFlows/ci.yml", "JENKINSFILE", ".Mcp.JSON"],
      ...[
        ".vs\u200dcode/tasks.json",
        ".vscode\u200c/x",
        "\ufeffAGENTS.md",
        "ＡＧＥＮＴＳ.md",
        ".hu\u017fky/pre-commit",
      ],
      ...[".\u0131dea/workspace.xml", ".vscode./tasks.json", ".vscode /tasks.json"],
    ])
      expect(control.kindOf(path), JSON.stringify(path)).toBeDefined();
  });

  it("are not what only resembles them, nor what a person runs on purpose", () => {
    for (const path of [
      ...["src/agents.ts", "docs/AGENTS.md.txt", "vscode/tasks.json", ".github/ISSUE_TEMPLATE/bug.md", "Makefile"],
      ...[".editorconfig", ".gitignore", "src/index.ts", "workflows/ci.yml", "my-package.json", ".vscodeish/a"],
      ...["src/head/index.ts", "HEAD.md", "docs/pre-commit.md", "src/mygit/config", "tools/bazel/rules.bzl"],
    ])
      expect(control.kindOf(path), path).toBeUndefined();
  });

  it("are links and submodules, too, wherever they would hide some", async () => {
    const link = (path: string): ControlCandidate => ({ path, before: undefined, after: "link" });
    const changes = [link(".vscode"), link(".github"), link("lib/.github"), link("docs"), link("package.json")];
    const submodule: ControlCandidate = { path: "lib/dep", before: "submodule", after: "submodule" };
    expect(await control.among([...changes, submodule], { contentsOf: NONE, links: NO_LINKS })).toEqual([
      { path: ".github", kind: "agent", change: "added" },
      { path: "lib/.github", kind: "agent", change: "added" },
      { path: ".vscode", kind: "editor", change: "added" },
      { path: "lib/dep", kind: "git", change: "changed" },
      { path: "package.json", kind: "package-manager", change: "added" },
    ]);
  });

  it("are what a link at their place leads to", async () => {
    const links = new Map([
      ["tools/code", ".vscode"],
      ["docs/rules.md", "AGENTS.md"],
    ]);
    const changes = [changed("tools/code/tasks.json"), changed("docs/rules.md"), changed("docs/other.md")];
    expect(await control.among(changes, { contentsOf: NONE, links })).toEqual([
      { path: "docs/rules.md", kind: "agent", change: "changed" },
      { path: "tools/code/tasks.json", kind: "editor", change: "changed" },
    ]);
  });

  it("are what several links together lead to, and nothing that other links lead to", async () => {
    const links = control.linksAmong([
      { path: ".vscode", target: "tools/current" },
      { path: "tools/current", target: "./v2/" },
      { path: "tools/v2/tasks.json", target: "../../shared/tasks.json" },
      { path: "docs", target: "shared/docs" },
      { path: ".idea", target: "ring" },
      { path: "ring", target: ".idea" },
    ]);
    const paths = ["tools/v2/settings.json", "shared/tasks.json", "shared/docs/a.md", "tools/v1/a.json"];
    expect(await control.among(paths.map(changed), { contentsOf: NONE, links })).toEqual([
      { path: "shared/tasks.json", kind: "editor", change: "changed" },
      { path: "tools/v2/settings.json", kind: "editor", change: "changed" },
    ]);
  });

  it("are told as removed and added when one is renamed", async () => {
    const changes: ControlCandidate[] = [{ path: ".husky/a", before: "file", after: undefined }, added(".husky/b")];
    expect(await control.among(changes, { contentsOf: NONE, links: NO_LINKS })).toEqual([
      { path: ".husky/a", kind: "hook", change: "removed" },
      { path: ".husky/b", kind: "hook", change: "added" },
    ]);
  });
});

describe("a package.json", () => {
  const isControl = async (before: string | undefined, after: string | undefined, path = "package.json") =>
    (await control.among([changed(path)], { contentsOf: async () => ({ before, after }), links: NO_LINKS })).length > 0;
  const of = (more: object) => JSON.stringify({ name: "shop", version: "1.0.0", ...more });

  it("is one when its scripts or other keys that start programs differ", async () => {
    expect(await isControl(of({ scripts: { test: "a" } }), of({ scripts: { test: "b" } }))).toBe(true);
    expect(await isControl(of({}), of({ scripts: { postinstall: "x" } }), "packages/web/package.json")).toBe(true);
    expect(await isControl(of({ scripts: { prepare: "x" } }), of({}))).toBe(true);
    expect(await isControl("", of({ scripts: { test: "x" } }))).toBe(true);
    expect(await isControl(of({}), of({ "lint-staged": { "*": "x" } }))).toBe(true);
    expect(await isControl(of({}), of({ packageManager: "yarn@4" }))).toBe(true);
    expect(await isControl('{"scripts": {"a": "x"}}', '{"scripts": {"a": "x"}, "scripts": {"a": "y"}}')).toBe(true);
  });

  it("is one when a dependency comes from elsewhere than a registry, because an install runs its scripts", async () => {
    for (const source of [
      ...["file:vendor/x.tgz", "./vendor/x.tgz", "vendor/x.tgz", "link:../x", "exec:./make.js", "user/repository"],
      ...["https://attacker.invalid/x.tgz", "git+ssh://git@attacker.invalid/x", "github:user/repository"],
    ]) {
      expect(await isControl(of({}), of({ devDependencies: { x: source } })), source).toBe(true);
      expect(await isControl(of({}), of({ overrides: { a: { x: source } } })), source).toBe(true);
    }
    for (const source of ["^1.2.3", ">=1 <2 || 3.x", "latest", "", "npm:other@1", "workspace:*", "catalog:"])
      expect(await isControl(of({}), of({ dependencies: { x: source } })), source).toBe(false);
    const local = { dependencies: { x: "file:x.tgz", y: "1" } };
    expect(await isControl(of(local), of({ dependencies: { ...local.dependencies, y: "2" } }))).toBe(false);
  });

  it("is none when only other keys, their order or its layout differ", async () => {
    expect(await isControl(of({}), of({ version: "2.0.0", dependencies: { zod: "4" } }))).toBe(false);
    expect(await isControl('{"scripts":{"a":"x","b":"y"}}', '{ "scripts": { "b": "y", "a": "x" } }')).toBe(false);
    expect(await isControl("", of({ dependencies: {} }))).toBe(false);
  });

  it("is one when either side cannot be read as such", async () => {
    const deep = `{"scripts": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(await isControl(deep, `${deep} `)).toBe(true);
    for (const text of ["{", "[]", "null", '"x"', "\ufeff{}", undefined]) {
      expect(await isControl(text, of({})), text).toBe(true);
      expect(await isControl(of({}), text), text).toBe(true);
    }
  });
});

describe("the list in config.yml", () => {
  it("adds patterns and removes built-in ones", async () => {
    const own = new ControlFiles({
      add: [
        { pattern: "Makefile", kind: "hook" },
        { pattern: "/deploy/*.sh", kind: "ci" },
        { pattern: "package.json", kind: "package-manager" },
      ],
      remove: ["Jenkinsfile*", ".vscode/"],
    });
    expect(own.kindOf("src/makefile")).toBe("hook");
    expect(own.kindOf("deploy/go.sh")).toBe("ci");
    expect(own.kindOf("app/deploy/go.sh")).toBeUndefined();
    expect(own.kindOf("Jenkinsfile")).toBeUndefined();
    expect(own.kindOf(".vscode/tasks.json")).toBeUndefined();
    expect(own.kindOf(".idea/x")).toBe("editor");
    const contentsOf = async () => ({ before: '{"a":1}', after: '{"a":2}' });
    expect(await own.among([changed("package.json")], { contentsOf, links: NO_LINKS })).toHaveLength(1);
  });
});
