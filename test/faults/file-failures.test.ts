import { expect, it } from "vitest";
import type { Answer, Hall } from "../harness/daemon.ts";
import { startHall, untilRecorded } from "../harness/daemon.ts";
import { contentOf } from "../harness/scripted-hall.ts";
import { writePlaybook } from "../harness/spawned-runs.ts";
import { CALLS, failingFiles } from "./failing-files.ts";

const DEPTH = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 0);
const CODES = ["EIO", "ENOSPC", "EMFILE", "EROFS", "EACCES"] as const;
/** How many of each call a change has at most. */
const MOST_CALLS = 14;

type Ask = (hall: Hall, round: number) => Promise<Answer>;

const inShop = "/api/projects/shop";
const changes: [name: string, ask: Ask][] = [
  ["create a task", (hall) => hall.call("POST", `${inShop}/tasks`, { title: "New" })],
  [
    "move a task",
    (hall, round) =>
      hall.call("POST", `${inShop}/tasks/TASK-001/move`, { status: round % 2 ? "pending" : "in-progress" }),
  ],
  ["change a task", (hall, round) => hall.call("PUT", `${inShop}/tasks/TASK-001`, { notes: `${round}` })],
  ["save an artifact", (hall) => hall.call("POST", `${inShop}/artifacts`, { name: "a.md", content: "# A\n" })],
  ["begin an initiative", (hall, round) => hall.call("POST", `${inShop}/initiatives`, { title: `Launch ${round}` })],
  [
    "write a context file",
    (hall, round) => hall.call("PUT", `${inShop}/context`, { path: "c.md", content: `${round}` }),
  ],
  ["add knowledge", (hall, round) => hall.call("POST", "/api/knowledge", { project: "shop", text: `It is ${round}.` })],
  ["change a role", (hall, round) => hall.call("PUT", "/api/roles/writer", { description: `${round}` })],
  ["create a role", (hall, round) => hall.call("POST", "/api/roles", { id: `r-${round}`, name: "R" })],
  ["change a project", (hall, round) => hall.call("PUT", inShop, { description: `${round}` })],
  ["set goals", (hall, round) => hall.call("PUT", `${inShop}`, { goals: [`${round}`] })],
  ["read a task", (hall) => hall.call("GET", `${inShop}/tasks/TASK-001`)],
  ["read a file", (hall) => hall.call("GET", `${inShop}/file?path=PROJECT.md`)],
  ["read roles", (hall) => hall.call("GET", "/api/roles")],
];

/** Every change with every so-manieth call failing, each in its turn with another error. */
const faults = changes.flatMap(([name, ask]) =>
  CALLS.flatMap((call) => Array.from({ length: MOST_CALLS }, (_, at) => ({ name, ask, call, at: at + 1 }))),
);
const chosen = faults.filter((_, at) => DEPTH > 0 || at % 11 === 0);

/** What people have in the workspace; the log and the hall's own notes tell of it. */
function documentsOf(workspace: string): Record<string, string> {
  const isDocument = (path: string) =>
    !/^(?:events|\.guildhall|trash|costs|state\/changes)(?:\/|$)/.test(path) &&
    !/\/\.(?:tmp-|highwatermark)/.test(path);
  return Object.fromEntries(
    Object.entries(contentOf(workspace)).filter(([path, hash]) => isDocument(path) && hash !== "folder"),
  );
}

it("a failing file operation is a truthful 503 that names no path, or no failure at all", {
  timeout: 900_000,
}, async () => {
  const hall = await startHall();
  writePlaybook(hall.workspace, "play", "turns:\n  - text: Done.\n");
  await hall.call("POST", "/api/roles", { id: "writer", name: "Writer" });
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  await hall.call("POST", `${inShop}/tasks`, { title: "First" });
  await untilRecorded(hall, "shop");
  const files = failingFiles(hall.workspace);
  let [hits, refusals, unsure] = [0, 0, 0];
  for (const [round, { name, ask, call, at }] of chosen.entries()) {
    const code = CODES[round % CODES.length] ?? "EIO";
    const before = documentsOf(hall.workspace);
    files.arm({ call, at, code });
    const { status, body } = await ask(hall, round);
    if (files.disarm() === 0) continue;
    hits++;
    const told = `${name}, ${call} ${at} ${code}: ${status} ${JSON.stringify(body.error)}`;
    if (status < 300 || body.error?.code === "illegal_move") continue;
    refusals++;
    // A document that nobody may read is reported as a problem of that file.
    const isUnreadable = code === "EACCES" && body.error?.code === "file_invalid";
    expect([status, body.error?.code], told).toEqual(isUnreadable ? [409, "file_invalid"] : [503, "storage_failed"]);
    expect(body.error.message, told).not.toMatch(/\/proc\/|\/tmp\//);
    if (isUnreadable || body.error.changed === "no")
      expect(differing(before, documentsOf(hall.workspace)), told).toEqual([]);
    else unsure++;
  }
  process.stdout.write(
    `file faults: ${chosen.length} armed, ${hits} hit, ${refusals} refused, ${unsure} of them unsure\n`,
  );
  expect(hits).toBeGreaterThan(chosen.length / 10);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  expect((await hall.call("POST", `${inShop}/tasks`, { title: "After" })).status).toBe(201);
});

function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]);
}
