import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EndpointName, endpoints } from "../../src/contract/routes/endpoints.ts";
import { type KnownIds, oddPaths, requestsTo } from "../generated/requests.ts";
import { addressOf, expectAnswer, send } from "../generated/wire.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const settings = {
  seed: Number(process.env.GUILDHALL_SEED ?? 20_261_115),
  numRuns: Number(process.env.GUILDHALL_RUNS ?? 5),
};

/** What only reads leaves a hall as it was: the next endpoint finds the same one. */
const readers = sharedHall();
let furnished: Promise<KnownIds> | undefined;

/** Stopping is the one request that nothing can be asked after. */
const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => name !== "stopDaemon");

/** A path with `.` or `..` in it leads to another endpoint. */
const hasDots = (path: string) => /\/(?:\.|%2e){1,2}(?:\/|\?|$)/i.test(path);

describe("requests made up from the contract and spoilt at random", () => {
  it.each(names)("are answered in the shapes of the contract: %s", async (name) => {
    const { method, path } = addressOf(name);
    const { hall, ids } = method === "GET" ? await hallToRead() : await hallToChange(/:runId|:sessionId/.test(path));
    await fc.assert(
      fc.asyncProperty(requestsTo(name, ids), async (asked) =>
        expectAnswer(hall, asked, await send(hall, asked), hasDots(asked.path) ? undefined : name),
      ),
      settings,
    );
    await expectWorking(hall);
  });

  it("are answered in the shape of errors at paths that lead nowhere", async () => {
    const { hall } = await hallToChange(false);
    const methods = ["GET", "PUT", "POST", "DELETE", "HEAD", "PATCH", "OPTIONS"];
    const paths = oddPaths(names.map((name) => addressOf(name).path)).filter(
      (path) => !path.startsWith("/api/shutdown"),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), paths, async (method, path) => {
        const asked = { method, path, headers: {} };
        expectAnswer(hall, asked, await send(hall, asked));
      }),
      { ...settings, numRuns: settings.numRuns * 10 },
    );
    await expectWorking(hall);
  });
});

interface Asked {
  hall: Hall;
  ids: KnownIds;
}

async function hallToRead(): Promise<Asked> {
  const hall = readers();
  furnished ??= furnish(hall).then(async (ids) => ({ ...ids, ...(await runIds(hall)) }));
  return { hall, ids: await furnished };
}

async function hallToChange(hasRuns: boolean): Promise<Asked> {
  const hall = await startHall();
  const ids = await furnish(hall);
  return { hall, ids: hasRuns ? { ...ids, ...(await runIds(hall)) } : ids };
}

async function furnish(hall: Hall): Promise<KnownIds> {
  const made = async <const Path extends string>(path: Path, body: object) => {
    const answer = await hall.call("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  for (const id of ["coder", "tester"]) await made("/api/roles", { id, name: id });
  for (const id of ["alpha", "beta"]) await made("/api/projects", { id, name: id });
  for (const title of ["one", "two", "three"]) await made("/api/projects/alpha/tasks", { title });
  const { assignment } = await made("/api/projects/alpha/team", { roleId: "coder" });
  return { id: ["alpha", "beta", "coder"], taskId: ["TASK-001", "TASK-002"], assignmentId: [assignment.id] };
}

/** A run that is over and one that is at work. */
async function runIds(hall: Hall): Promise<KnownIds> {
  mkdirSync(join(hall.workspace, "playbooks"));
  writeFileSync(join(hall.workspace, "playbooks/slow.yml"), "turns:\n  - delayMs: 600000\n");
  const spawn = async (body: object) => {
    const task = { title: "Look around" };
    const answer = await hall.call("POST", "/api/projects/beta/spawn", { roleId: "coder", task, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.sessionId;
  };
  const over = await spawn({ options: { waitForCompletion: true } });
  const ids = [over, await spawn({ overrides: { model: "offline/slow" } })];
  return { runId: ids, sessionId: ids };
}

let looks = 0;

async function expectWorking(hall: Hall): Promise<void> {
  const id = `afterwards-${++looks}`;
  const added = await hall.call("POST", "/api/projects", { id, name: "Afterwards" });
  expect(added.status).toBe(201);
  expect((await hall.call("GET", `/api/projects/${id}`)).status).toBe(200);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
}
