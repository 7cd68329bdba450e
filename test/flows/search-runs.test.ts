import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, type Hall, spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { makeShop, spawn, waiting } from "../harness/scripted-hall.ts";

const PLAY = `
turns:
  - text: I will look for the marmalade "NEAR" <b>the</b> shelf.
    calls: [{tool: read, input: {path: pantry/quince.md}}]
  - calls: [{tool: report, input: {summary: "Found it", outcome: full}}]
  - text: Done.
`;

const search = async (hall: Hall, text: string, more = "") =>
  (await hall.call("GET", `/api/search?q=${encodeURIComponent(text)}${more}`)).body;

/** When everything is read. */
const found = async (hall: Hall, text: string, more = "") =>
  (
    await eventually(
      () => search(hall, text, more),
      ({ unread }) => unread === undefined,
    )
  ).hits;

it("finds what an agent said, called and failed with once its run is over, after kill -9, and with a new index", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const first = await spawnHall(workspace);
  mkdirSync(join(workspace, "playbooks"), { recursive: true });
  writeFileSync(join(workspace, "playbooks/play.yml"), PLAY);
  await makeShop(first);
  const { body } = await spawn(first, waiting);
  const [said, ...others] = await found(first, "marmalade");
  expect(others).toEqual([]);
  expect(said).toMatchObject({
    ...{ kind: "run", projectId: "shop", id: body.sessionId, status: "completed", roleId: "coder" },
    task: { id: "TASK-001", title: "Write a note" },
    snippet: expect.stringContaining('the marmalade "NEAR" <b>the</b> shelf'),
  });
  const transcript = (await first.call("GET", `/api/runs/${body.sessionId}/transcript`)).body.entries;
  expect(transcript[said?.entry ?? -1]).toMatchObject({ type: "answer", text: expect.stringContaining("marmalade") });
  expect(await found(first, "read quince", "&kind=run&project=shop")).toMatchObject([{ entry: said?.entry }]);
  await first.kill();
  const second = await startHall(workspace);
  expect(await found(second, "marmalade")).toEqual([said]);
  await second.stop();
  rmSync(join(workspace, ".guildhall/index.db"));
  const third = await startHall(workspace);
  expect(await found(third, "marmalade")).toEqual([said]);
  await third.call("POST", "/api/index/rebuild");
  expect(await found(third, "marmalade")).toEqual([said]);
  await third.call("DELETE", "/api/projects/shop?purge=true");
  expect(await found(third, "marmalade")).toEqual([]);
});
