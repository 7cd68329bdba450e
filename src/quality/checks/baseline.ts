import type { TestCase } from "./local-checks.ts";

/** How a test did in one run; undefined where the run did not have it. */
type Seen = TestCase["status"] | undefined;

export interface Sighting {
  test: TestCase;
  /** The second try on the same tree. */
  again: Seen;
  /** On the base, tried twice where the test is unsteady here; undefined without a baseline. */
  base: readonly Seen[] | undefined;
  /** Whether the person listed it. */
  isListed: boolean;
}

/**
 * `blocks`: it fails because of the change. `known`: it fails on the base too, or is listed. `unsteady`: it fails and passes
 * here, and was steady before. `flaky`: it is unsteady on the base too.
 */
export type Standing = "blocks" | "known" | "unsteady" | "flaky";

/** What a failed test counts for. */
export function standingOf({ again, base, isListed }: Sighting): Standing {
  if (isListed) return "known";
  const isUnsteady = again === "passed";
  if (base === undefined) return isUnsteady ? "unsteady" : "blocks";
  if (!isUnsteady) return base.some((seen) => seen === "failed") ? "known" : "blocks";
  return base.some((seen) => seen === "failed") ? "flaky" : "unsteady";
}

export function statusIn(tests: readonly TestCase[]): ReadonlyMap<string, TestCase["status"]> {
  return new Map(tests.map(({ id, status }) => [id, status]));
}
