import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { callFilters } from "../../store/host/process-tree.ts";
import { filterLoader } from "./filter-loader.ts";

/** A search path with one program of the machine. */
function pathWith(program: string): string | undefined {
  const found = ["/usr/bin", "/usr/local/bin"].map((folder) => join(folder, program)).find((path) => canRun(path));
  if (found === undefined) return undefined;
  const folder = join(temporaryFolder(), "bin");
  mkdirSync(folder);
  symlinkSync(found, join(folder, program));
  return folder;
}

function canRun(path: string): boolean {
  return spawnSync(path, ["--version"]).status === 0;
}

const isLinux = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);

/** Loads the filter before a command, as the sandbox does. */
function runFiltered(program: string, command: string): { status: number | null; output: string } | undefined {
  const path = pathWith(program);
  const loader = path === undefined ? undefined : filterLoader(path);
  if (loader === undefined || "missing" in loader) return undefined;
  const [first = "", ...words] = ["setpriv", "--no-new-privs", ...loader.words, "sh", "-c", command, "sh", "a b"];
  const { status, stdout, stderr } = spawnSync(first, words, { encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

describe.skipIf(!isLinux)("what loads the filter of system calls", () => {
  it.each(["perl", "python3"])("%s sets it, changes nothing else and becomes the command", (program) => {
    const ran = runFiltered(program, 'cat /proc/self/status; echo "$1"; exit 3');
    // Not every machine has both.
    if (ran === undefined) return;
    expect([ran.status, callFilters(ran.output)]).toEqual([3, (callFilters() ?? 0) + 1]);
    expect(ran.output).toMatch(/\na b\n$/);
    const ignored = execFileSync("sh", ["-c", "grep ^SigIgn /proc/self/status"], { encoding: "utf8" });
    expect(ran.output).toContain(ignored);
  });

  it("is missing where there is no interpreter", () => {
    expect(filterLoader(temporaryFolder())).toEqual({ missing: "it needs perl or python3 in /usr/bin" });
  });
});
