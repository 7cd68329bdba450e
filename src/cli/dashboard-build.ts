import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../program.ts";
import type { DashboardBuild } from "./host.ts";
import { isBuilt } from "./web-stamp.ts";

const SCRIPT = "scripts/build-web.ts";
const NEEDED = [SCRIPT, "web/index.html", "node_modules/vite/package.json"];

/** In a process of its own, so that the daemon answers meanwhile; it ends with this one when that stops in order. */
export function buildDashboard(root = PROGRAM_FOLDER): { ended: Promise<DashboardBuild> } | undefined {
  const canBuild = NEEDED.every((path) => existsSync(join(root, path)));
  if (!canBuild || isBuilt(root)) return undefined;
  const started = performance.now();
  const child = spawn(process.execPath, [join(root, SCRIPT)], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const stop = () => child.kill();
  process.once("exit", stop);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(0, 4_000)));
  const ended = new Promise<DashboardBuild>((resolve) => {
    child.on("error", ({ message }) => resolve({ problem: message }));
    child.on("close", (code) => {
      process.off("exit", stop);
      resolve(code === 0 ? { ms: performance.now() - started } : { problem: firstLine(errors) });
    });
  });
  return { ended };
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "the build ended without output.";
}
