import { expect, it } from "vitest";
import { Processes } from "../../processes/processes.ts";
import type { Engine } from "./engine.ts";
import { Scheduler } from "./scheduler.ts";
import type { SchedulerPorts } from "./scheduler-ports.ts";

it("stops although a run that is handed back could be claimed again at once", async () => {
  const job = { runId: "run-1", projectId: "shop", priority: 0, epoch: 1 };
  let claims = 0;
  const engine: Engine = {
    enqueue: async () => true,
    claim: async () => {
      claims++;
      return job;
    },
    renew: async () => true,
    setWaiting: async () => true,
    settle: async () => true,
    release: async () => true,
    park: async () => true,
    wake: async () => undefined,
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const limits = { runs: 8, runsPerProject: 3 } as SchedulerPorts["limits"];
  const onTrouble = () => undefined;
  const processes = new Processes({ onTrouble } as unknown as ConstructorParameters<typeof Processes>[0]);
  const scheduler = new Scheduler({ engine, limits, processes, onTrouble } as unknown as SchedulerPorts);
  await scheduler.enqueue(job);
  await processes.close();
  expect(claims).toBeLessThanOrEqual(1);
});
