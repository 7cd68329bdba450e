import { expect, it } from "vitest";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { entriesOf, journalOf, runOf, spawnRun } from "../harness/spawned-runs.ts";

const ANSWERED = 30;
const RUNS = 16;
const CALLS = 4;
/** While a call waits for that answer, the daemon is restarted. */
const RESTARTS = [9, 21];
const COMMANDS = ["echo a", "echo b", "echo c", "echo d", "ls", "ls -a"];
/** Most answers are about one call, so that enough is asked. */
const ANSWERS = ["once", "no", "run", "once", "no", "once", "hour", "once", "no", "always"] as const;

/** The same sequence each time. */
function chooser(seed: number) {
  let state = seed;
  return <Of>(from: readonly Of[]): Of => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] as Of;
  };
}

interface Given {
  scope: (typeof ANSWERS)[number];
  runId: string;
  parts: string[];
  open: boolean;
  from: string;
}

/** What a person would say is allowed, from their answers alone. */
const isAllowed = (given: readonly Given[], runId: string, parts: readonly string[]) => {
  const usable = given.filter((one) => one.open && (one.scope !== "run" || one.runId === runId));
  return parts.every((part) => usable.some((one) => one.parts.includes(part)));
};

it("after thirty answered requests shows exactly what each answer allowed, and asked about everything else", {
  timeout: 300_000,
}, async () => {
  const choose = chooser(17);
  const books = Array.from({ length: RUNS }, () =>
    Array.from({ length: CALLS }, () =>
      choose([1, 2, 3]) === 1 ? [choose(COMMANDS), choose(COMMANDS)] : [choose(COMMANDS)],
    ),
  );
  const turns = (book: string[][]) => [
    ...book.map((parts) => ({ calls: [{ tool: "exec", input: { command: parts.join(" && ") } }] })),
    { text: "Done." },
  ];
  const playbooks = Object.fromEntries(books.map((book, at) => [`book${at}`, JSON.stringify({ turns: turns(book) })]));
  const { root } = repository({ "a.txt": "a\n" });
  const first = await startHall();
  let hall = await hallOver(first, { root, playbooks });
  await hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["exec"], ask: ["exec"] });

  const given: Given[] = [];
  const expected = new Map<string, boolean>();
  let answers = 0;
  for (const [at, book] of books.entries()) {
    if (answers >= ANSWERED) break;
    const runId = await spawnRun(hall, `book${at}`, "Do it", { roleId: "asker" });
    for (const [turn, parts] of book.entries()) {
      const isUnasked = isAllowed(given, runId, parts);
      if (!isUnasked) {
        const answer = choose(ANSWERS);
        const id = await askedBy(hall, runId);
        if (RESTARTS.includes(answers)) {
          await hall.stop();
          hall = await startHall(first.workspace);
        }
        const { workspace } = hall;
        if (answers % 10 === 0)
          expect((await guildhall(["escalation", "answer", id, answer], { workspace })).code).toBe(0);
        else expect((await hall.call("POST", `/api/escalations/${id}/resolve`, { answer })).status).toBe(200);
        answers++;
        if (answer !== "no") given.push({ scope: answer, runId, parts, open: answer !== "once", from: id });
        expected.set(`${runId} ${turn}`, answer !== "no");
      } else expected.set(`${runId} ${turn}`, true);
    }
    const run = await eventually(
      () => runOf(hall, runId),
      (found) => isOver(found) || found.waitingFor === "answer",
    );
    expect(run.status, "nothing more is asked").toBe("completed");
    // Now and then the person takes something back.
    const lasting = given.filter(({ open, scope }) => open && (scope === "hour" || scope === "always"));
    if (lasting.length > 1) await revoke(hall, choose(lasting));
  }
  expect(answers).toBeGreaterThanOrEqual(ANSWERED);

  const made = new Map<string, boolean>();
  for (const runId of new Set([...expected.keys()].map((key) => key.split(" ")[0] ?? "")))
    for (const [turn, { id, output }] of entriesOf(journalOf(hall.workspace, runId), "result").entries()) {
      made.set(`${runId} ${turn}`, output.startsWith("Exit code 0"));
      calls.set(`${runId} ${id}`, made.get(`${runId} ${turn}`) ?? false);
    }
  expect(made).toEqual(expected);

  const { grants } = (await hall.call("GET", "/api/grants?all=true")).body;
  expect(grants.map(({ from, scope }) => [from, scope]).toSorted()).toEqual(
    given.map(({ from, scope }) => [from, scope]).toSorted(),
  );
  const listed = new Set<string>();
  for (const grant of grants) {
    const { uses } = (await hall.call("GET", `/api/grants/${grant.id}`)).body;
    expect(uses).toHaveLength(grant.uses);
    for (const { runId, callId, subject } of uses) {
      listed.add(`${runId} ${callId}`);
      expect(subject.split(" && ").some((part) => grant.rule.commands?.includes(part))).toBe(true);
      if (grant.scope === "once" || grant.scope === "run") expect(runId).toBe(grant.runId);
    }
  }
  expect([...listed].toSorted()).toEqual([...calls].flatMap(([key, ran]) => (ran ? [key] : [])).toSorted());
});

/** Calls by their ids, and whether they were carried out. */
const calls = new Map<string, boolean>();

/** The request of a run that is open; each has one at a time. */
async function askedBy(hall: Hall, runId: string): Promise<string> {
  const found = await eventually(
    async () => {
      const { escalations } = (await hall.call("GET", "/api/escalations?status=pending&limit=500")).body;
      return escalations.find(({ permission }) => permission?.runId === runId)?.id;
    },
    (id) => id !== undefined,
  );
  return found ?? "";
}

async function revoke(hall: Hall, one: Given): Promise<void> {
  const { grants } = (await hall.call("GET", "/api/grants")).body;
  const grant = grants.find(({ from }) => from === one.from);
  expect((await hall.call("DELETE", `/api/grants/${grant?.id}`)).status).toBe(200);
  one.open = false;
}
