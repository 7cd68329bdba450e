import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  eventually,
  type Hall,
  type HallSetup,
  launchHall,
  spawnHall,
  startHall,
  temporaryFolder,
} from "../harness/daemon.ts";
import { filesBelow } from "../harness/look-below.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { isSigned, startReceiver } from "../harness/webhook-receiver.ts";
import { workspaceWith } from "../harness/workspace-config.ts";

const SECRET = "a-secret-that-nobody-else-knows";
const QUICK = "turns:\n  - text: All is well.\n";
const TELLING = `
turns:
  - calls: [{tool: notify, input: {text: "The build is red."}}]
  - text: "{{last.notify}}"
`;
const FAILING = "turns:\n  - fail: {kind: refused, times: 99}\n";
const PLAYBOOKS = { quick: QUICK, telling: TELLING, failing: FAILING };

async function hallWith(notify: object, { env }: Pick<HallSetup, "env"> = {}): Promise<Hall> {
  const keys = { OLLAMA_HOST: "http://127.0.0.1:9", HOOK_SECRET: SECRET };
  return furnish(await startHall(undefined, { config: { notify }, env: env ?? keys }), PLAYBOOKS);
}

async function outcomes(hall: Hall, count = 1) {
  const events = async () => (await hall.call("GET", "/api/events/log?tail=1000&type=notification")).body.events;
  return eventually(events, (found) => found.length >= count);
}

async function problems(hall: Hall): Promise<string> {
  return JSON.stringify((await hall.call("GET", "/api/problems")).body.problems);
}

describe("a webhook", () => {
  it("is told of a run that ended, signed and with a key of its own [S0-SPAWN-06]", async () => {
    const receiver = await startReceiver();
    const hall = await hallWith({ url: receiver.url, secretEnv: "HOOK_SECRET" });
    const run = await untilOver(hall, await spawnRun(hall, "quick", "told"));
    const [event] = await outcomes(hall);
    const [request, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
    const { at, ...body } = request?.body ?? {};
    expect(body).toEqual({
      event: "run.ended",
      run: run.id,
      task: run.taskId,
      project: PROJECT,
      summary: "All is well.",
      saidBy: "agent",
      status: "completed",
    });
    expect(Date.parse(at)).toBeGreaterThan(Date.parse(run.createdAt));
    expect(request && isSigned(request, SECRET)).toBe(true);
    expect(request?.headers["idempotency-key"]).toMatch(/^\S{10,}$/);
    expect(event).toMatchObject({ type: "notification.delivered", subject: { id: run.id }, after: { status: 204 } });
  });

  it("is told why a run failed, what an agent wants the person to know, and nothing that nobody wants to know", async () => {
    const receiver = await startReceiver();
    const hall = await hallWith({ url: receiver.url });
    await untilOver(hall, await spawnRun(hall, "quick", "quiet", { options: { notifyOnComplete: false } }));
    const failed = await untilOver(hall, await spawnRun(hall, "failing", "fails"));
    const quiet = { options: { notifyOnComplete: false } };
    const telling = await untilOver(hall, await spawnRun(hall, "telling", "tells", quiet));
    expect(telling.error).toBeUndefined();
    expect(telling.result?.output).toBe("Notification saved.");
    await outcomes(hall, 2);
    const told = receiver.received.map(({ body: { event, status, cause, summary, saidBy } }) => ({
      event,
      status,
      cause,
      summary,
      saidBy,
    }));
    expect(told).toEqual([
      { event: "run.ended", status: "failed", cause: "provider", summary: failed.error, saidBy: "hall" },
      { event: "run.notified", status: "running", summary: "The build is red.", saidBy: "agent" },
    ]);
    expect(receiver.received[0]?.headers["x-guildhall-signature"]).toBeUndefined();
  });

  it("is tried again, with the same key, after the time it asks for and after a broken connection", async () => {
    const receiver = await startReceiver();
    const replies = [{ status: 429, headers: { "retry-after": "2" } }, "break"] as const;
    receiver.play((_, number) => replies[number] ?? { status: 200 });
    const hall = await hallWith({ url: receiver.url, secretEnv: "HOOK_SECRET" });
    await spawnRun(hall, "quick", "again");
    const times: number[] = [];
    await eventually(
      () => times.push(...receiver.received.slice(times.length).map(() => performance.now())) && times.length,
      () => times.length === 3,
    );
    expect(new Set(receiver.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(receiver.received.every((request) => isSigned(request, SECRET))).toBe(true);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_900);
    expect(await outcomes(hall)).toMatchObject([{ type: "notification.delivered", after: { attempts: 3 } }]);
  });

  it("that refuses is not asked again; that shows as a problem until it takes something", async () => {
    const receiver = await startReceiver();
    const elsewhere = await startReceiver();
    const replies = [{ status: 404 }, { status: 307, headers: { location: elsewhere.url } }];
    receiver.play((_, number) => replies[number] ?? { status: 200 });
    const hall = await hallWith({ url: receiver.url, secretEnv: "HOOK_SECRET" });
    for (const title of ["one", "two"]) {
      await untilOver(hall, await spawnRun(hall, "quick", title));
      await outcomes(hall, title === "one" ? 1 : 2);
    }
    expect(receiver.received).toHaveLength(2);
    expect(elsewhere.received).toEqual([]);
    const failed = await outcomes(hall, 2);
    expect(failed.map((event: { type: string }) => event.type)).toEqual(["notification.failed", "notification.failed"]);
    expect(failed[1]?.after).toMatchObject({ reason: expect.stringContaining("redirects are not followed") });
    expect(await problems(hall)).toContain("2 notifications dropped");
    const again = await startAgain(hall);
    expect(await problems(again)).toContain("2 notifications dropped");
    const { checks } = (await again.call("GET", "/api/doctor")).body;
    expect(checks).toContainEqual(expect.objectContaining({ id: "delivery-1", state: "warning" }));
    await spawnRun(again, "quick", "three");
    await outcomes(again, 3);
    expect(await problems(again)).not.toContain('"kind":"delivery"');
    assertSecretsKept(hall, receiver.url);
  });

  it("that is away hears of a run although its project was purged meanwhile", async () => {
    const receiver = await startReceiver();
    receiver.play((_, number) => ({ status: number === 0 ? 503 : 200 }));
    const hall = await hallWith({ url: receiver.url });
    const run = await untilOver(hall, await spawnRun(hall, "quick", "purged"));
    await hall.call("DELETE", `/api/projects/${PROJECT}`);
    expect((await hall.call("DELETE", `/api/projects/${PROJECT}?purge=true`)).status).toBe(200);
    expect(await outcomes(hall)).toMatchObject([{ type: "notification.delivered", after: { attempts: 2 } }]);
    expect(receiver.received.map(({ body }) => [body.run, body.project])).toEqual([
      [run.id, PROJECT],
      [run.id, PROJECT],
    ]);
  });

  it("that hangs delays neither the run nor the end of the daemon, and hears of it in another life", async () => {
    const receiver = await startReceiver();
    receiver.play(() => "hang");
    const hall = await hallWith({ url: receiver.url });
    const start = performance.now();
    for (let count = 0; count < 6; count++) await untilOver(hall, await spawnRun(hall, "quick", `run ${count}`));
    await eventually(
      () => receiver.received.length,
      (count) => count === 4,
    );
    await hall.stop();
    expect(performance.now() - start).toBeLessThan(9_000);
    receiver.play(() => ({ status: 200 }));
    const again = await startAgain(hall);
    const delivered = await outcomes(again, 6);
    expect(new Set(delivered.map((event: { subject: { id: string } }) => event.subject.id)).size).toBe(6);
    const keys = receiver.received.slice(4).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(6);
    expect(new Set(receiver.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(6);
  });

  it("that is away hears of everything after a crash of the daemon, and of nothing twice once it took it", async () => {
    const receiver = await startReceiver();
    const workspace = workspaceWith(`notify: {url: "${receiver.url}"}`);
    const hall = await furnish(await spawnHall(workspace), PLAYBOOKS);
    const heard = await spawnRun(hall, "quick", "heard");
    await outcomes(hall);
    await receiver.close();
    const missed = await spawnRun(hall, "telling", "missed");
    await untilOver(hall, missed);
    await (hall as Awaited<ReturnType<typeof spawnHall>>).kill();
    const back = await startReceiver(receiver.port);
    const again = await spawnHall(workspace);
    await outcomes(again, 3);
    expect(back.received.map(({ body }) => [body.event, body.run]).toSorted()).toEqual([
      ["run.ended", missed],
      ["run.notified", missed],
    ]);
    expect(receiver.received.map(({ body }) => body.run)).toEqual([heard]);
    await again.stop();
    const third = await spawnHall(workspace);
    await untilOver(third, await spawnRun(third, "quick", "later"));
    await outcomes(third, 4);
    expect(back.received).toHaveLength(3);
  });
});

describe("the position of a webhook", () => {
  it("is taken over from a workspace of an earlier version, and what that delivered is not sent again", async () => {
    const receiver = await startReceiver();
    const hall = await hallWith({ url: receiver.url });
    const first = await spawnRun(hall, "quick", "delivered by the earlier version");
    await outcomes(hall);
    await hall.stop();
    const position = join(hall.workspace, "state/subscribers/webhook.json");
    const old = join(hall.workspace, ".guildhall/notifications.json");
    rmSync(position);
    rmSync(join(hall.workspace, "state/format.json"));
    writeFileSync(old, '{"after":0}\n');
    const again = await startHall(hall.workspace);
    const second = await spawnRun(again, "quick", "new");
    await outcomes(again, 2);
    await again.stop();
    expect(receiver.received.map(({ body }) => body.run)).toEqual([first, second]);
    expect(existsSync(old)).toBe(false);
    expect(JSON.parse(readFileSync(position, "utf8"))).toMatchObject({ format: 1, open: [] });
  });
});

describe("the settings of a webhook", () => {
  it("take the secret from .guildhall/secrets, and send nothing while it is missing", async () => {
    const receiver = await startReceiver();
    const env = { OLLAMA_HOST: "http://127.0.0.1:9" };
    const hall = await hallWith({ url: receiver.url, secretEnv: "HOOK_SECRET" }, { env });
    const run = await untilOver(hall, await spawnRun(hall, "quick", "unsigned"));
    expect(await problems(hall)).toContain("notify.secretEnv names HOOK_SECRET");
    await hall.stop();
    expect(receiver.received).toEqual([]);
    writeFileSync(join(hall.workspace, ".guildhall/secrets"), `HOOK_SECRET=${SECRET}\n`, { mode: 0o600 });
    const again = await startHall(hall.workspace);
    await outcomes(again);
    expect(receiver.received.map((request) => [request.body.run, isSigned(request, SECRET)])).toEqual([[run.id, true]]);
    expect(await problems(again)).not.toContain("HOOK_SECRET");
  });

  it("do not bring what happened before there was an address", async () => {
    const hall = await furnish(await startHall(), PLAYBOOKS);
    await untilOver(hall, await spawnRun(hall, "quick", "before"));
    await hall.stop();
    const receiver = await startReceiver();
    writeFileSync(join(hall.workspace, "config.yml"), JSON.stringify({ notify: { url: receiver.url } }));
    const again = await startHall(hall.workspace);
    const after = await spawnRun(again, "quick", "after");
    await outcomes(again);
    expect(receiver.received.map(({ body }) => body.run)).toEqual([after]);
  });

  it.each([
    ["{url: 'ftp://host/x'}", "notify.url"],
    ["{url: 'http://user:pa55w0rd@host/x'}", "notify.url"],
    ["{secretEnv: HOOK_SECRET}", "notify.url"],
    ["{url: 'http://host/x', secretEnv: 'the secret itself'}", "notify.secretEnv"],
    ["{webhookUrl: 'http://host/x'}", "notify.webhookUrl"],
  ])("that make no sense stop the start: %s", async (notify, place) => {
    const workspace = join(temporaryFolder(), "workspace");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "config.yml"), `notify: ${notify}\n`);
    const launch = launchHall(workspace);
    expect(await launch.ended).toBe(7);
    expect(launch.errors()).toContain(place);
    expect(launch.errors()).not.toMatch(/pa55w0rd|the secret itself/);
  });
});

async function startAgain(hall: Hall): Promise<Hall> {
  await hall.stop();
  return startHall(hall.workspace, { env: { OLLAMA_HOST: "http://127.0.0.1:9", HOOK_SECRET: SECRET } });
}

/** Neither the secret nor the address, whose path may be one, stands anywhere but in config.yml. */
function assertSecretsKept(hall: Hall, url: string): void {
  const texts = filesBelow(hall.workspace)
    .filter(({ path }) => basename(path) !== "config.yml")
    .map(({ bytes }) => bytes.toString("latin1"));
  for (const text of texts) {
    expect(text.includes(SECRET)).toBe(false);
    expect(text.includes(new URL(url).pathname)).toBe(false);
  }
}
