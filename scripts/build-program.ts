import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputChunk } from "rolldown";
import { buildFolder } from "../bin/program.js";
import { makeSnapshot } from "../src/store/host/start-snapshot.ts";
import { importsFromOutside, licenseNotices } from "./bundled-packages.ts";
import { root } from "./source-files.ts";

/**
 * What processes and threads start with, by their paths below src; the daemon is also started by tests. Those of one bundle share
 * code: a project's process, of which there are many, reads none that only others need. It is one file that is no module, as
 * Node asks of a program that it makes a start-up snapshot of.
 */
const PROJECT = "project";
const BUNDLES = [["cli/main", "daemon"], [PROJECT], ["agent/web/page-reader"]];
/** Earlier builds that are kept: a daemon that runs from one still loads parts of it. */
const KEPT = 3;

/** What commands share, in one file: twenty small ones take longer to open than all of it to load. */
const COMMAND_LINE = {
  name: "command-line",
  test: /src\/cli\/(?!main|nouns|talk|demo|setup|completion|dashboard|web-stamp)/,
};

/** Zod brings its messages in 60 languages; only English is used. */
const ENGLISH = {
  name: "english",
  load: (id: string) => (id.endsWith("/zod/v4/locales/index.js") ? "export {};" : null),
};

/**
 * Schemas without parameters, such as `z.string()`, are made once: they never change, and thousands of fields have one of six. A
 * daemon then makes a third fewer schemas when it starts.
 */
const MADE_ONCE = ["string", "number", "int", "boolean", "unknown", "never"];
const SHARED = {
  name: "shared",
  transform: (code: string, id: string) => {
    if (!id.endsWith("/zod/v4/classic/schemas.js")) return null;
    const maker = new RegExp(
      `^export function (${MADE_ONCE.join("|")})\\((?:params)?\\) {\\n +return (.*);\\n}$`,
      "gm",
    );
    let count = 0;
    const shared = code.replaceAll(maker, (_, name, made) => {
      count++;
      return `var only_${name};\nexport function ${name}(params) {\n  return params === undefined ? (only_${name} ??= ${made}) : ${made};\n}`;
    });
    if (count !== MADE_ONCE.length)
      throw new Error(`Zod makes ${MADE_ONCE.length - count} kinds of schemas in another way.`);
    return shared;
  },
};

/** A package that a module requires when it first needs it becomes part of the bundle, and is still loaded that late. */
const CARRIED = {
  name: "carried",
  transform: (code: string, id: string) =>
    id.startsWith(join(root, "src"))
      ? code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, "")
      : null,
};

/** The runtime keeps a source in memory, with two bytes for each character unless all are ASCII. */
const ASCII = {
  name: "ascii",
  generateBundle: (_: unknown, parts: Record<string, { type: string; code?: string }>) => {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const part of Object.values(parts))
      if (part.code !== undefined) part.code = part.code.replaceAll(/[\u0080-\uffff]/g, escaped);
  },
};

/** Node can't keep these in a start-up snapshot: they are taken when they are first used. */
const LATE_MODULES = [
  "async_hooks",
  "child_process",
  "dns/promises",
  "http",
  "https",
  "net",
  "vm",
  "worker_threads",
  "zlib",
];
const LATE = {
  name: "late",
  generateBundle: (_: unknown, parts: Record<string, { type: string; code?: string }>) => {
    const late = new RegExp(`require\\("(node:(?:${LATE_MODULES.join("|")}))"\\)`, "g");
    const take =
      '"use strict";\nconst late = (name) => new Proxy({}, { get: (_, key) => process.getBuiltinModule(name)[key] });';
    for (const part of Object.values(parts))
      if (part.code !== undefined) part.code = `${take}\n${part.code.replaceAll(late, 'late("$1")')}`;
  },
};

const dist = join(root, "dist");
const isPackage = process.argv.includes("--package");
/** An installation without what is needed to build works all the same. */
const isNeeded = !process.argv.includes("--optional");
if (isPackage) rmSync(dist, { recursive: true, force: true });
const target = isPackage ? join(dist, "package") : buildFolder(root);

if (statSync(target, { throwIfNoEntry: false }) === undefined) {
  const started = performance.now();
  const draft = join(dist, `.build-${process.pid}`);
  mkdirSync(dist, { recursive: true });
  try {
    await build(draft);
    place(draft);
    // A package is used elsewhere, where the daemon makes one.
    if (!isPackage && !(await makeSnapshot(join(target, `${PROJECT}.cjs`))))
      console.error("Node.js could not make a start-up snapshot: processes of projects start more slowly.");
    console.log(`Built the program in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
  } catch (error) {
    console.error(`The program could not be built and runs from its sources: ${error}`);
    process.exitCode = isNeeded ? 1 : 0;
  }
  for (const name of outdated()) rmSync(join(dist, name), { recursive: true, force: true });
}

function place(draft: string): void {
  try {
    renameSync(draft, target);
  } catch {
    // Another build of the same sources was faster.
    rmSync(draft, { recursive: true, force: true });
  }
}

async function build(dir: string): Promise<void> {
  const chunks = (await Promise.all(BUNDLES.map((starts) => chunksOf(starts, dir)))).flat();
  const missing = importsFromOutside(chunks);
  if (missing.length > 0) throw new Error(`these packages are not in the bundle: ${missing.join(", ")}`);
  if (isPackage) writeFileSync(join(dir, "LICENSES.txt"), `${licenseNotices(chunks)}\n`);
}

async function chunksOf(starts: string[], dir: string): Promise<OutputChunk[]> {
  const { rolldown } = await import("rolldown");
  const isProject = starts[0] === PROJECT;
  const bundle = await rolldown({
    input: Object.fromEntries(starts.map((path) => [path.replaceAll("/", "-"), join(root, "src", `${path}.ts`)])),
    cwd: root,
    platform: "node",
    external: [/^node:/],
    plugins: [ENGLISH, SHARED, CARRIED, ASCII, ...(isProject ? [LATE] : [])],
    onLog: () => undefined,
  });
  const comments = { legal: true, annotation: false, jsdoc: false };
  const { output } = await bundle.write(
    isProject
      ? { dir, format: "cjs", entryFileNames: "[name].cjs", comments, codeSplitting: false }
      : { dir, format: "esm", comments, codeSplitting: { groups: [COMMAND_LINE] } },
  );
  await bundle.close();
  return output.filter((part) => part.type === "chunk");
}

function outdated(): string[] {
  const age = (name: string) => statSync(join(dist, name)).mtimeMs;
  const builds = readdirSync(dist).filter((name) => !name.startsWith("."));
  return builds.toSorted((a, b) => age(b) - age(a)).slice(KEPT + 1);
}
