import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { finding, gateReport, placeReport, stages } from "../harness/gate-reports.ts";

let hall: Hall;
beforeAll(async () => {
  const cleanups: (() => unknown)[] = [];
  hall = await startHall(undefined, { later: (clean) => cleanups.push(clean) });
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  return async () => {
    for (const clean of cleanups.reverse()) await clean();
  };
});

const FAILED = gateReport("gate-02", {
  ...{ verdict: "fail", score: 60, taskId: "TASK-001", cycle: 1 },
  stages: stages({
    errors: {
      verdict: "fail",
      score: 60,
      findings: [finding("f1"), finding("f2", { state: "refuted", blocks: false })],
    },
  }),
});
const listed = async (query = "") =>
  (await hall.call("GET", `/api/projects/shop/gates${query}` as "/api/projects/shop/gates")).body;
const untilListed = (count: number) =>
  eventually(
    () => listed(),
    ({ gates }) => gates.length === count,
  );

describe("gate reports as files", () => {
  it("are listed, served and found wherever they come from", async () => {
    placeReport(hall.workspace, gateReport("gate-01", { startedAt: "2026-11-16T10:00:00.000Z" }));
    placeReport(hall.workspace, FAILED);
    const { gates } = await untilListed(2);
    expect(gates.map(({ id }) => id)).toEqual(["gate-02", "gate-01"]);
    expect(gates[0]).toMatchObject({ projectId: "shop", verdict: "fail", score: 60, blocking: 1 });
    expect(gates[0]?.stages).toHaveLength(9);
    expect((await hall.call("GET", "/api/gates/gate-02")).body.gate).toEqual(FAILED);
    expect((await listed("?task=TASK-001")).gates.map(({ id }) => id)).toEqual(["gate-02"]);
    expect((await listed("?verdict=pass")).gates.map(({ id }) => id)).toEqual(["gate-01"]);
    const first = await listed("?limit=1");
    expect((await listed(`?limit=1&cursor=${first.nextCursor}`)).gates.map(({ id }) => id)).toEqual(["gate-01"]);
    const { hits } = (await hall.call("GET", "/api/search?q=discount&kind=gate")).body;
    expect(hits).toEqual([expect.objectContaining({ kind: "gate", id: "gate-02", projectId: "shop" })]);
  });

  it("make up the figures of a project", async () => {
    const { body } = await hall.call("GET", "/api/projects/shop/quality");
    expect(body).toMatchObject({
      points: [{ gateId: "gate-01" }, { gateId: "gate-02", verdict: "fail", taskId: "TASK-001" }],
      findings: { total: 2, refuted: 1, open: 1 },
      ...{ passedFirst: 1, reviews: 2, averageCycles: 1 },
    });
    expect(body.stages.find(({ name }) => name === "errors")).toEqual({
      name: "errors",
      judged: 2,
      failed: 1,
      score: 80,
    });
  });

  it("are reported and left as they are where they can't be read", async () => {
    const file = placeReport(hall.workspace, gateReport("gate-03"));
    await untilListed(3);
    writeFileSync(file, '{"id": "gate-03",\n"verdict": "great"}');
    await untilListed(2);
    const { problems } = (await hall.call("GET", "/api/problems")).body;
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: "gate", projectId: "shop", file: expect.stringContaining("gate-03.json") }),
    );
    expect(await hall.call("GET", "/api/gates/gate-03")).toMatchObject({
      status: 409,
      body: { error: { code: "file_invalid" } },
    });
    expect(readFileSync(file, "utf8")).toContain("great");
    rmSync(file);
    await eventually(
      () => hall.call("GET", "/api/gates/gate-03"),
      ({ status }) => status === 404,
    );
  });

  it("survive a rebuild of the index, and go with their project", async () => {
    await hall.call("POST", "/api/index/rebuild");
    expect((await listed()).gates.map(({ id }) => id)).toEqual(["gate-02", "gate-01"]);
    await hall.call("DELETE", "/api/projects/shop");
    expect((await hall.call("DELETE", "/api/projects/shop?purge=true")).status).toBe(200);
    expect((await hall.call("GET", "/api/gates/gate-02")).status).toBe(404);
    expect((await hall.call("GET", "/api/search?q=discount")).body.hits).toEqual([]);
  });
});
