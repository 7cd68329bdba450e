import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMAT } from "../../src/contract/format.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { oldWorkspace } from "../harness/old-workspace.ts";
import { furnish, listRuns, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const read = async <const Path extends string>(hall: Hall, path: Path) => {
  const { status, body } = await hall.call("GET", path);
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  return body;
};
const noticesIn = async (hall: Hall) =>
  (await read(hall, "/api/problems")).problems.filter(({ kind }: { kind: string }) => kind === "format");
const migrations = async (hall: Hall) => (await read(hall, "/api/events/log?tail=1000&type=workspace.migrated")).events;

/** What the API tells of everything that a person has in the workspace. */
async function everything(hall: Hall) {
  const over = await listRuns(hall);
  return {
    roles: (await read(hall, "/api/roles")).roles.map(({ id }: { id: string }) => id),
    tasks: (await read(hall, "/api/projects/shop/tasks?limit=100")).tasks.map(
      ({ id, status }: { id: string; status: string }) => `${id} ${status}`,
    ),
    runs: over.map(({ title, status, cause, purpose }) => [title, status, cause, purpose].join(" ")).sort(),
    transcripts: await Promise.all(
      over.map(async ({ id }) => (await read(hall, `/api/runs/${id}/transcript?limit=500`)).total),
    ),
    prompts: await Promise.all(over.map(async ({ id }) => (await read(hall, `/api/runs/${id}/prompt`)).plan.runId)),
    said: (await read(hall, "/api/chat")).messages.map(({ text }: { text: string }) => text),
    saidToShop: (await read(hall, "/api/projects/shop/messages")).messages.map(({ text }: { text: string }) => text),
    session: (await read(hall, "/api/session")).entries.map(({ type }: { type: string }) => type),
    knowledge: (await read(hall, "/api/knowledge")).statements.map(({ text }: { text: string }) => text),
    costs: (await read(hall, "/api/costs")).total,
    artifacts: (await read(hall, "/api/projects/docs/artifacts")).artifacts.length,
  };
}

describe("a workspace of the version before", () => {
  it("opens, is migrated once with copies of what was changed, says so, and is whole", async () => {
    const workspace = oldWorkspace();
    const logged: object[] = [];
    const first = await startHall(workspace, { log: (entry) => logged.push(entry) });
    const [copies = ""] = readdirSync(join(workspace, "backups"));
    expect(copies).toMatch(/^format-1-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(readFileSync(join(workspace, "backups", copies, "config.yml"), "utf8")).toContain("version: 1\n");
    expect(readFileSync(join(workspace, "config.yml"), "utf8")).toMatch(
      /version: 2 # [^\n]+\n[\s\S]*# The model of everybody\./,
    );
    expect(logged).toContainEqual(
      expect.objectContaining({ level: "info", message: expect.stringContaining(`backups/${copies}`) }),
    );
    expect(await noticesIn(first)).toMatchObject([{ file: "state/format.json", severity: "warning" }]);
    expect(await migrations(first)).toMatchObject([{ after: { from: 1, to: FORMAT, copies: `backups/${copies}` } }]);
    const { checks } = await read(first, "/api/doctor");
    expect(checks).toContainEqual(expect.objectContaining({ id: "format", state: "ok", value: FORMAT }));
    expect((await read(first, "/api/settings")).needsRestart).toBe(false);
    expect((await read(first, "/api/audit/verify")).ok).toBe(true);

    // Its working folder is not on this machine.
    await eventually(
      () => listRuns(first),
      (runs) => runs.every(isOver),
    );
    const whole = await everything(first);
    expect(whole.roles.sort()).toEqual(["coder", "helper", "reviewer", "worker"]);
    expect(whole.runs).toEqual([
      "Approved completed  work",
      "Cancelled cancelled cancelled work",
      "Costs completed  work",
      "Fails failed provider work",
      "In a folder completed  work",
      "In a folder, waits completed  work",
      "Sent back completed  work",
      "Sent back completed  work",
      "Tells completed  work",
      "Under way failed folder work",
      "Waits for review completed  review",
      "Waits for review completed  work",
    ]);
    expect(Math.min(...whole.transcripts)).toBeGreaterThan(1);
    expect(whole.said).toEqual(["How is the shop?", "Two tasks are open."]);
    expect(whole.saidToShop).toEqual(["How are you?", "Two tasks are open."]);
    expect(whole.session).toEqual(["message", "answer", "ended"]);
    expect(whole.knowledge).toContain("Use pnpm, not npm.");
    await first.stop();

    logged.length = 0;
    const second = await startHall(workspace, { log: (entry) => logged.push(entry) });
    expect(logged.filter((entry) => "message" in entry && String(entry.message).includes("migrated"))).toEqual([]);
    expect(await noticesIn(second)).toEqual([]);
    expect(await migrations(second)).toHaveLength(1);
    expect(readdirSync(join(workspace, "backups"))).toEqual([copies]);
    expect(await everything(second)).toEqual(whole);
  });
});

describe("a new workspace", () => {
  it("has the format of this program, which the doctor shows, and every durable line says it", async () => {
    const hall = await furnish(await startHall(), {
      play: "turns:\n  - text: Done.\n",
      talk: "turns:\n  - text: Yes.\n",
    });
    const run = await untilOver(hall, await spawnRun(hall, "play", "Once"));
    expect(await noticesIn(hall)).toEqual([]);
    expect(existsSync(join(hall.workspace, "backups"))).toBe(false);
    const files = [
      `projects/${PROJECT}/runs/index.jsonl`,
      `projects/${PROJECT}/runs/${run.createdAt.slice(0, 10)}/${run.id}.jsonl`,
    ];
    for (const file of files)
      for (const line of readFileSync(join(hall.workspace, file), "utf8").trimEnd().split("\n"))
        expect(JSON.parse(line).format).toBe(FORMAT);
    const { entries } = await read(hall, `/api/runs/${run.id}/transcript`);
    expect(entries.filter((entry) => "format" in entry)).toEqual([]);
    const { stdout } = await guildhall(["doctor", "--workspace", hall.workspace]);
    expect(stdout).toMatch(new RegExp(`ok +Workspace format +${FORMAT}\n`));
    await hall.stop();
    const atRest = await guildhall(["doctor", "--json", "--workspace", hall.workspace]);
    expect(JSON.parse(atRest.stdout).checks).toContainEqual(expect.objectContaining({ name: "format", value: FORMAT }));
  });
});

describe("what a newer program wrote", () => {
  const refusal = async (workspace: string) => {
    const { code, stderr } = await guildhall([
      "up",
      "--workspace",
      workspace,
      "--port",
      "0",
      "--no-open",
      "--no-build",
    ]);
    return { code, stderr };
  };

  it.each([
    ["projects/shop/runs/index.jsonl", { type: "crashed", runId: "run-x", format: FORMAT + 1 }],
    ["costs/2026-11-16.jsonl", { type: "refunded", at: "2026-11-16T13:00:00.000Z", format: FORMAT + 1 }],
    ["channels/http/default.jsonl", { seq: 9, tone: "kind", format: FORMAT + 1 }],
    ["session/current.jsonl", { type: "dreamed", format: FORMAT + 1 }],
    ["projects/shop/channel.jsonl", { seq: 9, tone: "kind", format: FORMAT + 1 }],
    ["projects/shop/session/current.jsonl", { type: "dreamed", format: FORMAT + 1 }],
  ])("stops the start when it is a line of %s, and is named with file, line and formats", async (file, line) => {
    const workspace = oldWorkspace();
    const before = readFileSync(join(workspace, file), "utf8").trimEnd().split("\n").length;
    appendFileSync(join(workspace, file), `${JSON.stringify(line)}\n`);
    await expect(startHall(workspace)).rejects.toMatchObject({ code: "newer_format", file, line: before + 1 });
    const { code, stderr } = await refusal(workspace);
    expect([code, stderr]).toEqual([
      7,
      expect.stringContaining(
        `${file}, line ${before + 1}, has format ${FORMAT + 1}; this version of Guildhall reads up to format ${FORMAT}.`,
      ),
    ]);
  });

  it("is refused as a whole by the number of the workspace, and left as it is", async () => {
    const workspace = oldWorkspace();
    const format = `{"format":${FORMAT + 1},"writtenBy":"9.0.0","more":{}}\n`;
    writeFileSync(join(workspace, "state/format.json"), format);
    const { code, stderr } = await refusal(workspace);
    expect(code).toBe(7);
    expect(stderr).toContain("[newer_format]");
    expect(stderr).toContain(
      `9.0.0, has format ${FORMAT + 1}; this version of Guildhall reads up to format ${FORMAT}.`,
    );
    expect(stderr).toContain("Install a newer version of Guildhall");
    expect(existsSync(join(workspace, ".guildhall/token"))).toBe(false);
    expect(readFileSync(join(workspace, "state/format.json"), "utf8")).toBe(format);
    const doctor = await guildhall(["doctor", "--json", "--workspace", workspace]);
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(
      expect.objectContaining({ name: "format", state: "failed", value: FORMAT + 1 }),
    );
  });
});
