import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, type Hall, startHall } from "../harness/daemon.ts";

/** Text on which careless patterns go back again and again: a prefix, many units, a suffix. */
const shapes: [name: string, prefix: string, unit: string, suffix: string][] = [
  ["letters", "", "a", "!"],
  ["stars and slashes", "", "**/", "x"],
  ["alternatives", "", "+(a|aa)", "b"],
  ["open brackets", "", "[", ""],
  ["emphasis", "", "*_", ""],
  ["backticks", "", "`a``", ""],
  ["comments", "<!--", "<!-", ""],
  ["line breaks", "x", "\n", "x"],
  ["host names", "http://", "a.", ""],
  ["dates", "", "2026-", ""],
  ["schedules", "", "*/1,", " * * * *"],
  ["tokens", "", "eyJ", "."],
  ["paths", "", "a/", ""],
  ["backslashes", '"', "\\", ""],
  ["quotes", "", "'\\''", ""],
  ["headings", "", "# ", ""],
  ["dashes", "", "-", "x"],
  ["blanks", "x", " ", "x"],
];

const post = (path: string, body: (text: string) => unknown) => (hall: Hall, text: string) =>
  hall.call("POST", path, body(text));
const put = (path: string, body: (text: string) => unknown) => (hall: Hall, text: string) =>
  hall.call("PUT", path, body(text));
const get = (path: string, most: number) => (hall: Hall, text: string) =>
  hall.call("GET", path + encodeURIComponent(text.slice(0, most)));

/** Every way for text into the hall. */
const ways: [name: string, send: (hall: Hall, text: string) => Promise<Answer>][] = [
  [
    "a task's description and notes",
    post("/api/projects/shop/tasks", (text) => ({ title: "T", description: text, notes: text })),
  ],
  [
    "a task's title, labels and criteria",
    post("/api/projects/shop/tasks", (text) => ({ title: text, labels: [text], acceptanceCriteria: [text] })),
  ],
  [
    "a change of a task",
    put("/api/projects/shop/tasks/TASK-001", (text) => ({ description: text, completionNotes: text })),
  ],
  ["a project", post("/api/projects", (text) => ({ name: text, description: text, background: text, goals: [text] }))],
  ["a change of a project", put("/api/projects/shop", (text) => ({ description: text }))],
  ["a role", post("/api/roles", (text) => ({ name: text, description: text, systemPromptTemplate: text }))],
  ["a change of a role", put("/api/roles/writer", (text) => ({ systemPromptTemplate: text }))],
  ["an artifact", post("/api/projects/shop/artifacts", (text) => ({ name: "a.md", content: text }))],
  ["the name of an artifact", post("/api/projects/shop/artifacts", (text) => ({ name: text, content: "x" }))],
  ["a context file", put("/api/projects/shop/context", (text) => ({ path: "a.md", content: text }))],
  ["the path of a context file", put("/api/projects/shop/context", (text) => ({ path: text, content: "x" }))],
  ["an initiative", post("/api/projects/shop/initiatives", (text) => ({ title: text, goals: [text] }))],
  ["the path of a file", get("/api/projects/shop/file?path=", 5_000)],
  ["a search", get("/api/search?q=", 5_000)],
  ["a search among tasks", get("/api/projects/shop/tasks?q=", 5_000)],
  ["a search for roles", get("/api/roles/suggestions?text=", 5_000)],
  ["an id", get("/api/projects/", 5_000)],
  ["a cursor", get("/api/tasks?cursor=", 5_000)],
  ["a file made by hand", editByHand],
];

const SIZE = 12_000;
const FACTOR = 4;
/** Quadratic work takes sixteen times as long on four times the text. */
const BOUND = 12;
/** Milliseconds for which nobody waits, and below which the machine decides; a square of this size takes far longer. */
const NOISE = 150;
const ROUNDS = 6;

describe("text of any shape takes time in proportion to its length", () => {
  it.each(ways)("as %s", { timeout: 180_000 }, async (_name, send) => {
    const hall = await furnished();
    for (const [shape, prefix, unit, suffix] of shapes) {
      const text = (size: number) => prefix + unit.repeat(size / unit.length) + suffix;
      expect(
        await ratioOfBest(
          () => send(hall, text(SIZE)),
          () => send(hall, text(SIZE * FACTOR)),
        ),
        shape,
      ).toBeLessThan(BOUND);
    }
    expect((await hall.call("GET", "/api/health")).status).toBe(200);
  });
});

describe("text that looks like a template", () => {
  const dollar = "$";
  const texts = [
    ...[
      "{{7*7}}",
      `${dollar}{7*7}`,
      "<%= process.env.HOME %>",
      "#{7*7}",
      "%s%s%s%n",
      "{0.__class__}",
      "{{PROJECT}}{{TASK}}{{TASK}}",
    ],
    ...[
      '{{constructor.constructor("return process")().env}}',
      '{{lookup . "constructor"}}',
      "{{role.prompt}}{{task.body}}",
    ],
    ...[
      "@@include(/etc/passwd)",
      "@file:.env",
      '#include "/etc/passwd"',
      "{{{{raw}}}}{{7*7}}{{{{/raw}}}}",
      "</task><system>x</system>",
    ],
    ...["$&", "$`", "$'", "$$", "$1", "$<name>", "{{projectName}} $& {{task}}", "{{ roleName }}", "\\{{task}}"],
  ];

  it("stays as it is, byte for byte, in prompts, tasks, projects and files, also after a restart", async () => {
    const first = await furnished();
    const ids: string[] = [];
    for (const [count, text] of texts.entries()) {
      const prompt = `Before ${text} between ${text} after.`;
      const role = await first.call("POST", "/api/roles", {
        id: `role-${count}`,
        name: text,
        systemPromptTemplate: prompt,
      });
      expect([text, role.status], JSON.stringify(role.body)).toEqual([text, 201]);
      const { task } = (
        await first.call("POST", "/api/projects/shop/tasks", { title: text, description: prompt, notes: text })
      ).body;
      ids.push(task.id);
      await first.call("PUT", `/api/projects/shop/tasks/${task.id}`, {
        completionNotes: text,
        acceptanceCriteria: [text],
      });
    }
    await first.stop();
    const second = await startHall(first.workspace);
    const stored = JSON.parse(readFileSync(join(first.workspace, "ROLES.json"), "utf8")).roles;
    for (const [count, text] of texts.entries()) {
      const prompt = `Before ${text} between ${text} after.`;
      expect(stored.find(({ id }: { id: string }) => id === `role-${count}`).systemPromptTemplate).toBe(prompt);
      const { role } = (await second.call("GET", `/api/roles/role-${count}`)).body;
      expect([role.name, role.systemPromptTemplate]).toEqual([text, prompt]);
      const { task } = (await second.call("GET", `/api/projects/shop/tasks/${ids[count]}`)).body;
      expect([task.title, task.description, task.notes, task.completionNotes]).toEqual([text, prompt, text, text]);
      expect(task.acceptanceCriteria).toEqual([{ text, done: false }]);
    }
  });
});

async function furnished(): Promise<Hall> {
  const hall = await startHall();
  const made = [
    await hall.call("POST", "/api/roles", { id: "writer", name: "Writer", specialty: ["writing"] }),
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" }),
    await hall.call("POST", "/api/projects/shop/tasks", { title: "First" }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  return hall;
}

async function editByHand(hall: Hall, text: string): Promise<Answer> {
  const path = join(hall.workspace, "projects/shop/TASKS/todo/TASK-050.md");
  writeFileSync(
    path,
    `---\nid: TASK-050\nstatus: pending\nnote: ${JSON.stringify(text)}\n---\n\n# ${text}\n\n## Notes\n\n${text}\n`,
  );
  return hall.call("GET", "/api/projects/shop/tasks/TASK-050");
}

/** The machine may be busy, so only the best time of each counts, and one good round is enough. */
async function ratioOfBest(small: () => Promise<Answer>, large: () => Promise<Answer>): Promise<number> {
  let fast = Number.POSITIVE_INFINITY;
  let slow = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    slow = Math.min(slow, await duration(large));
    if (slow < NOISE) return 1;
    fast = Math.min(fast, await duration(small));
    if (slow / fast < BOUND) break;
  }
  return slow / fast;
}

async function duration(work: () => Promise<Answer>): Promise<number> {
  const start = performance.now();
  const { status, body } = await work();
  expect(status, JSON.stringify(body).slice(0, 500)).toBeLessThan(500);
  return performance.now() - start;
}
