import type { Checked, CheckOrder, LocalChecks, TestCase } from "../../src/quality/checks/local-checks.ts";
import type { MemoryTrees } from "./memory-trees.ts";

type Play = (files: Readonly<Record<string, string>>, order: CheckOrder) => Partial<Checked> | TestCase[];

/** A test runner that is a function of the files. Keeps what it was asked for. */
export class PlayedChecks implements LocalChecks {
  readonly orders: CheckOrder[] = [];
  readonly #trees: MemoryTrees;
  readonly #play: Play;

  constructor(trees: MemoryTrees, play: Play) {
    this.#trees = trees;
    this.#play = play;
  }

  async tests(order: CheckOrder): Promise<Checked> {
    this.orders.push(order);
    const played = this.#play(this.#trees.files(order.tree), order);
    const tests = Array.isArray(played) ? played : (played.tests ?? []);
    const verdict = tests.some(({ status }) => status === "failed") ? "fail" : "pass";
    const kind = verdict === "fail" ? "test-failures" : "none";
    return { verdict, kind, evidence: [], errors: [], ...(Array.isArray(played) ? {} : played), tests };
  }

  isTest(path: string): boolean {
    return /\.test\.ts$|_test\.go$|(?:^|\/)test_\w+\.py$/.test(path);
  }

  isCheckSetting(path: string): boolean {
    return /(?:^|\/)(?:tsconfig\.json|vitest\.config\.ts|pytest\.ini)$/.test(path);
  }

  detect(): never {
    throw new Error("not played");
  }

  toolchain(): never {
    throw new Error("not played");
  }

  syntax(): never {
    throw new Error("not played");
  }
}
