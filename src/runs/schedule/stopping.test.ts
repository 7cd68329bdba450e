import { expect, it } from "vitest";
import { HallError } from "../../contract/errors.ts";
import { stopEverything } from "./stopping.ts";

type Parts = Parameters<typeof stopEverything>[0];

it("ends every process, also when one run cannot be recorded as cancelled and another is gone meanwhile", async () => {
  const told: string[] = [];
  const cancelled: string[] = [];
  const failures: Record<string, HallError> = {
    "run-1": new HallError("storage_failed", "The disk is full."),
    "run-2": new HallError("run_not_found", "There is no run 'run-2'."),
  };
  const parts = {
    core: {
      runs: { unsettled: () => ["run-1", "run-2", "run-3"].map((id) => ({ run: { id } })) },
      shown: {
        reflect: (work: () => void) => work(),
        available: async () => undefined,
        expect: () => undefined,
        noteEvent: () => undefined,
      },
      events: {
        commit: async (drafts: { type: string; after: { runs: string[] } }[]) => {
          told.push(...drafts.map(({ type, after }) => `${type} ${after.runs}`));
          return { events: [{ seq: 1 }], change: { state: "applied" } };
        },
      },
    },
    runs: {
      cancel: async (id: string) => {
        if (failures[id] !== undefined) throw failures[id];
        await new Promise((resolve) => setImmediate(resolve));
        cancelled.push(id);
      },
      get: (id: string) => {
        if (id === "run-2") throw failures[id];
        return { id, status: "cancelled" };
      },
    },
    stopAnswers: async () => undefined,
    processes: {
      end: async () => {
        told.push(`processes after ${cancelled}`);
        return 1;
      },
    },
  } as unknown as Parts;
  const stop = stopEverything(parts, undefined, { actor: { kind: "person", via: "http" } });
  await expect(stop).rejects.toMatchObject({ code: "storage_failed" });
  expect(told).toEqual(["processes after run-3", "runs.stopped run-1,run-3"]);
});
