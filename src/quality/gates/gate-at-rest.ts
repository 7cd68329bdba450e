import { join } from "node:path";
import { sandboxProbe } from "../../agent/sandbox/probe.ts";
import type { CheckRequest } from "../../contract/check-request.ts";
import type { DetectedCheck, GateReport } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { removeAtExit, removeLargeFolder } from "../../store/files/folders.ts";
import { type Clock, timeSortedIds } from "../../store/ids.ts";
import { Redactor } from "../../store/secrets/redaction.ts";
import type { Change } from "../../workspace/change.ts";
import { openChecks } from "../checks/open-checks.ts";
import { openPlainRepository } from "../trees/plain-repository.ts";
import { temporaryGatesFolder } from "../trees/scratch.ts";
import { planned } from "./gate-desk.ts";
import { GateEngine } from "./gate-engine.ts";
import type { GateOrder } from "./gate-order.ts";
import { specIn, titleOf } from "./gate-orders.ts";
import type { Ground } from "./ground.ts";
import { gateJudges } from "./judges.ts";
import { repositoryGates } from "./repository-settings.ts";
import { spanBetween } from "./revisions.ts";
import { mergeGateSettings } from "./settings.ts";

export interface AtRest {
  /** Where the person runs the command. */
  folder: string;
  settings: QualityGates;
  /** Where results of checks are kept, if anywhere; absolute. */
  cache?: string | undefined;
  clock: Clock;
  umask: number;
}

export type CheckAtRest = AtRest & Omit<CheckRequest, "workspace">;

/** Judges a change of any repository without a workspace, by what can be checked on this machine. Keeps nothing of it. */
export async function checkAtRest(asked: CheckAtRest): Promise<GateReport> {
  const { clock, base, head, signal, onStage } = asked;
  return withGround(asked, async (ground) => {
    const span = await spanBetween(ground.trees, { base, head });
    const settings = mergeGateSettings(asked.settings, await repositoryGates(ground, span.baseTree));
    const change: Change = { actor: { kind: "person", via: "cli" } };
    const order: GateOrder = {
      ...{ id: `gate-${timeSortedIds(clock)()}`, ground, span, title: titleOf(base, head), type: "other", settings },
      ...{ cycle: 1, hasReview: false, isForced: true, toolchain: "", change },
      spec: await specIn(ground, span, settings),
    };
    if (asked.isDryRun) return planned(order, clock().toISOString());
    const redactor = new Redactor([]);
    const engine = new GateEngine({
      ...{ clock, judges: gateJudges(undefined), onStage, redactorOf: () => redactor },
      store: { save: async () => undefined, withKey: () => undefined, own: () => undefined, find: () => undefined },
    });
    const { report, over } = await engine.begin(order);
    // The person gives it up: nothing continues it later, as with a daemon that stops.
    const cancel = () => void engine.cancel(report.id, change);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    return over;
  });
}

/** What a gate would run, and the settings that it would follow. */
export function detectAtRest(asked: AtRest): Promise<{ checks: DetectedCheck[]; settings: QualityGates }> {
  return withGround(asked, async (ground) => {
    const { trees, checks } = ground;
    const tree = (await trees.tree("HEAD")) ?? (await trees.working());
    const settings = mergeGateSettings(asked.settings, await repositoryGates(ground, tree));
    return { checks: await checks.detect(tree, settings), settings };
  });
}

async function withGround<Result>(
  { folder, cache, umask }: AtRest,
  work: (ground: Ground) => Promise<Result>,
): Promise<Result> {
  const scratch = await temporaryGatesFolder();
  const probe = sandboxProbe();
  // Whoever ends the process early, such as a reader of its output that goes away, leaves nothing behind.
  const atExit = () => removeAtExit(scratch);
  process.once("exit", atExit);
  try {
    const { trees, close } = await openPlainRepository({
      folder,
      scratch: join(scratch, "git"),
      sandbox: probe,
      umask,
    });
    const redactor = new Redactor([]);
    const redact = (text: string) => redactor.text(text);
    const checks = openChecks({ trees, probe, scratch: join(scratch, "checks"), cache, hidden: [], redact });
    try {
      return await work({ trees, checks, prefix: "", close: async () => undefined });
    } finally {
      await close();
    }
  } finally {
    await removeLargeFolder(scratch);
    process.off("exit", atExit);
  }
}
