import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TeamMessage } from "../../src/contract/documents/teams/team-message.ts";
import { HALL_MESSAGE } from "../../src/contract/runs/hall-message.ts";
import { hasEnded } from "../../src/contract/words/teams/team-words.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { entriesOf, journalOf, listRuns, PROJECT } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, tasksOf, teamHall, teamOf, teamPlaybooks, titleOf } from "../harness/team-hall.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, JOURNAL } from "./crashing-hall.ts";
import { isThorough, sampled } from "./sampled.ts";

const BUS = "/messages\\.jsonl$";
const SUM = moduleFiles("sum", "REQ-001");
const SAID = '"type":"message"';
const REPORTS = 6;
/** A run has at most 50. */
const TURNS = isThorough ? 42 : 30;
const TURN_MS = isThorough ? 1_500 : 400;

/** A member that works for a while, and tells the lead something on the way. */
const member = JSON.stringify({
  when: titleOf("sum"),
  turns: [
    ...Array.from({ length: TURNS }, (_, at) => {
      const report = { op: "log", type: "blocker", text: `report ${at}` };
      const isReport = at % 5 === 0 && at / 5 < REPORTS;
      const call = isReport ? { tool: "team_msg", input: report } : { tool: "search", input: { pattern: `x${at}` } };
      return { delayMs: TURN_MS, calls: [call] };
    }),
    { calls: Object.entries(SUM).map(([path, content]) => ({ tool: "write", input: { path, content } })) },
    { calls: [{ tool: "report", input: { summary: "Written.", outcome: "full" } }] },
    { text: "Done." },
  ],
});

const points: CrashPoint[] = [
  { victim: "daemon", file: BUS, text: '"line":"message"', when: "after" },
  { victim: "project", file: JOURNAL, text: SAID, when: "before" },
  { victim: "daemon", file: BUS, text: '"line":"message"', when: "before" },
  { victim: "daemon", file: BOOK, text: SAID, when: "after" },
  { victim: "daemon", file: JOURNAL, text: SAID, when: "after" },
  { victim: "project", file: BOOK, text: SAID, when: "after" },
];

describe.skipIf(process.platform !== "linux")("messages of a team, when someone is killed (needs Linux)", () => {
  it("reach their reader once, whoever is killed at which step, and so do those of members", {
    timeout: 1_800_000,
  }, async () => {
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    const config = { qualityGates: { appliesTo: "off" } };
    const playbooks = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }], { "m-sum": member });
    await teamHall(await crashing.start(), playbooks, { config });
    const { id } = await startTeam(crashing.hall, { approval: "none" });
    const task = await eventually(
      async () => (await tasksOf(crashing.hall, id))[0],
      (one) => one?.state === "working" && one.member !== undefined,
      60_000,
    );
    const post = (text: string) =>
      crashing.hall.call(
        "POST",
        `/api/teams/${id}/members/${task?.member}/message`,
        { text },
        { "idempotency-key": text },
      );
    const sent: string[] = [];
    for (const [at, point] of sampled(points, { every: 4 }).entries()) {
      const text = `word-${at}`;
      sent.push(text);
      crashing.arm(point);
      const first = post(text).catch(() => undefined);
      await crashing.struck(point, 60_000);
      await first;
      // Whoever got no answer asks again, under the same key.
      const again = await eventually(
        () => post(text).catch(() => undefined),
        (answer) => answer !== undefined && answer.status < 500,
        60_000,
      );
      expect(again?.status, JSON.stringify(again?.body)).toBe(201);
    }
    const cycles = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 1);
    for (let cycle = 0; cycle < cycles; cycle++) {
      const text = `random-${cycle}`;
      if (hasEnded((await teamOf(crashing.hall, id)).status)) break;
      const answer = await post(text);
      if (answer.status === 201) sent.push(text);
      await crashing.killAndStart();
    }
    const ended = await eventually(
      () => teamOf(crashing.hall, id).catch(() => undefined),
      (team) => team !== undefined && hasEnded(team.status),
      240_000,
    );
    expect(ended?.status).toBe("completed");
    await assertOnce(crashing, id, sent);
  });
});

async function assertOnce(crashing: CrashingHall, id: string, sent: string[]): Promise<void> {
  const { hall, workspace } = crashing;
  const kept: TeamMessage[] = (await hall.call("GET", `/api/teams/${id}/messages?limit=2000`)).body.messages;
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1));
  const fromPerson = kept.filter(({ from }) => from === "person");
  expect(fromPerson.map(({ text }) => text)).toEqual(sent);
  expect(fromPerson.every(({ deliveries }) => deliveries.length === 1)).toBe(true);
  const reports = kept.filter(({ type }) => type === "blocker").map(({ text }) => text);
  expect(reports).toEqual(Array.from({ length: REPORTS }, (_, at) => `report ${at * 5}`));
  const runs = (await listRuns(hall)).filter(({ team }) => team?.id === id);
  const heard = (purpose: string) =>
    runs
      .filter((run) => run.purpose === purpose)
      .flatMap((run) => entriesOf(journalOf(workspace, run.id), "message"))
      // A member that searches forty times is nudged.
      .filter(({ id }) => !id.startsWith(HALL_MESSAGE))
      .map(({ text }) => text.split("\n")[1]);
  expect(heard("work").toSorted()).toEqual(sent.toSorted());
  expect(heard("lead").toSorted()).toEqual(reports.toSorted());
  const lines = readFileSync(join(workspace, `projects/${PROJECT}/teams/${id}/messages.jsonl`), "utf8")
    .trim()
    .split("\n");
  expect(lines.every((line) => JSON.parse(line).format > 0)).toBe(true);
}
