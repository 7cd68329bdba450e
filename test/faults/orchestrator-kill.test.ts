import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Lead } from "../../src/contract/documents/autonomy/lead.ts";
import type { Cycle } from "../../src/contract/documents/autonomy/orchestrator.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { wanted } from "../harness/workspace.ts";

const KILLS = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 4);

it("starts nothing twice, and records what it started, when the daemon is killed in the middle of a cycle", {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "config.yml"), JSON.stringify({ orchestrator: { enabled: true, maxLeads: 20 } }));
  let projects = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const daemon = await killableDaemon(workspace);
    await daemon.hall.call("POST", "/api/orchestrator/pause");
    for (let more = 0; more < 3; more++) {
      const id = `p-${projects++}`;
      await wanted(201, daemon.hall.call("POST", "/api/projects", { id, name: id, config: { autonomy: "work" } }));
      const initiative = { slug: "go", title: "Go", goals: ["Gone"] };
      await wanted(201, daemon.hall.call("POST", `/api/projects/${id}/initiatives`, initiative));
    }
    await wanted(200, daemon.hall.call("POST", "/api/orchestrator/resume"));
    const cycle = daemon.hall.call("POST", "/api/orchestrator/cycle").catch(() => undefined);
    // At another moment each time, the first of them before anything is claimed.
    for (let look = 0; look < kill; look++) await daemon.hall.call("GET", "/api/health").catch(() => undefined);
    await daemon.kill();
    await cycle;
  }
  const { hall } = await killableDaemon(workspace);
  const read = async (): Promise<Cycle[]> =>
    (await wanted(200, hall.call("GET", "/api/orchestrator/cycles?limit=500"))).cycles;
  await eventually(
    read,
    (all) =>
      all.every(({ endedAt }) => endedAt !== undefined) &&
      new Set(all.flatMap(({ starts }) => starts.map(({ projectId }) => projectId))).size === projects,
  );
  await wanted(200, hall.call("POST", "/api/orchestrator/pause"));
  const cycles = await eventually(read, (all) => all.every(({ endedAt }) => endedAt !== undefined));
  const { leads } = await wanted(200, hall.call("GET", "/api/leads?limit=500"));
  const claimed = cycles.flatMap(({ starts }) => starts);
  const ids = claimed.filter(({ outcome }) => outcome === "started").map(({ leadId }) => leadId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(leads.map(({ id }: Lead) => id).toSorted()).toEqual(ids.toSorted());
  const open = leads.filter(({ endedAt }: Lead) => endedAt === undefined).map(({ projectId }: Lead) => projectId);
  expect(new Set(open).size).toBe(open.length);
});
