import type { ModelGate } from "../models/gate.ts";
import type { Core } from "../workspace/core.ts";

type Gate = Pick<ModelGate, "ask">;

/** The gate, asking the model that a run has now: its process knows only the one that it was started with. */
export function gateWithChangedModels(gate: Gate, runs: Pick<Core["runs"], "get">): Gate {
  return {
    ask: (request, caller) => {
      const { firstModel, model } = (caller.runId === undefined ? undefined : runs.get(caller.runId)?.run) ?? {};
      const isChanged = model !== undefined && firstModel === request.model;
      return gate.ask(isChanged ? { ...request, model } : request, caller);
    },
  };
}
