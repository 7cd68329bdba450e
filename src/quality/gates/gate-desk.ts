import { setTimeout as wait } from "node:timers/promises";
import type { GateReason, GateReport, GateStage } from "../../contract/documents/quality/gate.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteBody, RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import { qualityFigures } from "./figures.ts";
import { type GateEngine, toldOf } from "./gate-engine.ts";
import { gateKey } from "./gate-key.ts";
import type { GateOrder } from "./gate-order.ts";
import type { GateOrders, OrderParts } from "./gate-orders.ts";
import { stagesToJudge } from "./pipeline.ts";
import { repositoryGates } from "./repository-settings.ts";
import { withWaiver } from "./waivers.ts";

/** So many gates make up the figures of a project. */
const MOST_POINTS = 100;
/** More at once would only wait for each other. */
const MOST_RUNNING = 20;

interface Parts extends Pick<OrderParts, "settingsOf" | "chainOf" | "groundOf"> {
  core: Pick<Core, "clock" | "locks">;
  hall: Pick<Hall, "gates" | "projects">;
  engine: GateEngine;
  orders: GateOrders;
  /** Reviews that came to no end and were handed to a person. */
  escalatedIn: (projectId: string) => number;
}

/** What the API asks of the gates. */
export class GateDocuments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(projectId: string, query: RouteQuery<"listGates">) {
    return this.#parts.hall.gates.list(projectId, query);
  }

  async get(id: string): Promise<GateReport> {
    return this.#parts.engine.live(id) ?? this.#parts.hall.gates.get(id);
  }

  async ofRun(runId: string): Promise<GateReport[]> {
    const { hall, chainOf, engine } = this.#parts;
    return chainOf(runId)
      .flatMap((id) => hall.gates.ofRun(id))
      .map((report) => engine.live(report.id) ?? report);
  }

  async quality(projectId: string) {
    const { hall, escalatedIn } = this.#parts;
    return qualityFigures(hall.gates.finished(projectId, MOST_POINTS), escalatedIn(projectId));
  }

  async create(
    projectId: string,
    { body, query }: { body: RouteBody<"createGate">; query: RouteQuery<"createGate"> },
    change: Change,
  ): Promise<GateReport> {
    const { core, engine, orders } = this.#parts;
    if (engine.running >= MOST_RUNNING)
      throw new HallError("gate_refused", `${MOST_RUNNING} gates are running. Wait until one is finished.`);
    const { model, force = false, dryRun = false, wait: seconds } = query;
    const order = await orders.asked(projectId, body, { hasReview: model !== "none", isForced: force, change });
    if (dryRun) return planned(order, core.clock().toISOString());
    // Who asks for the same at the same time waits until it has begun, and gets the same gate.
    const lock = `gate of ${projectId} ${force ? order.id : gateKey(order)}`;
    const { report, over } = await core.locks.run(lock, () => this.#begun(order));
    if (seconds === undefined || report.state === "finished") return report;
    const stopped = new AbortController();
    const late = wait(seconds * 1_000, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    await Promise.race([over.catch(() => undefined), late]);
    stopped.abort();
    return this.get(report.id);
  }

  async #begun(order: GateOrder): Promise<{ report: GateReport; over: Promise<GateReport> }> {
    const { engine } = this.#parts;
    const same = engine.same(order);
    const known = same === undefined ? engine.alike(order) : { report: same, over: Promise.resolve(same) };
    if (known === undefined) return engine.begin(order);
    await order.ground.close();
    return known;
  }

  async cancel(id: string, change: Change): Promise<GateReport> {
    await this.#parts.engine.cancel(id, change);
    return this.get(id);
  }

  /** Only a person accepts what a gate found. */
  async waive(id: string, { findingId, reason }: RouteBody<"waiveFinding">, change: Change): Promise<GateReport> {
    const { core, hall, engine } = this.#parts;
    assertActorMay(change.actor, "waive");
    return core.locks.run(`gate ${id}`, async () => {
      const before = engine.live(id) ?? hall.gates.get(id);
      const at = core.clock().toISOString();
      const after = withWaiver(before, findingId, { by: change.actor.id ?? "person", reason, at });
      if (after === before) return before;
      const told = { ...toldOf(after), findingId };
      await hall.gates.save(
        after,
        { type: "gate.waived", before: { verdict: before.verdict }, after: told },
        { ...change, why: reason },
      );
      return after;
    });
  }

  async detect(projectId: string): Promise<RouteResponse<"detectChecks">> {
    const { hall, groundOf, settingsOf } = this.#parts;
    hall.projects.get(projectId);
    const ground = await groundOf(projectId);
    try {
      const tree = (await ground.trees.tree("HEAD")) ?? (await ground.trees.working());
      const settings = settingsOf(projectId, await repositoryGates(ground, tree));
      return { checks: await ground.checks.detect(tree, settings), settings };
    } finally {
      await ground.close();
    }
  }
}

const PLANNED: GateReason = { code: "dry-run", text: "Nothing was run." };

/** What would be checked. Closes the ground. */
export async function planned(order: GateOrder, at: string): Promise<GateReport> {
  const { id, ground, span, settings, projectId, run, title, cycle } = order;
  try {
    const [changes, checks] = [
      await ground.trees.changes(span.baseTree, span.tree),
      await ground.checks.detect(span.baseTree, settings),
    ];
    const stages = stagesToJudge().map((stage): GateStage => {
      const evidence = notesOf(stage.name, order, checks).map((text) => ({ type: "note" as const, text }));
      return { ...stage, verdict: "skipped", reason: PLANNED, evidence };
    });
    return {
      ...{ id, title, cycle, state: "finished", verdict: "skipped", reason: PLANNED, score: null },
      ...(projectId !== undefined && { projectId }),
      ...(run !== undefined && { runId: run.id, taskId: run.taskId }),
      ...{ threshold: settings.passThreshold, base: span.base, tree: span.tree },
      ...(span.head !== undefined && { head: span.head }),
      files: changes.length,
      additions: changes.reduce((sum, { additions }) => sum + additions, 0),
      deletions: changes.reduce((sum, { deletions }) => sum + deletions, 0),
      ...{ cut: [], stages, costUsd: 0, startedAt: at },
    };
  } finally {
    await ground.close();
  }
}

type Checks = RouteResponse<"detectChecks">["checks"];

function notesOf(name: GateStage["name"], order: GateOrder, checks: Checks): string[] {
  const { settings, spec, hasReview } = order;
  switch (name) {
    case "syntax":
    case "tests": {
      if (name === "tests" && settings.testScope === "none") return ["Turned off in the settings."];
      const found = checks.filter(({ check }) => check === name);
      if (found.length === 0) return ["Nothing was detected that could be run."];
      return found.map(({ command, folder, missing }) => {
        const where = folder === "" ? "" : ` in ${folder}`;
        return missing === undefined ? `Would run: ${command}${where}` : `Can't run: ${command}${where} (${missing})`;
      });
    }
    case "completeness":
      return [
        ...(settings.enforceTDD ? ["Would run the changed tests on the code before the change."] : []),
        ...(settings.proof === "off" ? [] : ["Would undo parts of the change and run the tests."]),
        ...(hasReview ? ["Would ask a reviewer."] : []),
      ];
    case "architecture":
    case "simplicity":
    case "errors":
      return [hasReview ? "Would ask a reviewer." : "Reviewers would not be asked."];
    case "spec_compliance":
    case "traceability":
      return [spec === undefined ? "There is no spec with requirements." : `Would compare with ${settings.spec}.`];
    case "rollout_safety":
      return [settings.rolloutSafety ? "Would be judged." : "Turned off in the settings."];
  }
}
