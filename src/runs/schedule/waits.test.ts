import { expect, it } from "vitest";
import { Locks } from "../../workspace/locks.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import { Waits } from "./waits.ts";

type Parts = ConstructorParameters<typeof Waits>[0];

it("takes a wait back whose model call was sent while it was written down", async () => {
  const lines: string[] = [];
  let known = { run: { id: "run-1", projectId: "shop", status: "running" } } as IndexedRun;
  const waits = new Waits({
    core: { clock: () => new Date(0), locks: new Locks() },
    book: {
      waiting: async (_: IndexedRun, { parked, at }: { parked: object; at: string }) => {
        lines.push("waiting");
        known = { ...known, waiting: { ...parked, since: at } } as IndexedRun;
      },
      resumed: async () => void lines.push("resumed"),
    },
    progress: { find: () => known },
    scheduler: {
      park: async (_: string, write: () => Promise<boolean>) => {
        expect(await write()).toBe(true);
        return false;
      },
    },
  } as unknown as Parts);
  expect(await waits.park("run-1", { reason: "budget", text: "" })).toBe(false);
  expect(lines).toEqual(["waiting", "resumed"]);
});
