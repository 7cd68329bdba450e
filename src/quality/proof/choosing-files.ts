import { basename } from "node:path/posix";
import type { GateSubject } from "../gates/subject.ts";
import type { TreeChange } from "../trees/tree-source.ts";
import { languageOf } from "./languages.ts";
import { readTests } from "./test-cases.ts";
import type { ChangedTestFile } from "./weakened-tests.ts";

/** By this file pytest lets a folder choose its tests, whatever is in the files of the tests. */
const HOOKS = "conftest.py";
/** Without it unittest does not look into a folder; with this function it chooses the tests there. */
const PACKAGE = "__init__.py";
const CHOOSES = /\bload_tests\b/;

/** Files of the change that decide which tests of their folder run. */
export async function choosingFiles({ trees, tree, changes }: GateSubject): Promise<string[]> {
  const found = await Promise.all(
    changes.map(async ({ path, from = path, status }) => {
      const name = basename(path);
      if (name === HOOKS && status !== "deleted") return [path];
      if (basename(from) === PACKAGE && (status === "deleted" || status === "renamed")) return [from];
      const isPackage = name === PACKAGE && CHOOSES.test(String((await trees.read(tree, path)) ?? ""));
      return isPackage ? [path] : [];
    }),
  );
  return found.flat();
}

const MOST_READ = 300;
const MODULES = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*;|#!?\[(?:cfg|path)\b.*|\binclude!.*/gm;

/**
 * Rust: the manifest, or a line elsewhere, decides which files are compiled, and a runner says nothing of the rest. All files with
 * tests, where the change touches one of these.
 */
export async function unlistedFiles(subject: GateSubject): Promise<ChangedTestFile[]> {
  const { trees, tree, changes } = subject;
  const isTouched = await Promise.all(changes.map((change) => choosesModules(subject, change)));
  if (!isTouched.includes(true)) return [];
  const changed = new Set(changes.map(({ path }) => path));
  const sources = (await trees.paths(tree)).filter((path) => path.endsWith(".rs") && !changed.has(path));
  const files = await Promise.all(
    sources.slice(0, MOST_READ).map(async (path) => {
      const text = String((await trees.read(tree, path)) ?? "");
      return { path, before: text, after: text };
    }),
  );
  return files.filter(({ path, after }) => {
    const language = languageOf(path);
    return language !== undefined && readTests(after, language).cases.length > 0;
  });
}

async function choosesModules({ trees, baseTree, tree }: GateSubject, change: TreeChange): Promise<boolean> {
  const { path, from = path } = change;
  if (basename(path) === "Cargo.toml") return true;
  if (!path.endsWith(".rs")) return false;
  const lines = async (of: string, at: string) =>
    String((await trees.read(of, at)) ?? "")
      .match(MODULES)
      ?.join("\n") ?? "";
  return (await lines(baseTree, from)) !== (await lines(tree, path));
}
