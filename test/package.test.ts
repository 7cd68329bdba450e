import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { afterAllTests, temporaryFolder } from "./harness/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
/** What `npm pack` reads: what the package holds, and what its two builds are made from. */
const PACKED = ["bin", "src", "scripts", "web", "tsconfig.json", "README.md", "LICENSE", "CHANGELOG.md"];
const MANIFESTS = ["package.json", "package-lock.json"];

describe("the package of npm pack, installed elsewhere", () => {
  const later = afterAllTests();
  let prefix: string;
  let installed: string;

  beforeAll(() => {
    prefix = temporaryFolder(later);
    installed = join(prefix, "lib/node_modules/guildhall");
    const offline = ["--offline", "--cache", join(prefix, "npm-cache")];
    npm(["install", "--global", "--prefix", prefix, ...offline, pack(temporaryFolder(later))], prefix);
    bringNode(installed);
  }, 300_000);

  it("has 'guildhall' among its programs, which plays the demo without sources and without another package", {
    timeout: 300_000,
  }, () => {
    const home = temporaryFolder();
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home };
    const steps = execFileSync(join(prefix, "bin/guildhall"), ["demo", "--once", "--json"], {
      cwd: home,
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(JSON.parse(steps.trim().split("\n").at(-1) ?? "")).toMatchObject({
      step: "summary",
      team: { met: 2, requirements: 2 },
    });
  });

  it("carries every package that it requires", () => {
    const folder = join(installed, "dist/package");
    const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const required = code.flatMap((text) =>
      [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? ""),
    );
    // The canvas is optional to the package that asks for it.
    expect(required.filter((name) => !isBuiltin(name) && name !== "canvas")).toEqual([]);
  });

  it("has the dashboard, the licenses of what it contains, and nothing that npm has to install or run", () => {
    const files = readdirSync(join(installed, "web/dist"));
    expect(files).toContain("index.html");
    expect(readFileSync(join(installed, "dist/package/LICENSES.txt"), "utf8")).toContain("Apache License");
    for (const name of ["README.md", "LICENSE", "CHANGELOG.md"]) expect(existsSync(join(installed, name))).toBe(true);
    const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(dependencies).toBeUndefined();
    expect(Object.keys(scripts)).not.toContainEqual(expect.stringMatching(/^(pre|post)?(install|prepare)$/));
  });
});

/** From a copy: packing replaces the built program, which other tests run. */
function pack(folder: string): string {
  for (const path of [...PACKED, ...MANIFESTS])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (name) => !name.includes("/.build-") });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return join(folder, npm(["pack", "--silent"], folder).trim().split("\n").at(-1) ?? "");
}

function npm(words: readonly string[], cwd: string): string {
  return execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The Node.js that npm would install from its registry. */
function bringNode(folder: string): void {
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const name of Object.keys(optionalDependencies)) {
    const [from, to] = [join(root, "node_modules", name), join(folder, "node_modules", name)];
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  }
}
