import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { QualityGates } from "../../src/contract/documents/quality/quality-gates.ts";
import type { CheckOrder } from "../../src/quality/checks/local-checks.ts";
import { openChecks } from "../../src/quality/checks/open-checks.ts";
import type { GateSubject } from "../../src/quality/gates/subject.ts";
import { GitTrees } from "../../src/quality/trees/git-trees.ts";
import { realPlaceOf } from "../../src/store/files/folders.ts";
import { type PersonsRepository, repository } from "./repository.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { trustingGit } from "./trusting-git.ts";

const probe = sandboxProbe();

interface Options {
  /** Where packages are installed; the repository itself unless given. */
  packages?: string;
  cache?: string;
  sandbox?: typeof probe;
}

/** A repository with one commit, its trees and its checks, and what is asked of them. */
export function checkedRepository(files: Record<string, string>, { packages, cache, sandbox = probe }: Options = {}) {
  const person = repository(files);
  return { person, ...checksOf(person, { packages, cache, sandbox }) };
}

export function checksOf(
  person: PersonsRepository,
  { packages = person.root, cache, sandbox = probe }: { [Key in keyof Options]: Options[Key] | undefined },
) {
  const root = realPlaceOf(temporaryFolder());
  const records = person.at(".git");
  const work = { checkout: packages, records };
  const trees = new GitTrees({ git: trustingGit(), repository: records, work, scratch: join(root, "trees") });
  onTestFinished(() => trees.close());
  const checks = openChecks({
    trees,
    probe: sandbox,
    scratch: join(root, "checks"),
    ...(cache === undefined ? {} : { cache }),
    hidden: [],
    redact: (text) => text.replaceAll("hunter2", "[secret]"),
  });
  /** The tree of these files on top of HEAD; null takes one away. */
  const treeWith = async (changed: Record<string, string | null>): Promise<string> => {
    const placed = await Promise.all(
      Object.entries(changed).map(async ([path, text]) => ({
        path,
        entry: text === null ? undefined : { mode: "100644", object: await trees.blob(Buffer.from(text)) },
      })),
    );
    return trees.place("HEAD", placed);
  };
  const orderFor = async (tree: string, part: Partial<CheckOrder> = {}): Promise<CheckOrder> => ({
    tree,
    base: (await trees.tree("HEAD")) ?? "",
    scope: "affected",
    purpose: "tests",
    settings: QualityGates.parse({}),
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...part,
  });
  const subjectFor = async (tree: string, settings: object = {}): Promise<GateSubject> => {
    const baseTree = (await trees.tree("HEAD")) ?? "";
    return {
      trees,
      checks,
      base: (await trees.commit("HEAD")) ?? "",
      baseTree,
      tree,
      changes: await trees.changes(baseTree, tree),
      settings: QualityGates.parse(settings),
      cycle: 1,
      type: "feature",
      signal: new AbortController().signal,
    };
  };
  return { trees, checks, treeWith, orderFor, subjectFor };
}
