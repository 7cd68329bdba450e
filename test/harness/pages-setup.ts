import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { unpackedChromium } from "./chromium.ts";

const root = join(import.meta.dirname, "../..");

/** Once before all tests of pages: the pages as they are now, and a browser to see them with. */
export default async function setup(): Promise<void> {
  const build = spawnSync(process.execPath, ["scripts/build-web.ts", "--if-stale"], { cwd: root, encoding: "utf8" });
  if (build.status !== 0) throw new Error(`The pages could not be built:\n${build.stdout}\n${build.stderr}`);
  await unpackedChromium();
}
