import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TASK_FOLDERS, TASK_STATUSES, type TaskStatus } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import { folderOf } from "../layout.ts";
import { assertLegalMove, findCycle, settleStatus, statusFields } from "./task-rules.ts";

const NOON = "2026-03-01T12:00:00.000Z";

/** As the design writes it. */
const LEGAL = `
pending → assigned in-progress blocked cancelled failed
assigned → pending in-progress blocked cancelled failed
in-progress → review done blocked failed cancelled pending
review → done in-progress blocked pending failed cancelled
blocked → pending in-progress review done failed cancelled
done → in-progress
failed → pending in-progress cancelled
cancelled → pending`;

const isLegal = (from: string, to: string) =>
  LEGAL.split("\n").some((line) => line.startsWith(`${from} →`) && line.split(" → ")[1]?.split(" ").includes(to));

describe("a move", () => {
  it.each(TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to) => [from, to] as const)))(
    "from %s to %s is allowed or refused as the board's rules say [S0-TASK-09]",
    (from, to) => {
      const move = () => assertLegalMove({ id: "TASK-001", status: from }, to);
      if (isLegal(from, to)) return expect(move).not.toThrow();
      expect(move).toThrow(HallError);
      expect(move).toThrow(expect.objectContaining({ code: "illegal_move" }));
      const legal = TASK_STATUSES.filter((status) => isLegal(from, status));
      for (const status of legal) expect(move).toThrow(status);
    },
  );

  it("says so when the task is there already", () => {
    expect(() => assertLegalMove({ id: "TASK-001", status: "done" }, "done")).toThrow(
      "TASK-001 is already done. From done it can become in-progress.",
    );
  });
});

describe("what a move writes", () => {
  const task = { history: [], startedAt: "earlier", completedAt: "earlier", outcome: "full" } as unknown as TaskRecord;
  const fields = (to: TaskStatus, from = task) => statusFields(from, { at: NOON, from: "pending", to, by: "agent" });

  it("is one more step of the history", () => {
    expect(fields("review").history).toEqual([{ at: NOON, from: "pending", to: "review", by: "agent" }]);
  });

  it("is the first start, which later ones do not change", () => {
    const { startedAt, ...fresh } = task;
    expect(fields("in-progress", fresh as TaskRecord).startedAt).toBe(NOON);
    expect(fields("in-progress").startedAt).toBe("earlier");
    expect(fields("pending", fresh as TaskRecord).startedAt).toBeUndefined();
  });

  it("is the end of a task that ends, and neither end nor outcome for one that goes on", () => {
    for (const status of TASK_STATUSES) {
      const ends = ["done", "failed", "cancelled"].includes(status);
      expect(fields(status)).toMatchObject(
        ends ? { completedAt: NOON, outcome: "full" } : { completedAt: undefined, outcome: undefined },
      );
    }
  });
});

describe("the status of a file found on the board", () => {
  const found = fc.record({
    status: fc.option(fc.constantFrom(...TASK_STATUSES), { nil: undefined }),
    folder: fc.constantFrom(...TASK_FOLDERS),
  });
  const known = fc.option(fc.constantFrom(...TASK_STATUSES), { nil: undefined });

  it("is what the frontmatter says where the folder agrees, whatever was known", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TASK_STATUSES), known, (status, before) => {
        expect(settleStatus({ status, folder: folderOf(status) }, before)).toBe(status);
      }),
    );
  });

  it("always belongs to the folder or is the one in the frontmatter", () => {
    fc.assert(
      fc.property(found, known, (file, before) => {
        const settled = settleStatus(file, before);
        expect(settled === file.status || folderOf(settled) === file.folder).toBe(true);
      }),
    );
  });

  it("comes from the folder when the file was dragged, from the frontmatter when that was edited", () => {
    expect(settleStatus({ status: "pending", folder: "review" }, "pending")).toBe("review");
    expect(settleStatus({ status: "review", folder: "todo" }, "pending")).toBe("review");
    expect(settleStatus({ status: "review", folder: "done" }, "pending")).toBe("review");
    expect(settleStatus({ status: "review", folder: "todo" }, undefined)).toBe("review");
    expect(settleStatus({ status: undefined, folder: "todo" }, undefined)).toBe("pending");
    expect(settleStatus({ status: undefined, folder: "failed" }, "pending")).toBe("failed");
    expect(settleStatus({ status: "done", folder: "todo" }, "done")).toBe("pending");
  });
});

describe("a circle of dependencies", () => {
  const graph =
    (edges: Record<string, string[]>) =>
    (id: string): string[] =>
      edges[id] ?? [];

  it("is found with the way round", () => {
    expect(findCycle("a", graph({ a: ["a"] }))).toEqual(["a", "a"]);
    expect(findCycle("a", graph({ a: ["b"], b: ["c"], c: ["a"] }))).toEqual(["a", "b", "c", "a"]);
    expect(findCycle("a", graph({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] }))).toBeUndefined();
    expect(findCycle("a", graph({ a: ["b"], b: ["c"], c: ["b"] }))).toBeUndefined();
  });

  it("is found exactly when a task can be reached from itself, in any graph", () => {
    const names = [..."abcdef"];
    const edges = fc.dictionary(fc.constantFrom(...names), fc.subarray(names));
    fc.assert(
      fc.property(edges, (found) => {
        const reached = new Set<string>();
        const walk = (id: string): void => {
          for (const next of found[id] ?? []) {
            if (reached.has(next)) continue;
            reached.add(next);
            walk(next);
          }
        };
        walk("a");
        const cycle = findCycle("a", graph(found));
        expect(cycle !== undefined).toBe(reached.has("a"));
        cycle?.slice(1).forEach((id, at) => {
          expect(found[cycle[at] ?? ""]).toContain(id);
        });
      }),
    );
  });

  it("is looked for without going in circles over a long chain", () => {
    const chain = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [String(at), [String(at + 1)]]));
    expect(findCycle("0", graph(chain))).toBeUndefined();
  });
});
