import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { oldWorkspace } from "../harness/old-workspace.ts";
import { listRuns } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, EVENTS } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const SHOP_BOOK = "projects/shop/runs/index.jsonl";
const POINTS: Omit<CrashPoint, "victim">[] = [
  { file: "/state/format\\.json$", when: "before" },
  { file: "/state/format\\.json$", when: "after" },
  { file: "/backups/[^/]+/config\\.yml$", when: "after" },
  { file: "/workspace/config\\.yml$", when: "after" },
  { file: `/backups/.*${BOOK}`, when: "after" },
  { file: "/workspace/projects/shop/runs/index\\.jsonl$", when: "after" },
  { file: EVENTS, text: "workspace\\.migrated", when: "before" },
  { file: EVENTS, text: "workspace\\.migrated", when: "after" },
];

it("a daemon that is killed at any step of a migration completes it at the next start", async () => {
  for (const point of sampled(POINTS, { every: 3, from: 2 })) {
    const hall = new CrashingHall(temporaryFolder());
    onTestFinished(() => hall.end());
    const workspace = oldWorkspace(hall.workspace);
    // As lines were before runs had a purpose.
    const book = readFileSync(join(workspace, SHOP_BOOK), "utf8").replaceAll('"purpose":"work",', "");
    writeFileSync(join(workspace, SHOP_BOOK), book);
    hall.arm({ victim: "daemon", ...point });
    await expect(hall.start(), JSON.stringify(point)).rejects.toThrow("SIGKILL");
    const { call } = await hall.start();
    const [copies = "", ...more] = readdirSync(join(workspace, "backups"));
    expect(more).toEqual([]);
    expect(readFileSync(join(workspace, "backups", copies, SHOP_BOOK), "utf8")).toBe(book);
    expect(readFileSync(join(workspace, "backups", copies, "config.yml"), "utf8")).toContain("version: 1\n");
    expect(JSON.parse(readFileSync(join(workspace, "state/format.json"), "utf8"))).toMatchObject({ format: 2 });
    const { body } = await call("GET", "/api/events/log?tail=1000&type=workspace.migrated");
    expect(body.events).toHaveLength(1);
    const runs = await listRuns(hall.hall);
    expect(runs.filter(({ purpose }) => purpose === "work")).toHaveLength(11);
    expect(runs.filter(({ purpose }) => purpose === "review")).toHaveLength(1);
    await hall.end();
  }
});

it("a daemon that is killed while it migrates a copied project completes that at the next start", async () => {
  const points: Omit<CrashPoint, "victim">[] = [
    { file: "/backups/.*/projects/docs/runs/index\\.jsonl$", when: "after" },
    { file: "/workspace/projects/docs/runs/index\\.jsonl$", when: "before" },
    { file: "/workspace/projects/docs/runs/index\\.jsonl$", when: "after" },
  ];
  for (const point of sampled(points, { every: 2, from: 0 })) {
    const hall = new CrashingHall(temporaryFolder());
    onTestFinished(() => hall.end());
    await hall.start();
    await hall.end();
    cpSync(join(oldWorkspace(), "projects/docs"), join(hall.workspace, "projects/docs"), { recursive: true });
    hall.arm({ victim: "daemon", ...point });
    await expect(hall.start(), JSON.stringify(point)).rejects.toThrow("SIGKILL");
    const daemon = await hall.start();
    const states = (await listRuns(daemon)).map(({ delivery }) => delivery?.state).sort();
    expect(states, JSON.stringify(point)).toEqual(["delivered", "review"]);
    const { body } = await daemon.call("GET", "/api/events/log?tail=1000&type=workspace.migrated");
    expect(body.events).toHaveLength(1);
    await hall.end();
  }
});
