import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { BodyOf } from "../harness/answer.ts";
import { eventsOf, eventTold } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";
import { refused, type Seen, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const FILE = "ROLES.json";

async function withRoles(): Promise<Workspace> {
  const workspace = await startWorkspace();
  for (const template of ["coder", "tester"]) await workspace.addRole({ template });
  return workspace;
}

const list = async ({ call }: Workspace): Promise<BodyOf<"listRoles">> => wanted(200, call("GET", "/api/roles"));
const ids = (roles: { id: string }[]) => roles.map((role) => role.id);
const whenListed = (workspace: Workspace, isWanted: (found: BodyOf<"listRoles">) => boolean) =>
  eventually(() => list(workspace), isWanted);

/** ROLES.json as it would be with its entries changed by hand. */
function changed(workspace: Workspace, change: (roles: Seen[]) => Seen[]): string {
  return JSON.stringify({ roles: change(workspace.json(FILE).roles) }, null, 2);
}

describe("ROLES.json edited by hand", () => {
  it("gives new, changed and removed roles at once [S0-ROLE-15]", async () => {
    const workspace = await withRoles();
    workspace.edit(FILE, '"name": "Code Specialist"', '"name": "Smith"');
    await whenListed(workspace, ({ roles }) => roles[0]?.name === "Smith");
    expect(await workspace.role("coder")).toMatchObject({ name: "Smith", version: 1 });
    workspace.write(
      FILE,
      changed(workspace, ([coder]) => [{ ...coder, id: "hand-made", name: "Hand made" }]),
    );
    await whenListed(workspace, ({ roles }) => ids(roles).join() === "hand-made");
    await refused("role_not_found", workspace.call("GET", "/api/roles/coder"));
    const { hits } = await wanted(200, workspace.call("GET", "/api/search?q=made&kind=role"));
    expect(ids(hits)).toEqual(["hand-made"]);
    const told = (await eventsOf(workspace.hall)).filter((event) => event.actor.via === "file");
    expect(told.map((event) => [event.type, event.subject.id])).toEqual([
      ["role.updated", "coder"],
      ["role.created", "hand-made"],
      ["role.deleted", "coder"],
      ["role.deleted", "tester"],
    ]);
  });

  it("counts while the daemon is down, too", async () => {
    const workspace = await withRoles();
    const again = await workspace.restart(() => {
      workspace.edit(FILE, '"timeout": 600', '"timeout": 601');
      workspace.edit(FILE, '"id": "tester"', '"id": "examiner"');
    });
    const { roles } = await list(again);
    expect(ids(roles)).toEqual(["coder", "examiner"]);
    expect(roles[0]?.modelConfig.timeout).toBe(601);
  });

  it("is seen by a change that follows at once, and makes copies read before it outdated", async () => {
    const workspace = await withRoles();
    const { etag } = await workspace.role("coder");
    workspace.edit(FILE, '"name": "Code Specialist"', '"name": "Smith"');
    const put = (headers: Record<string, string>) =>
      workspace.call("PUT", "/api/roles/coder", { emoji: "🔨" }, headers);
    await refused("version_mismatch", put({ "if-match": `"${etag}"` }));
    expect((await wanted(200, put({}))).role).toMatchObject({ name: "Smith", emoji: "🔨", version: 2 });
    expect(workspace.json(FILE).roles[0]).toMatchObject({ name: "Smith", emoji: "🔨" });
  });

  it("keeps what nobody knows: keys of a role, keys beside the roles, and their order", async () => {
    const workspace = await withRoles();
    const roles = workspace.json(FILE).roles.map((role: Seen) => ({ ...role, "x-owner": { of: role.id } }));
    workspace.write(FILE, JSON.stringify({ $schema: "./roles.schema.json", roles: roles.reverse(), note: ["mine"] }));
    await wanted(200, workspace.call("PUT", "/api/roles/coder", { name: "Smith" }));
    await workspace.addRole({ template: "devops" });
    await wanted(200, workspace.call("DELETE", "/api/roles/devops"));
    const after = workspace.json(FILE);
    expect(Object.keys(after)).toEqual(["$schema", "roles", "note"]);
    expect(after.roles.map((role: Seen) => [role.id, role.name, role["x-owner"]])).toEqual([
      ["tester", "QA Engineer", { of: "tester" }],
      ["coder", "Smith", { of: "coder" }],
    ]);
    expect(await workspace.role("coder")).not.toHaveProperty("x-owner");
  });

  it("may be removed; the roles are gone then, and the next one begins it anew", async () => {
    const workspace = await withRoles();
    rmSync(workspace.at(FILE));
    await whenListed(workspace, ({ roles }) => roles.length === 0);
    await workspace.addRole({ template: "designer" });
    expect(ids(workspace.json(FILE).roles)).toEqual(["designer"]);
  });
});

const BROKEN: [string, string, number, RegExp][] = [
  ["is empty", "", 1, /empty/],
  ["is not JSON", "{\n  roles: []\n}", 2, /not JSON/],
  ["has comments", '{\n  "roles": [\n    // mine\n  ]\n}', 3, /not JSON/],
  ["has a comma too many", '{\n  "roles": [\n  ],\n}', 4, /not JSON/],
  ["ends in the middle", '{ "roles": [', 1, /not JSON/],
  ["holds two documents", '{"roles":[]}\n{"roles":[]}', 2, /not JSON/],
  ["names a key twice", '{\n"roles": [],\n"roles": []\n}', 3, /'roles' is duplicated/],
  ["is a list", "[]", 1, /"roles"/],
  ["is null", "null", 1, /"roles"/],
  ["has no roles", '{ "people": [] }', 1, /"roles"/],
  ["reaches for the prototype", '{\n"__proto__": {},\n"roles": []}', 2, /__proto__/],
];

describe("ROLES.json that is broken", () => {
  it("keeps the last good roles in force, takes no write, is left as it is, and works again when mended", async () => {
    const workspace = await withRoles();
    const { call } = workspace;
    await workspace.addProject({ id: "mill", name: "Mill" });
    const before = (await list(workspace)).roles;
    const good = workspace.text(FILE);
    for (const [what, bad, line, reason] of BROKEN) {
      workspace.write(FILE, bad);
      const { roles, invalid } = await whenListed(workspace, (found) => found.invalid.length === 1);
      expect(roles, what).toEqual(before);
      const problem = { file: FILE, line, kind: "roles", severity: "invalid", reason: expect.stringMatching(reason) };
      expect(invalid, what).toEqual([problem]);
      expect((await wanted(200, call("GET", "/api/problems"))).problems, what).toEqual([problem]);
      expect(await workspace.role("coder")).toMatchObject(before[0] ?? {});
      for (const asked of [
        call("POST", "/api/roles", { template: "devops" }),
        call("PUT", "/api/roles/coder", { name: "New" }),
        call("DELETE", "/api/roles/tester"),
      ]) {
        expect(await refused("file_invalid", asked), what).toMatchObject({ file: FILE, line });
      }
      expect(workspace.text(FILE), what).toBe(bad);
      workspace.write(FILE, good);
      await whenListed(workspace, (found) => found.invalid.length === 0);
    }
    await workspace.assign("mill", "coder");
    await wanted(200, call("DELETE", "/api/roles/tester"));
  });

  it("is no text at all", async () => {
    const workspace = await withRoles();
    workspace.write(FILE, Buffer.from([0x7b, 0xff, 0x7d]));
    const { roles, invalid } = await whenListed(workspace, (found) => found.invalid.length === 1);
    expect([roles.length, invalid[0]?.reason]).toEqual([2, expect.stringMatching(/UTF-8/)]);
  });

  it("does not keep the daemon from starting, and the roles stay in force", async () => {
    const workspace = await withRoles();
    await workspace.addProject({ id: "mill", name: "Mill" });
    const again = await workspace.restart(() => workspace.write(FILE, "{"));
    expect(await list(again)).toMatchObject({ roles: [{ id: "coder" }, { id: "tester" }], invalid: [{ file: FILE }] });
    await again.assign("mill", "coder");
    expect(again.text(FILE)).toBe("{");
    const types = async () => (await eventsOf(again.hall)).map((event) => event.type);
    expect(await types()).toContain("file.invalid");
    again.write(FILE, '{ "roles": [] }');
    await eventTold(again.hall, (event) => event.type === "file.mended");
  });
});

describe("one entry of ROLES.json that is broken", () => {
  const LINE = 4;

  async function withBrokenTester(fault: object): Promise<Workspace> {
    const workspace = await withRoles();
    workspace.write(
      FILE,
      changed(workspace, ([coder, tester]) => [{ id: "tester", ...fault, "x-rest": tester }, coder]),
    );
    await whenListed(workspace, (found) => found.invalid.length > 0);
    return workspace;
  }

  it("makes that one role invalid, with file, line and reason, and no other", async () => {
    const workspace = await withBrokenTester({ name: 7 });
    const { roles, invalid } = await list(workspace);
    expect(ids(roles)).toEqual(["coder"]);
    const place = { file: FILE, line: LINE + 1 };
    expect(invalid).toEqual([
      { ...place, kind: "role", id: "tester", severity: "invalid", reason: expect.stringMatching(/tester: name: /) },
    ]);
    expect((await wanted(200, workspace.call("GET", "/api/problems"))).problems).toEqual(invalid);
    for (const [method, body] of [["GET"], ["PUT", { name: "New" }], ["DELETE"]] as const) {
      expect(await refused("file_invalid", workspace.call(method, "/api/roles/tester", body))).toMatchObject(place);
    }
    await refused("already_exists", workspace.call("POST", "/api/roles", { template: "tester" }));
  });

  it("is kept through changes of the others, and comes back when mended", async () => {
    const workspace = await withBrokenTester({ modelConfig: { thinking: "hard" } });
    const broken = workspace.json(FILE).roles[0];
    await wanted(200, workspace.call("PUT", "/api/roles/coder", { name: "Smith" }));
    await workspace.addRole({ template: "devops" });
    expect(workspace.json(FILE).roles[0]).toEqual(broken);
    expect(ids(workspace.json(FILE).roles)).toEqual(["tester", "coder", "devops"]);
    workspace.write(
      FILE,
      changed(workspace, (roles) => [broken["x-rest"], ...roles.slice(1)]),
    );
    await whenListed(workspace, ({ invalid }) => invalid.length === 0);
    expect((await workspace.role("tester")).name).toBe("QA Engineer");
  });

  it("may be a second one with the same id; the first one counts", async () => {
    const workspace = await withRoles();
    workspace.write(
      FILE,
      changed(workspace, ([coder, tester]) => [coder, tester, { ...tester, name: "Impostor" }]),
    );
    const { roles, invalid } = await whenListed(workspace, (found) => found.invalid.length === 1);
    expect(roles.map((role) => role.name)).toEqual(["Code Specialist", "QA Engineer"]);
    expect(invalid[0]).toMatchObject({ id: "tester", reason: expect.stringContaining("duplicated") });
    await wanted(200, workspace.call("PUT", "/api/roles/tester", { name: "Examiner" }));
    expect(workspace.json(FILE).roles.map((role: Seen) => role.name)).toEqual([
      "Code Specialist",
      "Examiner",
      "Impostor",
    ]);
    await wanted(200, workspace.call("DELETE", "/api/roles/tester"));
    expect((await list(workspace)).roles.map((role) => role.name)).toEqual(["Code Specialist", "Impostor"]);
  });

  it("may be no role at all, or one that asks for more than there is", async () => {
    const workspace = await withRoles();
    const entries = [7, null, [], "coder", { name: "dev", tools: "exec" }, { id: "x", name: "X", skills: ["*"] }];
    workspace.write(
      FILE,
      changed(workspace, (roles) => [...roles, ...entries]),
    );
    const { roles, invalid } = await whenListed(workspace, (found) => found.invalid.length > 0);
    expect(ids(roles)).toEqual(["coder", "tester"]);
    expect(invalid.map((problem) => problem.id)).toEqual(["#3", "#4", "#5", "#6", "#7", "x"]);
  });
});
