import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { isBuilt, SOURCE_STAMP, sourceStamp } from "../src/cli/web-stamp.ts";
import { root } from "./source-files.ts";

const web = join(root, "web");
const DIST = join(web, "dist");
const NEW = join(web, `.build-${process.pid}`);
const OLD = join(web, `.build-${process.pid}-old`);
const LOCK = ".build-lock";

const TEXT = /\.(html|js|css|svg|json|webmanifest|txt)$/;
/** Below this, compressing saves no packet. */
const SMALLEST = 1_024;

const isWanted = !process.argv.includes("--if-stale") || !isBuilt(root);

if (isWanted && (await takeTurn())) {
  // Those of builds that were killed, too.
  const leftovers = () => readdirSync(web).filter((name) => name.startsWith(".build-") && name !== LOCK);
  try {
    for (const name of leftovers()) rmSync(join(web, name), { recursive: true, force: true });
    await build();
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  } finally {
    for (const name of [...leftovers(), LOCK]) rmSync(join(web, name), { recursive: true, force: true });
  }
}

/** Without the headline of the tool, which names no reason. */
function reasonOf(error: unknown): string {
  const told = error instanceof Error ? error.message : String(error);
  return stripVTControlCharacters(told).replace(/^Build failed with \d+ errors?:\s*/, "");
}

/** One build at a time: whoever finds another at work waits for it, and has nothing to do when that one built the same. */
async function takeTurn(): Promise<boolean> {
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(join(web, LOCK), String(process.pid), { flag: "wx" });
      if (!waited || !isBuilt(root)) return true;
      rmSync(join(web, LOCK));
      return false;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (!isHeld()) rmSync(join(web, LOCK), { force: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isHeld(): boolean {
  try {
    const pid = Number(readFileSync(join(web, LOCK), "utf8"));
    // Not written yet: it was taken at this very moment.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Beside the pages that are in use, which are replaced in the end: a build that fails leaves them as they are. */
async function build(): Promise<void> {
  const started = performance.now();
  // Taken first, so that what is changed meanwhile makes this build a stale one.
  const stamp = sourceStamp(root);
  // Whoever builds: a test runner, which has another word here, would get the slow and large React of developers.
  process.env.NODE_ENV = "production";
  const { build: buildWith } = await import("vite");
  await buildWith({
    root: web,
    configFile: join(web, "vite.config.ts"),
    logLevel: "silent",
    build: { outDir: NEW, emptyOutDir: true },
  });
  const files = filesIn(NEW);
  await Promise.all(files.filter((path) => TEXT.test(path)).map(compress));
  writeFileSync(join(NEW, SOURCE_STAMP), `${stamp}\n`);
  try {
    renameSync(DIST, OLD);
  } catch {
    // There was none.
  }
  renameSync(NEW, DIST);
  console.log(
    `Built ${files.length} files of the dashboard in ${((performance.now() - started) / 1_000).toFixed(1)} s.`,
  );
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function compress(path: string): Promise<void> {
  const bytes = readFileSync(path);
  if (bytes.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  if (br.length < bytes.length) writeFileSync(`${path}.br`, br);
  if (gz.length < bytes.length) writeFileSync(`${path}.gz`, gz);
}
