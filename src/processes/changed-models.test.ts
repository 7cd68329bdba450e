import { expect, it } from "vitest";
import type { ModelRequest } from "../contract/runs/model-call.ts";
import { gateWithChangedModels } from "./changed-models.ts";

it("asks the model that a run has now, and any other that its process names", async () => {
  const asked: string[] = [];
  const runs: Record<string, { model: string; firstModel?: string }> = {
    changed: { model: "own/large", firstModel: "own/small" },
    same: { model: "own/small" },
  };
  const gate = gateWithChangedModels(
    { ask: async ({ model }: ModelRequest) => void asked.push(model) as never },
    { get: (id: string) => ({ run: runs[id] }) as never },
  );
  for (const [runId, model] of [
    ["changed", "own/small"],
    ["changed", "own/reflecting"],
    ["same", "own/small"],
    [undefined, "own/small"],
  ] as const)
    await gate.ask({ model } as ModelRequest, { runId } as never);
  expect(asked).toEqual(["own/large", "own/reflecting", "own/small", "own/small"]);
});
