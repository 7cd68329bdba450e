import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildFolder } from "../../bin/program.js";
import { clearMemoryFolder } from "./memory-folder.ts";

/** Once before all tests: the program as built from these sources, which is what people run. */
export default function setup(): void {
  clearMemoryFolder();
  const cwd = join(import.meta.dirname, "../..");
  delete process.env.GUILDHALL_BUILD;
  const build = spawnSync(process.execPath, ["scripts/build-program.ts"], { cwd, encoding: "utf8" });
  if (build.status !== 0) throw new Error(`The program could not be built:\n${build.stdout}\n${build.stderr}`);
  // What is started below starts from it, without looking through the sources.
  process.env.GUILDHALL_BUILD = buildFolder(cwd);
}
