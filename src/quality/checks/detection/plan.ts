import { quoted } from "../../../agent/sandbox/sandbox.ts";
import type { DetectedCheck } from "../../../contract/documents/quality/gate.ts";
import type { ReporterName } from "../reporters.ts";

/** How a command says what came of it. */
export type Format =
  | { of: "errors"; by: "tsc" | "go-vet" | "cargo" | "mypy" | "pyright" | "own" }
  | { of: "tests"; by: "jest-json" | "mocha-json" | "own-lines"; in: "report" }
  | { of: "tests"; by: "junit"; in: "report"; firstLine: 0 | 1 }
  /** A JUnit file that the command writes into the checkout. */
  | { of: "tests"; by: "junit"; in: "checkout"; path: string }
  | { of: "tests"; by: "go-json"; in: "output"; module: string }
  | { of: "tests"; by: "cargo"; in: "output" }
  /** TAP or go-json if it prints one of them, else nothing but how it ends. */
  | { of: "tests"; by: "any"; in: "output" };

export interface Selection {
  /** What the change touches, relative to the folder of the check; only what the tree still has. */
  changed: readonly string[];
  scope: "affected" | "full";
  /** Only these test files, relative to the folder of the check. */
  only?: readonly string[] | undefined;
  /** A file that the change takes away: what imported it can't be found by imports any more. */
  removed?: string | undefined;
  /** A selection that may miss a test will do. */
  isRough?: boolean | undefined;
  /** Where the report goes. */
  report: string;
  reporter: (name: ReporterName) => string;
}

export interface Built {
  command: string;
  scope: "affected" | "full";
  /** Why it is the whole suite although a part of it was asked for. */
  fallback?: string | undefined;
}

/** A check that can be carried out, and how. */
export interface Plan extends DetectedCheck {
  format: Format;
  /** The files that it is about. */
  covers: RegExp;
  /** Files of this machine whose replacement makes it another check: programs and lists of installed packages. */
  witnesses: readonly string[];
  /** Folders of this machine that the command reads, and its environment. */
  readable?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Exit codes that say how it ended; others that are not 0 mean that something failed. */
  exits?: Readonly<Record<number, "no-tests" | "config-error" | "infra-failure">> | undefined;
  /** A runner that ends without a report could not load a test. */
  crashesOnLoad?: true | undefined;
  /** What is left out of how the project runs it. */
  notes?: readonly string[] | undefined;
  /** Files that the project's settings name as tests, beside those that are some by convention; full paths. */
  tests?: RegExp | undefined;
  /** Files that the project names as settings of the runner, relative to the root of the repository. */
  settings?: readonly string[] | undefined;
  /** The package of a workspace that it checks, and the names of those that it uses. */
  unit?: { name: string; uses: ReadonlySet<string> } | undefined;
  /** Undefined: it has nothing to do for this selection. */
  build(selection: Selection): Built | undefined;
}

/** What a base tree has, for those who look for checks in it. */
export interface BaseTree {
  paths: ReadonlySet<string>;
  text(path: string): Promise<string | undefined>;
}

/** What is installed on this machine, for a project. Folders are relative to the root of the repository. */
export interface Installed {
  /** The program of a package, relative to the folder, its files to watch, and the version of a package of the same name. */
  nodeProgram(folder: string, name: string): { path: string; witnesses: string[]; version?: string } | undefined;
  /** A program on PATH; absolute. */
  program(name: string): string | undefined;
  /** The Python of a virtual environment of the project, or the machine's. */
  python(folder: string): { path: string; witnesses: string[] } | undefined;
  hasPythonModule(python: string, module: string): Promise<boolean>;
  home: string;
}

export function inFolder(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

export function words(paths: readonly string[]): string {
  return paths.map((path) => quoted(path.startsWith("-") ? `./${path}` : path)).join(" ");
}

export const NO_SELECTION = (tool: string) => `${tool} can't select the tests that a change affects`;
