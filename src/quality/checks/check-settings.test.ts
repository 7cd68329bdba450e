import { describe, expect, it } from "vitest";
import { isSettingPath, isTestPath, manifestSettings, withBaseSettings } from "./check-settings.ts";

describe("paths", () => {
  it.each([
    "src/a.test.ts",
    "a.spec.jsx",
    "test/helper.js",
    "src/__tests__/a.ts",
    "tests/test_a.py",
    "pkg/a_test.py",
    "conftest.py",
    "a_test.go",
    "tests/a.rs",
    "test.mjs",
  ])("%s is a test", (path) => expect(isTestPath(path)).toBe(true));
  it.each([
    "src/a.ts",
    "src/contest.ts",
    "latest.js",
    "attestation.py",
    "src/testing.go",
    "README.md",
    "tests/data.json",
  ])("%s is none", (path) => expect(isTestPath(path)).toBe(false));
  it.each([
    "tsconfig.json",
    "packages/a/tsconfig.build.json",
    "vitest.config.ts",
    "jest.config.cjs",
    ".mocharc.yml",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
    "mypy.ini",
    "rust-toolchain.toml",
    ".cargo/config.toml",
    "go.work",
    "pytest.toml",
    ".pytest.toml",
    "jest.setup.js",
    "src/setupTests.ts",
    "bunfig.toml",
    "node_modules/.bin/vitest",
    "packages/a/node_modules/jest/index.js",
    ".venv/bin/python",
  ])("%s steers checks", (path) => expect(isSettingPath(path)).toBe(true));
  it.each(["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "src/config.ts", "src/vitest.ts", "conftest.py"])(
    "%s does not, as a whole",
    (path) => expect(isSettingPath(path)).toBe(false),
  );
});

describe("manifests", () => {
  it("keep the scripts and runner settings of the base, and everything else of the change", () => {
    const base = JSON.stringify({ name: "a", scripts: { test: "vitest" }, jest: { bail: true } });
    const changed = JSON.stringify({ name: "b", type: "module", scripts: { test: "true" }, mocha: {} });
    expect(JSON.parse(withBaseSettings("package.json", changed, base) ?? "")).toEqual({
      name: "b",
      type: "module",
      scripts: { test: "vitest" },
      jest: { bail: true },
    });
    expect(manifestSettings("package.json", base)).not.toBe(manifestSettings("package.json", changed));
    const bumped = JSON.stringify({ ...JSON.parse(base), dependencies: { zod: "4" } });
    expect(manifestSettings("package.json", base)).toBe(manifestSettings("package.json", bumped));
  });

  it("keep the tool sections of the base", () => {
    const base = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-x"\n';
    const changed =
      '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = "--co"\n[tool.ruff]\nline-length = 1\n';
    const merged = withBaseSettings("pyproject.toml", changed, base);
    expect(merged).toContain('name = "b"');
    expect(merged).toContain('addopts = "-x"');
    expect(merged).not.toContain("--co");
    expect(merged).toContain("[tool.ruff]");
  });

  it.each([
    ["a table of the sections around", '[tool]\npytest.ini_options.addopts = "--co"\n'],
    ["an inline table", '[tool]\npytest = { ini_options = { addopts = "--co" } }\n'],
    ["keys before all sections", 'tool.pytest.ini_options.addopts = "--co"\n[project]\nname = "b"\n'],
    ["quotes and spaces in a title", "[ tool . 'pytest' . ini_options ]\naddopts = \"--co\"\n"],
    ["an escaped title", '["\\u0074ool".pytest.ini_options]\naddopts = "--co"\n'],
  ])("are not steered by %s", (_, changed) => {
    const base = '[project]\nname = "a"\n';
    expect(manifestSettings("pyproject.toml", changed)).not.toBe(manifestSettings("pyproject.toml", base));
    expect(withBaseSettings("pyproject.toml", changed, base)).not.toContain("--co");
  });

  it("keep the base's plugins of the compiler that a runner loads", () => {
    const changed = JSON.stringify({ babel: { plugins: ["./no-assertions.js"] } });
    expect(manifestSettings("package.json", changed)).not.toBe(manifestSettings("package.json", "{}"));
    expect(withBaseSettings("package.json", changed, "{}")).not.toContain("no-assertions");
  });

  it("that can't be read are left to their runner", () => {
    expect(withBaseSettings("package.json", "{", "{}")).toBeUndefined();
    expect(withBaseSettings("package.json", "[]", "{}")).toBeUndefined();
  });
});
