import { posix } from "node:path";
import { type Import, type ImportKind, importsOf } from "./imports.ts";

/** Sources by their path from the repository's root, with forward slashes. */
export type SourceFiles = ReadonlyMap<string, string>;

const FLOORS = [
  "contract",
  "store",
  "workspace",
  "models",
  "agent",
  "worker",
  "processes",
  "runs",
  "results",
  "projects",
  "people",
  "quality",
  "teams",
  "autonomy",
  "server",
  "cli",
];

/** Composition roots: no floor sees them; cli alone may load the daemon, lazily. */
const ROOTS = ["daemon", "project"];

/** What a project's process runs. It has no keys: what the gate to models knows stays in the daemon, and it stays here. */
const WORKER = "worker";

/** What the root of a project's process sees. */
const IN_PROJECT = ["contract", WORKER];

/** The ground below the floors: where this program's own files are. It imports no floor. */
const GROUND = "program";

const MAY_TOUCH_FILES = [GROUND, "store", "cli", "daemon"];

/** The tables of the index, and whatever hands them out. Those above `workspace` ask its read models (`records.ts`). */
const INDEX = /^src\/(store\/(.*\/)?([^/]+-table|hall-index|database)|workspace\/(.*\/)?indexed-core)\.ts$/;

/** A place in the house: a floor's name, or a composition root's. */
type Place = string;

interface Use {
  from: { path: string; place: Place; isTest: boolean };
  specifier: string;
  kind: ImportKind;
}

/** One line for every import under src/ that goes against the direction of the floors. */
export function floorProblems(files: SourceFiles): string[] {
  return [...files].flatMap(([path, source]) =>
    problemsOf(path, importsOf(path, source)).map((problem) => `${path}: ${problem}`),
  );
}

/** One line for every circle of imports. */
export function cycleProblems(files: SourceFiles): string[] {
  const imported = new Map([...files].map(([path, source]) => [path, importedBy(path, importsOf(path, source))]));
  return cyclesIn(imported).map((cycle) => `import cycle: ${cycle.join(" → ")}`);
}

function problemsOf(path: string, imports: Import[]): string[] {
  const place = placeOf(path);
  if (place === undefined) return ["lies on no floor; src/ holds the floors and their composition roots only"];
  const from = { path, place, isTest: path.endsWith(".test.ts") };
  return imports.flatMap(({ specifier, kind }) => {
    if (specifier === undefined) return ["imports a computed path, which nobody can check"];
    const use = { from, specifier, kind };
    return (specifier.startsWith(".") ? insideRefusal(use) : outsideRefusal(use)) ?? [];
  });
}

function insideRefusal({ from, specifier, kind }: Use): string | undefined {
  const target = posix.join(posix.dirname(from.path), specifier);
  if (!target.startsWith("src/")) {
    const allowed = from.isTest || target === "package.json";
    return allowed ? undefined : `imports ${target}, which is not part of the program`;
  }
  const to = placeOf(target);
  if (to === undefined) return `imports ${target}, which lies on no floor`;
  if (to === from.place) return undefined;
  const table = tableRefusal(from, target);
  if (table !== undefined) return table;
  const process = processRefusal(from, to);
  if (process !== undefined || ROOTS.includes(from.place)) return process;
  if (to === GROUND) return from.place === "contract" ? "contract must not import program.ts" : undefined;
  if (from.place === "cli") return cliRefusal(to, kind);
  if (ROOTS.includes(to)) return `${from.place} must not import the composition root ${target}`;
  return FLOORS.indexOf(to) < FLOORS.indexOf(from.place)
    ? undefined
    : `${from.place} must not import ${to}, which stands above it`;
}

/** Types included: whoever knows a table's shape depends on it. */
function tableRefusal({ place, isTest }: Use["from"], target: string): string | undefined {
  const isAbove = ROOTS.includes(place) || FLOORS.indexOf(place) > FLOORS.indexOf("workspace");
  if (isTest || !isAbove || !INDEX.test(target)) return undefined;
  return `${place} must not import ${target}, a part of the index; workspace/records.ts has what may be asked of it`;
}

/** The daemon and a project's process run different floors. Tests may bring the two sides together. */
function processRefusal({ place, isTest }: Use["from"], to: Place): string | undefined {
  if (place === "project")
    return IN_PROJECT.includes(to) ? undefined : `project.ts must not import ${to}, only ${IN_PROJECT.join(" and ")}`;
  if (to === WORKER && !isTest) return `${place} must not import worker, which runs in a project's process`;
  if (place === WORKER && to === "models") return "worker must not import models, which runs in the daemon";
  return undefined;
}

/** A command talks to the daemon over HTTP; only `up` becomes one, and no other command should pay for loading it. */
function cliRefusal(to: Place, kind: ImportKind): string | undefined {
  if (to === "contract" || (to === "daemon" && kind === "lazy")) return undefined;
  return to === "daemon" ? "cli may reach daemon.ts by import() only" : `cli must not import ${to}, only contract`;
}

function outsideRefusal({ from, specifier }: Use): string | undefined {
  if (from.isTest) return undefined;
  if (from.place === "contract" && specifier !== "zod") return `contract must not import ${specifier}, only zod`;
  const name = specifier.replace(/^node:/, "");
  if (name === "sqlite" && from.place !== "store") return `${from.place} must not import ${specifier}; store does`;
  if (name.startsWith("@ai-sdk/") && from.place !== "models")
    return `${from.place} must not import ${specifier}; models does`;
  const isFiles = name === "fs" || name.startsWith("fs/");
  if (isFiles && !MAY_TOUCH_FILES.includes(from.place)) return `${from.place} must not import ${specifier}; store does`;
  return undefined;
}

function placeOf(path: string): Place | undefined {
  const [, first = "", ...below] = path.split("/");
  if (below.length > 0) return FLOORS.includes(first) ? first : undefined;
  const name = first.replace(/(\.test)?\.ts$/, "");
  return name === GROUND || ROOTS.includes(name) ? name : undefined;
}

/** Types count too: files that know each other by types alone cannot be read one after the other either. */
function importedBy(path: string, imports: Import[]): string[] {
  return imports.flatMap(({ specifier }) =>
    specifier?.startsWith(".") ? posix.join(posix.dirname(path), specifier) : [],
  );
}

/** Each circle of files once, as the path that closes it. */
function cyclesIn(loads: ReadonlyMap<string, string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const next of loads.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of loads.keys()) walk(path, []);
  return cycles;
}
