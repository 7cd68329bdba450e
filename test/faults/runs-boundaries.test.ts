import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entriesOf, furnish, listRuns, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, EVENTS, JOURNAL } from "./crashing-hall.ts";
import { assertDoneOnce, UNKNOWN } from "./run-traces.ts";
import { sampled } from "./sampled.ts";

const WRITING = `
turns:
  - text: First.
    calls: [{tool: write, input: {path: first.md, content: "one, {{title}}\\n"}}]
  - text: Second.
    calls: [{tool: write, input: {path: second.md, content: "two, {{title}}\\n"}}]
  - calls: [{tool: report, input: {summary: "Both are written", outcome: full}}]
  - text: All done.
`;

interface Boundary extends Omit<CrashPoint, "victim"> {
  name: string;
  /** Whether a call was under way whose outcome nobody can know. */
  unknown?: boolean;
}

const after = "after" as const;
const before = "before" as const;

const boundaries: Boundary[] = [
  { name: "after it is leased", file: BOOK, text: '"type":"leased"', when: after },
  { name: "before the journal says that it was taken up", file: JOURNAL, text: '"type":"started"', when: before },
  { name: "before an answer is written down", file: JOURNAL, text: '"text":"First\\."', when: before },
  { name: "after an answer, before its tool", file: JOURNAL, text: '"text":"First\\."', when: after, unknown: true },
  { name: "in a tool, before its effect", file: "/first\\.md$", when: before, unknown: true },
  { name: "in a tool, after its effect", file: "/first\\.md$", when: after, unknown: true },
  {
    name: "before a result is written down",
    file: JOURNAL,
    text: '"type":"result".*(?:Created|Replaced)',
    when: before,
    unknown: true,
  },
  { name: "after a result", file: JOURNAL, text: '"type":"result".*(?:Created|Replaced)', when: after },
  { name: "in a later tool", file: "/second\\.md$", when: after, unknown: true },
  { name: "after the report", file: JOURNAL, text: '"name":"report","output"', when: after },
  { name: "after the last answer", file: JOURNAL, text: "All done", when: after },
  { name: "before its end is written down", file: JOURNAL, text: '"type":"ended"', when: before },
  { name: "after its end, before it is settled", file: JOURNAL, text: '"type":"ended"', when: after },
  { name: "before the artifact", file: "/ARTIFACTS/.*run-.*\\.md$", when: before },
  { name: "after the artifact", file: "/ARTIFACTS/.*run-.*\\.md$", when: after },
  { name: "after the artifact is told", file: EVENTS, text: '"document\\.written".*ARTIFACTS', when: after },
  { name: "while the task is moved", file: "/TASKS/done/", when: before },
  { name: "after the task is moved", file: "/TASKS/done/", when: after },
  { name: "before the memory", file: "/MEMORY\\.md$", when: before },
  { name: "after the memory", file: "/MEMORY\\.md$", when: after },
  { name: "before it is settled", file: BOOK, text: '"type":"settled"', when: before },
  { name: "after it is settled", file: BOOK, text: '"type":"settled"', when: after },
  { name: "before its end is told", file: EVENTS, text: '"run\\.ended"', when: before },
  { name: "after its end is told", file: EVENTS, text: '"run\\.ended"', when: after },
];

const folder = mkdtempSync(join(tmpdir(), "guildhall-test-"));
const crashing = new CrashingHall(folder);

beforeAll(async () => {
  await furnish(await crashing.start(), { writing: WRITING });
});

afterAll(async () => {
  await crashing.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Once a run's end is written down, its process has no part in it any more. */
const inProcess = boundaries.slice(0, 1 + boundaries.findIndex(({ name }) => name.startsWith("after its end, before")));
const pointsOf = {
  daemon: sampled(boundaries, { every: 5 }),
  project: sampled(inProcess, { every: 5, from: 1 }),
};

describe.each(["daemon", "project"] as const)("SIGKILL of the %s", (victim) => {
  it.each(pointsOf[victim])("$name: the run goes on and is done once [S3-START-05]", async (boundary) => {
    const point = { ...boundary, victim };
    crashing.arm(point);
    const id = await spawnRun(crashing.hall, "writing", `${victim} ${boundary.name}`);
    await crashing.struck(point);
    await untilOver(crashing.hall, id);
    const journal = await assertDoneOnce(crashing.hall, id);
    const unknown = entriesOf(journal, "result").filter((result) => UNKNOWN.test(result.output));
    // A project's process works on for a moment before it notices that its daemon is gone.
    if (victim === "project") expect(unknown).toHaveLength(boundary.unknown === true ? 1 : 0);
    else expect(unknown.length).toBeLessThanOrEqual(1);
    expect(entriesOf(journal, "answer").map((answer) => answer.text)).toEqual(["First.", "Second.", "", "All done."]);
  });
});

it("in the end nothing was lost, nothing was doubled and the log is whole", async () => {
  const { hall } = crashing;
  const runs = await listRuns(hall);
  expect(runs).toHaveLength(pointsOf.daemon.length + pointsOf.project.length);
  expect(new Set(runs.map((run) => run.status))).toEqual(new Set(["completed"]));
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
});
