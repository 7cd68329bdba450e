import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import { eventTold } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const hall = sharedHall();

const at = (path: string) => join(hall().workspace, "escalations", path);
const read = (path: string) => readFileSync(at(path), "utf8");
const write = (path: string, content: string | Uint8Array) => writeFileSync(at(path), content);
const list = async (query = "") => (await hall().call("GET", `/api/escalations?limit=1000${query}`)).body;
const get = (id: string) => hall().call("GET", `/api/escalations/${id}`);

/** As a person would write it. */
const handMade = (id: string, fields: object = {}) =>
  `${JSON.stringify({ id, question: `What about ${id}?`, ...fields }, null, 2)}\n`;

async function shown(id: string): Promise<Escalation> {
  const found = async () => (await list("&snoozed=true")).escalations.find((escalation) => escalation.id === id);
  return (await eventually(found, (escalation) => escalation !== undefined)) as Escalation;
}

const logged = (id: string, type: HallEvent["type"]) =>
  eventTold(hall(), (event) => event.type === type && event.subject.id === id);

async function problemOf(file: string) {
  const found = async () => (await list()).invalid.find((problem) => problem.file === `escalations/${file}`);
  return eventually(found, (problem) => problem !== undefined);
}

describe("a person who edits escalations by hand", () => {
  it("writes one in the format of source 4, and every field is read [S4-ESC-05] [S4-ESC-06] [S4-ESC-07] [S4-ESC-08] [S4-ESC-09]", async () => {
    const text = `{
  "id": "esc-100",
  "type": "decision",
  "space": "auth",
  "initiative": "jwt-refresh",
  "question": "Should we use Redis or Memcached for token blacklisting?",
  "context": "Token refresh needs a blacklist mechanism.",
  "suggestedAnswers": [
    { "label": "Redis", "description": "Persistent" },
    { "label": "Memcached", "description": "Simpler" }
  ],
  "escalatedBy": "auth-lead",
  "escalationPath": ["auth-lead"],
  "priority": "critical",
  "blocksTask": "auth/plans/jwt-refresh/tasks/4.json",
  "blocksInitiative": false,
  "createdAt": "2026-02-15T03:00:00Z",
  "status": "draft",
  "resolution": null,
  "resolvedBy": null,
  "resolvedAt": null
}
`;
    write("draft/esc-100.json", text);
    expect(await shown("esc-100")).toMatchObject({
      type: "decision",
      projectId: "auth",
      initiative: "jwt-refresh",
      suggestedAnswers: [
        { label: "Redis", description: "Persistent" },
        { label: "Memcached", description: "Simpler" },
      ],
      escalatedBy: "auth-lead",
      escalationPath: ["auth-lead"],
      priority: "urgent",
      blocksTask: "auth/plans/jwt-refresh/tasks/4.json",
      createdAt: "2026-02-15T03:00:00Z",
      status: "draft",
    });
    expect(read("draft/esc-100.json")).toBe(text);
    const { actor, after } = await logged("esc-100", "escalation.created");
    expect(actor).toMatchObject({ kind: "person", via: "file" });
    expect(after).toMatchObject({ priority: "urgent", status: "draft" });
  });

  it("drags a draft to pending, writes the answer and drags it to resolved [S4-ESC-10] [S4-ESC-11]", async () => {
    write("draft/esc-110.json", handMade("esc-110", { status: "draft", mine: { a: [1, 2] } }));
    await shown("esc-110");
    renameSync(at("draft/esc-110.json"), at("pending/esc-110.json"));
    await logged("esc-110", "escalation.promoted");
    expect((await shown("esc-110")).escalationPath).toEqual(["person"]);
    write(
      "pending/esc-110.json",
      read("pending/esc-110.json").replace('"status"', '"resolution": "Take it",\n  "status"'),
    );
    await logged("esc-110", "escalation.updated");
    renameSync(at("pending/esc-110.json"), at("resolved/esc-110.json"));
    const { after } = await logged("esc-110", "escalation.resolved");
    expect(after).toMatchObject({ status: "resolved", outcome: "answered" });
    const { escalation } = (await get("esc-110")).body;
    expect(escalation).toMatchObject({ status: "resolved", resolution: "Take it", resolvedBy: "person" });
    expect(escalation.resolvedAt).not.toBeNull();
    expect(escalation.history.map(({ action }) => action)).toEqual(["promoted", "answered"]);
    expect(JSON.parse(read("resolved/esc-110.json"))).toMatchObject({ status: "resolved", mine: { a: [1, 2] } });
    renameSync(at("resolved/esc-110.json"), at("pending/esc-110.json"));
    await logged("esc-110", "escalation.reopened");
    expect((await get("esc-110")).body.escalation).toMatchObject({ status: "pending", resolution: null });
  });

  it.each([
    ["decision", "esc-160", { answer: "Redis" }],
    ["blocker", "esc-161", { resolution: "The account is open now." }],
    ["question", "esc-162", { resolution: "On Mondays." }],
    ["approval", "esc-163", { answer: "Redirect", resolution: "Not yet; ask legal first." }],
  ])("answers a %s [S4-ESC-01] [S4-ESC-02] [S4-ESC-03] [S4-ESC-04]", async (type, id, answer) => {
    const blocks = { blocksTask: "TASK-001", blocksInitiative: true, priority: "high" };
    write(`pending/${id}.json`, handMade(id, { type, ...blocks, status: "pending" }));
    expect(await shown(id)).toMatchObject({ type, ...blocks });
    write(`pending/${id}.json`, handMade(id, { type, ...blocks, ...answer, status: "resolved" }));
    await logged(id, "escalation.resolved");
    expect((await get(id)).body.escalation).toMatchObject({
      type,
      ...answer,
      status: "resolved",
      outcome: "answered",
    });
    expect(existsSync(at(`resolved/${id}.json`))).toBe(true);
  });

  it("changes the status in the file, which is then moved; unknown keys and layout stay as they are", async () => {
    const text = `{"id":"esc-120",  "question":"Which one?", "mine" : [1,2,  3],\n\t"status": "pending"}`;
    write("pending/esc-120.json", text);
    await shown("esc-120");
    write("pending/esc-120.json", text.replace('"pending"', '"draft"'));
    await eventually(
      async () => existsSync(at("draft/esc-120.json")),
      (isThere) => isThere,
    );
    expect((await shown("esc-120")).path).toBe("escalations/draft/esc-120.json");
    expect(existsSync(at("pending/esc-120.json"))).toBe(false);
    expect(read("draft/esc-120.json")).toContain(
      `{"id":"esc-120",  "question":"Which one?", "mine" : [1,2,  3],\n\t"status": "draft"`,
    );
  });

  it("deletes a file: it is gone, and its number is not given again", async () => {
    write("pending/esc-130.json", handMade("esc-130"));
    await shown("esc-130");
    rmSync(at("pending/esc-130.json"));
    expect((await logged("esc-130", "escalation.removed")).before).toMatchObject({ status: "pending" });
    expect((await get("esc-130")).status).toBe(404);
    expect(Number(read(".highwatermark"))).toBeGreaterThanOrEqual(130);
  });

  it("copies a file into another folder: one wins, the other is reported, and takes its place when it is alone", async () => {
    write("pending/esc-140.json", handMade("esc-140", { status: "pending" }));
    await shown("esc-140");
    copyFileSync(at("pending/esc-140.json"), at("draft/esc-140.json"));
    expect(await problemOf("draft/esc-140.json")).toMatchObject({
      kind: "escalation",
      id: "esc-140",
      line: 1,
      reason: expect.stringContaining("escalations/pending/esc-140.json") as string,
    });
    expect(await shown("esc-140")).toMatchObject({ status: "pending" });
    rmSync(at("pending/esc-140.json"));
    const moved = async () => (await get("esc-140")).body.escalation.path;
    expect(await eventually(moved, (path) => path === "escalations/draft/esc-140.json")).toBeDefined();
    expect((await list()).invalid.filter(({ id }) => id === "esc-140")).toEqual([]);
  });

  it("sees a file that breaks reported once, with the escalation back as soon as it is fixed", async () => {
    const text = handMade("esc-150", { status: "pending" });
    write("pending/esc-150.json", text);
    await shown("esc-150");
    write("pending/esc-150.json", text.replace('"status"', "status"));
    expect(await problemOf("pending/esc-150.json")).toMatchObject({ line: 4 });
    const { status, body } = await get("esc-150");
    expect([status, (body as unknown as { error: { code: string } }).error.code]).toEqual([409, "file_invalid"]);
    const doctor = await guildhall(["doctor"], { workspace: hall().workspace });
    expect(doctor.stdout).toContain("escalations/pending/esc-150.json");
    expect(read("pending/esc-150.json")).toContain("  status");
    write("pending/esc-150.json", text);
    expect((await shown("esc-150")).status).toBe("pending");
    expect((await list()).invalid.filter(({ id }) => id === "esc-150")).toEqual([]);
  });
});

const BROKEN: [name: string, content: string | Uint8Array, line: number, reason: string][] = [
  ["an empty file", "", 1, "empty"],
  ["broken JSON", '{\n  "id": "ID",\n  "question" "x"\n}', 3, "JSON"],
  ["a key twice", '{\n  "id": "ID",\n  "question": "x",\n  "question": "y"\n}', 4, "'question'"],
  ["a list for the whole", "[]", 1, "document"],
  ["bytes that are no UTF-8", Buffer.from('{"id": "\xff\xfe"}', "latin1"), 1, "UTF-8"],
  ["no question", '{\n  "id": "ID"\n}', 1, "question"],
  ["a number for the question", '{\n  "id": "ID",\n  "question": 7\n}', 3, "question"],
  ["the id of another file", '{\n  "question": "x",\n  "id": "esc-999"\n}', 3, "esc-999"],
  ["a status that there is not", '{\n  "id": "ID",\n  "question": "x",\n  "status": "done"\n}', 4, "status"],
  ["a type that there is not", '{\n  "id": "ID",\n  "question": "x",\n  "type": "wish"\n}', 4, "type"],
  [
    "resolved without an answer",
    '{\n  "id": "ID",\n  "question": "x",\n  "status": "resolved",\n  "resolution": null\n}',
    5,
    "resolution: is required",
  ],
  [
    "answers that are no objects",
    '{\n  "id": "ID",\n  "question": "x",\n  "suggestedAnswers": ["Redis"]\n}',
    4,
    "suggestedAnswers",
  ],
  ["a date that is none", '{\n  "id": "ID",\n  "question": "x",\n  "createdAt": "soon"\n}', 4, "createdAt"],
  ["a question of 1 MB", `{\n  "id": "ID",\n  "question": "${"x".repeat(1_000_000)}"\n}`, 1, "1 MB"],
  [
    "a context of 100 KB",
    `{\n  "id": "ID",\n  "question": "x",\n  "context": "${"x".repeat(100_000)}"\n}`,
    4,
    "context",
  ],
  ["a question that disguises itself", '{\n  "id": "ID",\n  "question": "ok \u202egpj.exe"\n}', 3, "deceptive"],
  ["two projects", '{\n  "id": "ID",\n  "question": "x",\n  "projectId": "a",\n  "space": "b"\n}', 5, "space"],
  ["a project that leads out", '{\n  "id": "ID",\n  "question": "x",\n  "projectId": "../a"\n}', 4, "projectId"],
  ["a key named __proto__", '{\n  "id": "ID",\n  "question": "x",\n  "__proto__": {}\n}', 4, "__proto__"],
];

describe("a file that is no escalation", () => {
  it.each(BROKEN.map((row, place) => [...row, `esc-${200 + place}`] as const))(
    "%s is reported with line and reason, and left as it is",
    async (_name, content, line, reason, id) => {
      const bytes = typeof content === "string" ? Buffer.from(content.replaceAll("ID", id)) : content;
      write(`pending/${id}.json`, bytes);
      const problem = await problemOf(`pending/${id}.json`);
      expect(problem).toMatchObject({ kind: "escalation", severity: "invalid", id, line });
      expect(problem?.reason).toContain(reason);
      expect((problem?.reason ?? "").length).toBeLessThan(400);
      expect(readFileSync(at(`pending/${id}.json`)).equals(bytes)).toBe(true);
    },
  );

  it("is reported too when it is a link or has another name, and neither is followed", async () => {
    writeFileSync(join(hall().workspace, "elsewhere.json"), handMade("esc-300"));
    symlinkSync(join(hall().workspace, "elsewhere.json"), at("pending/esc-300.json"));
    expect(await problemOf("pending/esc-300.json")).toMatchObject({ kind: "escalation", id: "esc-300" });
    write("pending/esc-1.json", handMade("esc-1"));
    expect((await problemOf("pending/esc-1.json"))?.reason).toContain("esc-001.json");
    const { escalations } = await list();
    expect(escalations.filter(({ id }) => id === "esc-300" || id === "esc-1")).toEqual([]);
  });

  it("does not keep others from being listed", async () => {
    write("pending/esc-310.json", handMade("esc-310"));
    expect((await shown("esc-310")).question).toBe("What about esc-310?");
  });
});

describe("a purged project", () => {
  it("takes its escalations to the trash: none is listed, read or found afterwards, other ones stay", async () => {
    const { call, workspace } = hall();
    await call("POST", "/api/projects", { id: "mill", name: "Mill" });
    const secretive = { projectId: "mill", context: "flourmoth", status: "pending" };
    write("pending/esc-400.json", handMade("esc-400", secretive));
    write("resolved/esc-401.json", handMade("esc-401", { ...secretive, status: "resolved", resolution: "Stone" }));
    write("pending/esc-402.json", handMade("esc-402", { context: "flourmoth" }));
    await Promise.all(["esc-400", "esc-401", "esc-402"].map(shown));
    const found = async () => (await call("GET", "/api/search?q=flourmoth")).body.hits.map(({ id }) => id).sort();
    expect(await found()).toEqual(["esc-400", "esc-401", "esc-402"]);
    const { trash } = (await call("DELETE", "/api/projects/mill?purge=true")).body;
    for (const id of ["esc-400", "esc-401"]) expect((await get(id)).status).toBe(404);
    expect(await found()).toEqual(["esc-402"]);
    expect((await list("&project=mill")).total).toBe(0);
    expect(existsSync(at("pending/esc-400.json"))).toBe(false);
    expect(readFileSync(join(workspace, `${trash}-escalations/resolved/esc-401.json`), "utf8")).toContain("Stone");
    const removed = await logged("esc-400", "escalation.removed");
    expect(JSON.stringify(removed)).not.toContain("What about");
    expect((await call("POST", "/api/index/rebuild")).status).toBe(200);
    expect(await found()).toEqual(["esc-402"]);
  });
});

it("a search finds escalations by what was asked and answered, also by their id alone", async () => {
  const fields = { status: "resolved", context: "The gazebo.", resolution: "Paint it vermilion" };
  write("resolved/esc-500.json", handMade("esc-500", fields));
  await shown("esc-500");
  const search = async (query: string) => (await hall().call("GET", `/api/search?${query}`)).body.hits;
  for (const words of ["vermilion", "gazebo", "esc-500"])
    expect(await search(`q=${words}&kind=escalation`)).toMatchObject([
      { kind: "escalation", id: "esc-500", status: "resolved" },
    ]);
  expect(await search("q=vermilion&kind=task")).toEqual([]);
  expect(await search("q=vermilion&kind=escalation")).toHaveLength(1);
  expect((await list("&q=vermil")).escalations.map(({ id }) => id)).toEqual(["esc-500"]);
});

it("an open escalation that names a task or project that does not exist is a warning", async () => {
  write("pending/esc-510.json", handMade("esc-510", { projectId: "nowhere", blocksTask: "TASK-404" }));
  await shown("esc-510");
  const { problems } = (await hall().call("GET", "/api/problems")).body;
  const reasons = problems.filter(({ id }) => id === "esc-510").map(({ reason }) => reason);
  expect(reasons.join("\n")).toMatch(/'nowhere' does not exist[\s\S]*'TASK-404', which does not exist/);
});
