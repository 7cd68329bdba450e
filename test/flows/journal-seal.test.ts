import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

it("covers every step of a run that is over: a changed or missing journal is named [S0-SEC-05]", async () => {
  const hall = await furnish(await startHall(), {
    work: "turns:\n  - calls: [{tool: read, input: {path: ../outside}}]\n  - text: Done.\n",
  });
  for (const title of ["one", "two"]) await untilOver(hall, await spawnRun(hall, "work", title));
  const verify = async () => (await hall.call("GET", "/api/audit/verify")).body;
  expect(await verify()).toMatchObject({ ok: true, journals: 2, faults: [] });
  const { events } = (await hall.call("GET", "/api/events/log?tail=50&type=run.ended")).body;
  const [first = "", second = ""] = events.map(({ after = {} }) => (after.journal as { path: string }).path);
  const place = join(hall.workspace, first);
  const before = readFileSync(place, "utf8");
  expect(before).toContain("is refused");
  writeFileSync(place, before.replace("is refused", "is allowed"));
  expect(await verify()).toMatchObject({ ok: false, faults: [{ file: first }] });
  const said = await guildhall(["audit", "verify"], { workspace: hall.workspace });
  expect(said).toMatchObject({ code: 4 });
  expect(said.stdout).toContain(`${first}:4  this journal was changed after its run had ended: line 4 was altered`);
  writeFileSync(place, before);
  expect(await verify()).toMatchObject({ ok: true });
  rmSync(join(hall.workspace, second));
  expect(await verify()).toMatchObject({ ok: false, faults: [{ file: second }] });
  await hall.call("DELETE", `/api/projects/${PROJECT}?purge=true`);
  expect(await verify()).toMatchObject({ ok: true });
});
