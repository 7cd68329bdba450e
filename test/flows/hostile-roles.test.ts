import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";

const times = '"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","version":1';
const good = `{\n  "roles": [\n    {"id":"dev","name":"Dev","skills":["read"],${times}}\n  ]\n}\n`;
const role = (more: string) => `{\n"roles": [\n{"id":"dev","name":"Dev",${more},${times}}\n]\n}`;

/** ROLES.json as no hall would write it; `whole` when the file as a whole cannot be read. */
const shapes: { name: string; text: string; line: number; whole?: true }[] = [
  { name: "nothing", text: "", line: 1, whole: true },
  { name: "a list", text: "[]", line: 1, whole: true },
  { name: "null", text: "null", line: 1, whole: true },
  { name: "a comment", text: '{/*c*/"roles":[]}', line: 1, whole: true },
  { name: "a key without quotes", text: "{\n\nroles: [}", line: 3, whole: true },
  { name: "two documents", text: '{"roles":[]}{"roles":[]}', line: 1, whole: true },
  { name: "half a file", text: good.slice(0, 60), line: 3, whole: true },
  { name: "rights twice", text: role('"skills":["read"],\n"skills":["exec"]'), line: 4, whole: true },
  { name: "a prototype", text: '{"roles":[],\n"__proto__":{"roles":[]}}', line: 2, whole: true },
  { name: "roles that are no list", text: '{"roles":{"dev":{}}}', line: 1, whole: true },
  { name: "an infinite number", text: role('"cost":1,\n"modelConfig":{"timeout":1e999}'), line: 4, whole: true },
  { name: "half a character", text: `{"roles":[\n{"id":"dev","name":"\\ud800",${times}}]}`, line: 2 },
  { name: "rights that are no list", text: role('\n"skills":"exec"'), line: 4 },
  { name: "rights to everything", text: role('\n"skills":["*"]'), line: 4 },
  { name: "rights with a blank", text: role('\n"skills":["read", "exec "]'), line: 4 },
  { name: "no id", text: '{"roles":[\n{"name":"dev","skills":["exec"]}]}', line: 2 },
  {
    name: "tools of another system",
    text: '{"roles":[\n{"name":"dev","tools":["exec"],"sandbox":false,"network":["*"]}]}',
    line: 2,
  },
  {
    name: "a role that inherits itself",
    text: '{"roles":[{"name":"a","extends":"b"},\n{"name":"b","extends":"a"}]}',
    line: 1,
  },
  { name: "a model with a key in it", text: role('\n"modelConfig":{"apiKey":"CANARY-5a1f"}'), line: 4 },
  { name: "a version of nothing", text: '{"roles":[\n{"id":"dev","name":"Dev","skills":["exec"]}]}', line: 2 },
  { name: "a role that is text", text: '{\n"roles":["dev"]}', line: 2 },
];

describe("ROLES.json with", () => {
  it.each(shapes)("$name neither stops the start nor gives anyone a right", async ({ text, line, whole }) => {
    const workspace = workspaceWith(good);
    const first = await startHall(workspace);
    expect(await rights(first)).toEqual({ dev: ["read"] });
    await first.stop();
    writeFileSync(join(workspace, "ROLES.json"), text);
    const hall = await startHall(workspace);
    // Broken as a whole, the last good roles stay in force; broken in one entry, that role is not there.
    expect(await rights(hall)).toEqual(whole ? { dev: ["read"] } : {});
    await assertTold(hall, line);
    if (whole) expect((await hall.call("POST", "/api/roles", { name: "New" })).body.error.code).toBe("file_invalid");
    expect(readFileSync(join(workspace, "ROLES.json"), "utf8")).toBe(text);
    await hall.stop();
    rmSync(join(workspace, ".guildhall/index.db"));
    expect(await rights(await startHall(workspace))).toEqual({});
  });

  it.each(shapes)(
    "$name while the daemon runs is told with its line, and mended when it is mended",
    async ({ text, line, whole }) => {
      const hall = await startHall(workspaceWith(good));
      writeFileSync(join(hall.workspace, "ROLES.json"), text);
      await assertTold(hall, line);
      expect(await rights(hall)).toEqual(whole ? { dev: ["read"] } : {});
      writeFileSync(join(hall.workspace, "ROLES.json"), good.replace('"read"', '"write"'));
      await eventually(
        () => hall.call("GET", "/api/problems"),
        ({ body }) => body.problems.length === 0,
      );
      expect(await rights(hall)).toEqual({ dev: ["write"] });
    },
  );

  it("a secret in a place for none never shows it", async () => {
    const hall = await startHall(workspaceWith(role('\n"modelConfig":{"apiKey":"CANARY-5a1f"}')));
    const told = await guildhall(["doctor"], { workspace: hall.workspace });
    const { body } = await hall.call("GET", "/api/problems");
    expect(told.stdout).toContain("ROLES.json");
    expect(told.stdout + told.stderr + JSON.stringify(body)).not.toContain("CANARY");
  });

  it("a tool or a model that nobody knows keeps the role and says so, or says nothing and grants nothing", async () => {
    const hall = await startHall(workspaceWith(role('"skills":["read","exce"],"modelConfig":{"model":"gpt-99"}')));
    expect(await rights(hall)).toEqual({ dev: ["read", "exce"] });
    const { problems } = (await hall.call("GET", "/api/problems")).body;
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: "warning", reason: expect.stringContaining("'exce'") }),
    );
  });
});

/** The roles in force, with what each may do. */
async function rights(hall: Hall): Promise<Record<string, string[]>> {
  const { roles } = (await hall.call("GET", "/api/roles")).body;
  return Object.fromEntries(roles.map(({ id, skills }: { id: string; skills: string[] }) => [id, skills]));
}

/** The fault is in the lists and in the problems, with file and line. */
async function assertTold(hall: Hall, line: number): Promise<void> {
  const { problems } = await eventually(
    async () => (await hall.call("GET", "/api/problems")).body,
    (body) => body.problems.length > 0,
  );
  expect(problems[0]).toMatchObject({
    file: "ROLES.json",
    line,
    severity: "invalid",
    reason: expect.stringMatching(/\w{3}/),
  });
  expect((await hall.call("GET", "/api/roles")).body.invalid[0]).toMatchObject({ file: "ROLES.json", line });
  expect(JSON.stringify(problems)).not.toContain("CANARY");
}

function workspaceWith(roles: string): string {
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "ROLES.json"), roles);
  return workspace;
}
