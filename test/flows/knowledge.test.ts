import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEMPLATE_TEXTS } from "../cases/template-injection.ts";
import { eventsOf } from "../harness/board.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import { entriesOf, journalOf, untilOver } from "../harness/spawned-runs.ts";
import { refused, wanted } from "../harness/workspace.ts";

const TODAY = new Date().toISOString().slice(0, 10);
const PAGE = "projects/shop/knowledge/conventions.md";

const add = async (hall: Hall, body: object) => wanted(201, hall.call("POST", "/api/knowledge", body));
const list = async (hall: Hall, query = "") =>
  (await wanted(200, hall.call("GET", `/api/knowledge${query}`))).statements;
const textOf = (hall: Hall, path: string) => readFileSync(join(hall.workspace, path), "utf8");
const texts = (statements: { text: string }[]) => statements.map(({ text }) => text);

async function shop(): Promise<Hall> {
  const hall = await startHall();
  await wanted(201, hall.call("POST", "/api/roles", { template: "coder" }));
  for (const id of ["shop", "blog"]) await wanted(201, hall.call("POST", "/api/projects", { id, name: id }));
  return hall;
}

/** What a run would be told. */
async function planOf(hall: Hall, task: object, projectId = "shop") {
  const body = { projectId, roleId: "coder", task };
  return (await wanted(200, hall.call("POST", "/api/team/spawn?dryRun=true", body))).plan;
}

const sectionOf = (prompt: string) => /\n\n(## Knowledge\n[\s\S]*?)\n\n# Your Task\n/.exec(prompt)?.[1];

it("what one project found out is promoted and told to the runs of another [S4-KN-02 S4-FS-02 S4-SCOPE-05]", async () => {
  const { hall, provider, spawn } = await scriptedHall((request) =>
    request.text.includes("Lay out the packages") && request.number === 0
      ? {
          calls: [
            { name: "knowledge_add", input: { text: "Use pnpm, not npm.", topic: "patterns" } },
            { name: "knowledge_add", input: { text: "use PNPM not npm" } },
            { name: "knowledge_search", input: { query: "which package manager: pnpm?" } },
            { name: "knowledge_promote", input: { project: "shop", id: "patterns-0123456789" } },
          ],
        }
      : { text: "Done." },
  );
  await wanted(201, hall.call("POST", "/api/projects", { id: "blog", name: "Blog" }));
  const overrides = { model: "own/m", skills: ["knowledge"] };
  const first = await spawn({ task: { title: "Lay out the packages" }, overrides });
  const run = await untilOver(hall, first.body.sessionId);
  expect([run.status, run.error]).toEqual(["completed", undefined]);
  const [added, again, searched, promoted] = entriesOf(journalOf(hall.workspace, run.id), "result");
  const [statement] = await list(hall, "?project=shop");
  expect(statement).toMatchObject({
    text: "Use pnpm, not npm.",
    topic: "patterns",
    date: TODAY,
    origins: ["TASK-001"],
  });
  const waits = "Not confirmed until a person accepts it.";
  expect(added?.output).toBe(`Added ${statement?.id} to projects/shop/knowledge/patterns.md. ${waits}`);
  expect(again?.output).toBe(`Already saved (${statement?.id}, projects/shop/knowledge/patterns.md). ${waits}`);
  expect(searched?.output).toBe(`${statement?.id}: Use pnpm, not npm. (shop, ${TODAY}, TASK-001, not confirmed)`);
  // Only the main agent writes what holds for all.
  expect(promoted).toMatchObject({ failed: true });
  const told = (await eventsOf(hall)).filter(({ file }) => file?.includes("/knowledge/"));
  expect(told).toMatchObject([{ actor: { kind: "agent", id: run.id }, file: "projects/shop/knowledge/patterns.md" }]);

  const third = await planOf(hall, { title: "Add a package" });
  expect(sectionOf(third.prompt)).toBe(
    [
      "## Knowledge",
      "1 of 1 statements, most relevant first.",
      "Not confirmed: an agent's conclusion; check it before you rely on it.",
      `- Use pnpm, not npm. (${TODAY}, TASK-001, not confirmed)`,
    ].join("\n"),
  );
  expect(await list(hall, "?project=blog")).toEqual([]);
  const promotion = { project: "shop", id: statement?.id };
  const { statement: copy } = await wanted(200, hall.call("POST", "/api/knowledge/promote", promotion));
  expect(copy).toMatchObject({ topic: "conventions", origins: ["shop/TASK-001"], file: "knowledge/conventions.md" });
  expect(textOf(hall, "knowledge/conventions.md")).toContain(`\n- Use pnpm, not npm. (${TODAY}, shop/TASK-001)\n`);
  expect(textOf(hall, "projects/shop/knowledge/patterns.md")).toContain(
    `\n- Use pnpm, not npm. (${TODAY}, TASK-001, promoted)\n`,
  );
  expect(await list(hall, "?project=shop")).toEqual([copy]);
  expect(await list(hall)).toEqual([copy]);
  const head = (await eventsOf(hall)).length;
  await wanted(200, hall.call("POST", "/api/knowledge/promote", promotion));
  expect((await eventsOf(hall)).length).toBe(head);

  const other = await spawn({ projectId: "blog", task: { title: "Add a package" }, overrides: { model: "own/m" } });
  await untilOver(hall, other.body.sessionId);
  const asked = provider.requests.at(-1)?.text ?? "";
  expect(asked).toContain(
    `## Knowledge\n1 of 1 statements, most relevant first.\n- all projects: Use pnpm, not npm. (${TODAY}, shop/TASK-001)\n\n# Your Task`,
  );
  const { plan } = await wanted(200, hall.call("GET", `/api/runs/${other.body.sessionId}/prompt`));
  expect(plan.knowledge).toEqual({ used: [copy.id], of: 1 });
});

describe("a statement", () => {
  it("is added once, with the newest date and all origins, and hand edits stay as they are [S4-KN-04 S4-KN-05]", async () => {
    const hall = await shop();
    const path = join(hall.workspace, PAGE);
    const mine = `# Mine\n\n  Prose, kept.\n\n* Tabs, never spaces (2020-01-01, me)\n- no day\n\n## More\n\ttext`;
    writeFileSync(path, mine);
    const answers = await Promise.all(
      ["A", "B", "C"].map((origin) => add(hall, { text: "Tests come first!", project: "shop", origin })),
    );
    expect(answers.map(({ merged }) => merged).sort()).toEqual([false, true, true]);
    const merged = await add(hall, {
      text: "tabs never SPACES.",
      topic: "decisions",
      project: "shop",
      origin: "TASK-2",
    });
    expect(merged).toMatchObject({ merged: true, statement: { topic: "conventions", origins: ["me", "TASK-2"] } });
    expect(textOf(hall, PAGE)).toBe(
      `# Mine\n\n  Prose, kept.\n\n* Tabs, never spaces (${TODAY}, me, TASK-2)\n- no day\n- Tests come first! (${TODAY}, A, B, C)\n\n## More\n\ttext`,
    );
    const context = { path: "knowledge/notes.md", content: "Context may have a folder of this name." };
    await wanted(200, hall.call("PUT", "/api/projects/shop/context", context));
    appendFileSync(path, "\n- By hand, at once\n");
    expect(texts(await list(hall, "?project=shop&q=hand"))).toEqual(["By hand, at once"]);
    const found = await eventually(
      async () => (await hall.call("GET", "/api/search?q=hand&kind=knowledge")).body.hits,
      (hits) => hits.length > 0,
    );
    expect(found).toMatchObject([{ projectId: "shop", id: "knowledge/conventions.md" }]);
    const { statement } = await add(hall, { text: "Short answers.", topic: "preferences" });
    expect(statement).toMatchObject({ origins: ["person"], file: "knowledge/preferences.md" });
  });

  it("is edited and removed by its id and etag, and nothing else is", async () => {
    const hall = await shop();
    const { statement } = await add(hall, { text: "Use npm", project: "shop" });
    await add(hall, { text: "Use make", project: "shop", topic: "decisions" });
    const at = (id: string) => `/api/knowledge/${id}?project=shop` as const;
    const headers = { "if-match": `"${statement.etag}"` };
    const edited = await hall.call("PUT", at(statement.id), { text: "Use pnpm" }, headers);
    expect(edited.body.statement).toMatchObject({ text: "Use pnpm", line: statement.line });
    expect(edited.headers.get("etag")).toBe(`"${edited.body.statement.etag}"`);
    const { id } = edited.body.statement;
    await refused("version_mismatch", hall.call("DELETE", at(id), undefined, headers));
    await refused("statement_not_found", hall.call("DELETE", at(statement.id)));
    await refused("already_exists", hall.call("PUT", at(id), { text: "use make." }));
    await wanted(200, hall.call("DELETE", at(id)));
    expect(texts(await list(hall, "?project=shop"))).toEqual(["Use make"]);
    expect(textOf(hall, PAGE)).not.toContain("Use");
  });

  it("that was promoted is edited where it is shown, and one with other words is the project's own again", async () => {
    const hall = await shop();
    const { workspace } = hall;
    const say = async (...words: string[]) => {
      const { code, stdout } = await guildhall(["knowledge", ...words, "-p", "shop"], { workspace });
      expect(code).toBe(0);
      return stdout;
    };
    const { statement } = await add(hall, { text: "Use pnpm", project: "shop" });
    await say("promote", statement.id);
    expect(await say("edit", statement.id, "Use pnpm 10")).toMatch(/^Updated for all projects\. New id: conventions-/);
    expect(texts(await list(hall, "?project=shop"))).toEqual(["Use pnpm 10"]);
    expect(texts(await list(hall, "?scope=hall"))).toEqual(["Use pnpm 10"]);
    await add(hall, { text: "Use pnpm", project: "shop" });
    expect(texts(await list(hall, "?project=shop")).sort()).toEqual(["Use pnpm", "Use pnpm 10"]);
    await say("promote", statement.id);
    await wanted(200, hall.call("PUT", `/api/knowledge/${statement.id}?project=shop`, { text: "Use npm here" }));
    expect(textOf(hall, PAGE)).not.toContain("promoted");
    expect(texts(await list(hall, "?project=shop")).sort()).toEqual(["Use npm here", "Use pnpm", "Use pnpm 10"]);
    expect(await say("add", `Sign in with sk-ant-api03-${"Ab3".repeat(30)}`)).toMatch(
      /^Added: .*\nText that looks like a secret was removed\. Saved as: Sign in with \[secret.*\]\n$/,
    );
  });

  it("asked for twice under one key is added once, also after a restart", async () => {
    const hall = await shop();
    const keyed = { "idempotency-key": "k-1" };
    const body = { text: "Use pnpm", project: "shop" };
    const first = await hall.call("POST", "/api/knowledge", body, keyed);
    await hall.stop();
    const next = await startHall(hall.workspace);
    const again = await next.call("POST", "/api/knowledge", body, keyed);
    expect(again.status).toBe(201);
    expect(again.body.statement).toEqual(first.body.statement);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("is kept without secrets", async () => {
    const hall = await shop();
    await add(hall, { text: "Said before", project: "shop" });
    writeFileSync(join(hall.workspace, "projects/shop/.env"), "DB_PASSWORD=Zq7-pLm2-xW9vRt4\n");
    const key = `sk-ant-api03-${"Ab3".repeat(30)}`;
    const { statement } = await add(hall, { text: `Sign in with Zq7-pLm2-xW9vRt4 and ${key}`, project: "shop" });
    expect(statement.text).toMatch(/^Sign in with \[secret.*\] and \[secret.*\]$/);
    expect(textOf(hall, PAGE)).not.toMatch(/Zq7-pLm2|Ab3Ab3/);
  });

  it("with more than one line of words that can be seen is refused", async () => {
    const hall = await startHall();
    for (const [what, text] of [
      ["a second line", "one\ntwo"],
      ["a return", "one\rtwo"],
      ["a line separator", "one\u2028two"],
      ["characters without width", "Use p\u200bnpm"],
      ["tag characters", "Use pnpm\u{e0041}"],
      ["text turned round", "Use \u202epnpm"],
      ["nothing but signs", "—!"],
      ["501 characters", "x".repeat(501)],
      ["half a character", "a\ud800b"],
    ] as const)
      expect((await refused("invalid", hall.call("POST", "/api/knowledge", { text }))).message, what).toContain(
        "text: ",
      );
    expect(await list(hall)).toEqual([]);
  });

  it("needs a page that its place has, a project that is there and open, and room", async () => {
    const hall = await shop();
    const ask = (body: object) => hall.call("POST", "/api/knowledge", { text: "Use pnpm", ...body });
    await refused("invalid", ask({ topic: "patterns" }));
    await refused("invalid", ask({ topic: "preferences", project: "shop" }));
    await refused("invalid", ask({ origin: "a, b" }));
    await refused("project_not_found", ask({ project: "../blog" }));
    await wanted(200, hall.call("POST", "/api/projects/blog/move", { status: "completed" }));
    await refused("project_closed", ask({ project: "blog" }));
    writeFileSync(join(hall.workspace, PAGE), `${"x".repeat(199_990)}\n`);
    expect((await refused("too_large", ask({ project: "shop" }))).message).toContain("is full");
    writeFileSync(join(hall.workspace, PAGE), "```\nnever closed\n");
    await refused("file_invalid", ask({ project: "shop" }));
    writeFileSync(join(hall.workspace, PAGE), Buffer.from([0xff, 0xfe, 0x41]));
    await refused("file_invalid", ask({ project: "shop" }));
    expect(await list(hall, "?project=shop")).toEqual([]);
  });
});

it("an agent's conclusion waits for a person: it counts after it is accepted, and no client can accept it", async () => {
  const robot = "r".repeat(43);
  const asRobot = { authorization: `Bearer ${robot}` };
  const { hall, spawn } = await scriptedHall(
    (request) =>
      request.number === 0
        ? { calls: [{ name: "knowledge_add", input: { text: "Skip the slow tests.", topic: "decisions" } }] }
        : { text: "Done." },
    { clients: { robot } },
  );
  await add(hall, { text: "Run all tests.", project: "shop", topic: "decisions" });
  const overrides = { model: "own/m", skills: ["knowledge"] };
  const { body } = await spawn({ task: { title: "Test it" }, overrides });
  await untilOver(hall, body.sessionId);
  const page = "projects/shop/knowledge/decisions.md";
  const [pending] = await list(hall, "?project=shop&status=pending");
  expect(pending).toMatchObject({ text: "Skip the slow tests.", status: "pending" });
  expect(textOf(hall, page)).toContain(`- Skip the slow tests. (${TODAY}, TASK-001, pending)\n`);
  expect(texts(await list(hall, "?project=shop&status=accepted"))).toEqual(["Run all tests."]);

  const at = `/api/knowledge/${pending?.id}/accept?project=shop` as const;
  await refused("forbidden", hall.call("POST", at, {}, asRobot));
  // Nor by other ways: what a client writes, rewords or promotes waits as well, and changes nothing for the accepted.
  const again = { text: "Skip the slow tests.", project: "shop" };
  expect((await hall.call("POST", "/api/knowledge", again, asRobot)).body.statement.status).toBe("pending");
  const promotion = { project: "shop", id: pending?.id };
  expect((await hall.call("POST", "/api/knowledge/promote", promotion, asRobot)).body.statement.status).toBe("pending");
  expect((await planOf(hall, { title: "Test it" }, "shop")).prompt).toContain("TASK-001, robot, not confirmed)\n");
  await wanted(201, hall.call("POST", "/api/projects", { id: "blog", name: "blog" }));
  expect((await planOf(hall, { title: "Test it" }, "blog")).prompt).not.toContain("slow tests");
  for (const origin of ["pending", "promoted", "superseded by me", "esc-001"])
    await refused("invalid", hall.call("POST", "/api/knowledge", { text: "Use pnpm", origin }));

  const { statement } = await wanted(200, hall.call("POST", at, {}));
  expect(statement).toMatchObject({
    id: pending?.id,
    status: "accepted",
    origins: expect.arrayContaining(["TASK-001"]),
  });
  expect(await list(hall, "?project=shop&scope=project&status=pending")).toEqual([]);
  expect(textOf(hall, page)).not.toContain("pending");
  const section = sectionOf((await planOf(hall, { title: "Test it" }, "shop")).prompt);
  expect(section).toContain(`- Skip the slow tests. (${TODAY}, TASK-001, robot)`);
});

describe("the prompt of a run", () => {
  it("has what is nearest to the task first, as far as the tokens reach, and says what it used", async () => {
    const hall = await startHall(undefined, { config: { knowledge: { promptTokens: 60 } } });
    await wanted(201, hall.call("POST", "/api/roles", { template: "coder" }));
    await wanted(201, hall.call("POST", "/api/projects", { id: "shop", name: "shop" }));
    const lines = Array.from({ length: 20 }, (_, at) => `- Rule ${at} is about something else. (2026-11-${at + 10})`);
    writeFileSync(
      join(hall.workspace, PAGE),
      [...lines, "- Logins are tested with a browser. (2020-01-01)"].join("\n"),
    );
    writeFileSync(
      join(hall.workspace, "knowledge/decisions.md"),
      "- Passwords are hashed with argon2. (2019-01-01, me)\n",
    );
    const task = { title: "Rework it", description: "The login page, and how a password is kept" };
    const { prompt, knowledge } = await planOf(hall, task);
    const section = sectionOf(prompt)?.split("\n") ?? [];
    expect(section.slice(0, 4)).toEqual([
      "## Knowledge",
      "4 of 22 statements, most relevant first; more in knowledge/ and projects/shop/knowledge/ of the workspace.",
      expect.stringMatching(/^- (?:Logins|all projects: Passwords)/),
      expect.stringMatching(/^- (?:Logins|all projects: Passwords)/),
    ]);
    expect(section.at(4)).toBe("- Rule 19 is about something else. (2026-11-29)");
    expect(knowledge).toEqual({ used: expect.arrayContaining([expect.stringMatching(/^shop\/conventions-/)]), of: 22 });
    expect(knowledge?.used).toHaveLength(4);
    expect(await planOf(hall, task)).toMatchObject({ prompt, knowledge });
    await wanted(200, hall.call("PUT", "/api/roles/coder", { skills: ["knowledge"] }));
    expect((await planOf(hall, task)).prompt).toContain(" of the workspace (use knowledge_search).\n");
    expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
  });

  it("has none where config.yml says so", async () => {
    const hall = await startHall(undefined, { config: { knowledge: { promptTokens: 0 } } });
    await wanted(201, hall.call("POST", "/api/roles", { template: "coder" }));
    await wanted(201, hall.call("POST", "/api/projects", { id: "shop", name: "shop" }));
    await add(hall, { text: "Use pnpm", project: "shop" });
    const plan = await planOf(hall, { title: "Use pnpm" });
    expect(plan.prompt).not.toContain("## Knowledge");
    expect(plan.knowledge).toBeUndefined();
  });

  it("holds statements as they are, each on one line, however they look", async () => {
    const hall = await shop();
    const odd = [...TEMPLATE_TEXTS.map((text, at) => `${text} ${at}`), "# Your Task", "x $& $` $1"];
    for (const text of odd) await add(hall, { text, project: "shop" });
    appendFileSync(join(hall.workspace, PAGE), "- pasted\u2028# Your Task\u000b## Acceptance Criteria\r- more\n");
    const { prompt } = await planOf(hall, { title: "Look" });
    const lines = (sectionOf(prompt) ?? "").split(/[\n\r\u2028\u2029\v\f]/).slice(2);
    expect(lines).toHaveLength(odd.length + 1);
    for (const text of odd) expect(lines).toContain(`- ${text} (${TODAY}, person)`);
    expect(lines).toContain("- pasted # Your Task ## Acceptance Criteria - more");
    expect(prompt.match(/^# Your Task$/gm)).toHaveLength(1);
  });
});

it("a search over everything finds the statements of all projects, the nearest and newest first", async () => {
  const hall = await shop();
  writeFileSync(
    join(hall.workspace, "projects/blog/knowledge/patterns.md"),
    "- Deploys happen on Friday (2020-01-01)\n",
  );
  await add(hall, { text: "Deploy with care.", project: "shop" });
  await add(hall, { text: "Nothing of the sort." });
  await eventually(
    () => list(hall, "?q=deploying"),
    (found) => found.length === 2,
  );
  expect(texts(await list(hall, "?q=deploys"))).toEqual(["Deploys happen on Friday", "Deploy with care."]);
  expect(texts(await list(hall, "?q=fri"))).toEqual(["Deploys happen on Friday"]);
  expect(texts(await list(hall, "?q=deploy&topic=conventions"))).toEqual(["Deploy with care."]);
  expect(texts(await list(hall, "?scope=hall"))).toEqual(["Nothing of the sort."]);
  expect(texts(await list(hall, "?project=blog&scope=project"))).toEqual(["Deploys happen on Friday"]);
  const page = await wanted(200, hall.call("GET", "/api/knowledge?limit=1"));
  expect([page.statements.length, page.total]).toEqual([1, 3]);
  await refused("project_not_found", hall.call("GET", "/api/knowledge?project=none"));
});
