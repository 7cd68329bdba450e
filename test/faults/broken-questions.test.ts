import { copyFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { entriesOf, furnish, journalOf, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const playbooks = {
  waits: `
turns:
  - calls: [{tool: escalate, input: {type: decision, question: "Which color for {{title}}?", blocksTask: "{{title}}"}}]
  - text: "{{last.escalate}}"
`,
};
const GONE = /Nothing was decided; ask again if you need it\./;

const edited = (file: string, fields: object) =>
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...fields }));

/** What a person, or a program, does to the file of a question while a run waits for its answer. */
const damages = {
  nonsense: (file: string) => writeFileSync(file, "{ nonsense"),
  folder: (file: string) => {
    rmSync(file);
    mkdirSync(file);
  },
  link: (file: string) => {
    copyFileSync(file, `${file}.copy`);
    rmSync(file);
    symlinkSync(`${file}.copy`, file);
  },
  deleted: (file: string) => rmSync(file),
  unlisted: (file: string) => edited(file, { askers: [] }),
  rewritten: (file: string) => edited(file, { askers: [], status: "resolved", resolution: "Red" }),
};
type Damage = keyof typeof damages;
const KINDS = Object.keys(damages) as Damage[];
const BROKEN: readonly Damage[] = ["nonsense", "folder", "link"];

interface Asked {
  runId: string;
  task: string;
  id: string;
  file: string;
  text: string;
}

async function askAll(hall: Hall): Promise<Record<Damage, Asked>> {
  await furnish(hall, playbooks);
  await hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["read"] });
  const asked: [Damage, Asked][] = [];
  for (const [at, damage] of KINDS.entries()) {
    const task = `TASK-${String(at + 1).padStart(3, "0")}`;
    const runId = await spawnRun(hall, "waits", task, { roleId: "asker" });
    const { id, path = "" } = await pendingOf(hall, runId);
    const file = join(hall.workspace, path);
    asked.push([damage, { runId, task, id, file, text: readFileSync(file, "utf8") }]);
  }
  return Object.fromEntries(asked) as Record<Damage, Asked>;
}

const taskOf = async (hall: Hall, id: string) => (await hall.call("GET", `/api/projects/shop/tasks/${id}`)).body.task;
const toldOf = (hall: Hall, runId: string) =>
  entriesOf(journalOf(hall.workspace, runId), "result").map(({ output }) => output);
const problemFiles = async (hall: Hall) =>
  (await hall.call("GET", "/api/problems")).body.problems.map(({ file }) => join(hall.workspace, file));

async function expectWaiting(hall: Hall, { runId, task, id }: Asked): Promise<void> {
  expect([isOver(await runOf(hall, runId)), toldOf(hall, runId)]).toEqual([false, []]);
  expect(await taskOf(hall, task)).toMatchObject({ status: "blocked", escalations: [id] });
}

it.each([
  ["kept", () => undefined],
  ["rebuilt", (workspace: string) => rmSync(join(workspace, ".guildhall/index.db"), { force: true })],
])(
  "runs wait across a restart for questions whose files are broken, and no longer for those that are gone (index %s)",
  {
    timeout: 60_000,
  },
  async (_name, loseIndex) => {
    const before = await startHall();
    const { workspace } = before;
    const asked = await askAll(before);
    await before.stop();
    for (const damage of KINDS) damages[damage](asked[damage].file);
    loseIndex(workspace);

    const hall = await startHall(workspace);
    const outputOf = async (damage: Damage) => (await untilOver(hall, asked[damage].runId)).result?.output;
    expect(await outputOf("deleted")).toMatch(/file of this question was deleted|Nothing was decided/);
    expect(await outputOf("rewritten")).toContain("Answer (person): Red");
    for (const damage of [...BROKEN, "unlisted"] as const) await expectWaiting(hall, asked[damage]);
    const files = await problemFiles(hall);
    expect(BROKEN.map((damage) => files.includes(asked[damage].file))).toEqual(BROKEN.map(() => true));

    // Another question that goes changes nothing for them.
    const other = join(workspace, "escalations/pending/esc-900.json");
    writeFileSync(other, JSON.stringify({ id: "esc-900", question: "Another?" }));
    const isListed = async () => (await hall.call("GET", "/api/escalations/esc-900")).status;
    await eventually(isListed, (status) => status === 200);
    rmSync(other);
    await eventually(isListed, (status) => status === 404);
    for (const damage of BROKEN) await expectWaiting(hall, asked[damage]);

    // Repaired, and answered; repaired with the answer; deleted.
    writeFileSync(asked.nonsense.file, asked.nonsense.text);
    for (const { id } of [asked.nonsense, asked.unlisted])
      await eventually(
        () => hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "Blue" }),
        ({ status }) => status === 200,
      );
    rmSync(asked.link.file);
    const answered = { status: "resolved", resolution: "Green" };
    writeFileSync(asked.link.file, JSON.stringify({ ...JSON.parse(asked.link.text), ...answered }));
    rmdirSync(asked.folder.file);
    expect(await Promise.all([...BROKEN, "unlisted" as const].map(outputOf))).toEqual([
      expect.stringContaining("Answer (person): Blue"),
      expect.stringMatching(GONE),
      expect.stringContaining("Answer (person): Green"),
      expect.stringContaining("Answer (person): Blue"),
    ]);
    for (const damage of KINDS) {
      expect(toldOf(hall, asked[damage].runId)).toHaveLength(1);
      const freed = await eventually(
        () => taskOf(hall, asked[damage].task),
        ({ status }) => status === "done",
      );
      expect(freed).not.toHaveProperty("escalations");
    }
  },
);
