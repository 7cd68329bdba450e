import type { SandboxName } from "../../contract/documents/sandbox.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { GateVerdict } from "../../contract/words/gate-words.ts";
import type { TestCount } from "./test-count.ts";

/** Who does something in the demo. */
interface Doer {
  runId: string;
  roleId: string;
  taskId: string;
  /** Of a run that another run started. */
  parentRunId?: string | undefined;
}

/** One thing that happened in the demo: a line for people, a line of JSON for programs. */
export type DemoStep =
  | { step: "hall"; url: string; link: string; folder: string; repository: string; workspace: string }
  | { step: "sandbox"; name: SandboxName; detail: string }
  | { step: "tests"; moment: "before" | "after"; passed: number; failed: number }
  | { step: "project"; projectId: string; name: string }
  | { step: "role"; roleId: string; name: string }
  | { step: "plan"; slug: string; title: string }
  | { step: "task"; taskId: string; title: string }
  | { step: "rule"; requireReview: boolean }
  | { step: "team"; teamId: string; goal: string }
  | { step: "approved"; teamId: string; tasks: number; requirements: number }
  | { step: "delivered"; teamId: string; met: number; requirements: number }
  | ({ step: "started"; title: string } & Doer)
  | ({ step: "edited"; files: string[] } & Doer)
  | ({ step: "ran"; command: string; failed: boolean; tests?: TestCount | undefined } & Doer)
  | ({ step: "nudged"; text: string } & Doer)
  | ({ step: "gate"; verdict: GateVerdict; cycle: number } & Doer)
  | ({ step: "ended"; status: Run["status"]; state?: string | undefined; reason?: string | undefined } & Doer &
      Partial<Record<"files" | "additions" | "deletions", number | undefined>>)
  | DemoSummary;

/** How it came out. */
export interface DemoSummary {
  step: "summary";
  seconds: number;
  tests: { before: TestCount; after: TestCount };
  team: { id: string; met: number; requirements: number };
  runs: number;
  costUsd: number;
  filesChanged: string[];
  commits: string[];
  review: { runId: string; taskId: string; files: number };
  failed: { runId: string; taskId: string };
}

export type Tell = (step: DemoStep) => void;
