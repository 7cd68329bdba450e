import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildFolder } from "../../bin/program.js";

const folder = buildFolder(join(import.meta.dirname, "../.."));
export const BUILT_PROJECT = join(folder, "project.cjs");

/** The daemon as people run it: bundled and compiled before, it starts and runs with less work than its sources do. */
export function builtDaemon(): Promise<typeof import("../../src/daemon.ts")> {
  return import(pathToFileURL(join(folder, "daemon.js")).href);
}
