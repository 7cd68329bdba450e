import { expect, it } from "vitest";
import type { HallEvent } from "../../contract/event.ts";
import { hookMoments } from "./hook-moments.ts";
import type { HookInput } from "./hooks.ts";

it("tells hooks of a gate when it has finished, with its verdict, and nothing before", () => {
  const heard: HookInput[] = [];
  const moments = hookMoments({
    toolsOf: () => [],
    has: (event) => event === "GateFinished",
    isEnabled: () => false,
    run: async (input) => {
      heard.push(input);
      return { refused: false, traces: [] };
    },
  });
  const after = { runId: "run-1", taskId: "TASK-001", cycle: 2, verdict: "fail", score: 72 };
  const event = {
    projectId: "shop",
    subject: { kind: "gate", id: "gate-1" },
    actor: { kind: "daemon", via: "daemon" },
    after,
  };
  for (const type of ["gate.started", "gate.stage", "gate.finished"])
    moments.heed({ ...event, type } as unknown as HallEvent);
  expect(heard).toEqual([
    {
      hook_event_name: "GateFinished",
      project_id: "shop",
      session_id: "run-1",
      run_id: "run-1",
      task_id: "TASK-001",
      gate: { id: "gate-1", cycle: 2, verdict: "fail", score: 72 },
    },
  ]);
});
