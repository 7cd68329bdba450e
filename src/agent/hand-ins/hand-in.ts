import type { HandedIn, HandInOrder } from "../../contract/runs/hand-in.ts";
import { readCheck } from "./check.ts";
import { readDiscussion, readExploration } from "./delegated.ts";
import { readPlan } from "./plan.ts";
import type { Read } from "./reading.ts";
import { readReport } from "./report.ts";
import { readSpec } from "./spec.ts";
import { readSpecChange } from "./spec-change.ts";

/** What a run handed in, by what it was asked for. */
export function readHandIn(value: unknown, order: HandInOrder): Read<HandedIn> {
  switch (order.kind) {
    case "spec":
      return read(readSpec(value, order), (spec) => ({ kind: "spec", spec }));
    case "plan":
      return read(readPlan(value, order), (plan) => ({ kind: "plan", plan }));
    case "report":
      return read(readReport(value), (report) => ({ kind: "report", report }));
    case "check":
      return read(readCheck(value, order), (results) => ({ kind: "check", results }));
    case "explore":
      return read(readExploration(value), (found) => ({ kind: "explore", ...found }));
    case "discuss":
      return read(readDiscussion(value), (said) => ({ kind: "discuss", ...said }));
    case "spec-change":
      return read(readSpecChange(value, order), (change) => ({ kind: "spec-change", ...change }));
  }
}

/** In a sentence or two, for lists of runs. */
export function handInSummary(handedIn: HandedIn): string {
  switch (handedIn.kind) {
    case "spec": {
      const { title, requirements } = handedIn.spec;
      return `Spec: ${title} (${counted(requirements.length, "requirement")})`;
    }
    case "plan": {
      const { tasks, phases } = handedIn.plan;
      return `Plan: ${counted(tasks.length, "task")} in ${counted(phases.length, "phase")}`;
    }
    case "report":
      return handedIn.report.summary;
    case "check": {
      const met = handedIn.results.filter((result) => result.met).length;
      return `Checked ${counted(handedIn.results.length, "criterion", "criteria")}: ${met} met`;
    }
    case "explore":
      return handedIn.summary;
    case "discuss":
      return `Rated by ${counted(handedIn.perspectives.length, "perspective")}`;
    case "spec-change":
      return handedIn.spec === undefined ? `Spec unchanged: ${handedIn.reason}` : `Spec change: ${handedIn.reason}`;
  }
}

function read<Value>(outcome: Read<Value>, named: (value: Value) => HandedIn): Read<HandedIn> {
  return outcome.ok ? { ok: true, value: named(outcome.value) } : outcome;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
