import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskCreate, TaskOutcome, TaskUpdate } from "../../contract/documents/task.ts";
import { TASK_PRIORITIES, TASK_STATUSES, TASK_TYPES, type TaskStatus } from "../../contract/documents/task-status.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import { folderOf, taskPath } from "../layout.ts";
import { applyUpdate, newTask } from "./task-change.ts";
import { editTask, etagOf, readTask, renderTask, type TaskReading } from "./task-file.ts";

const NOON = "2026-03-01T12:00:00.000Z";
const LATER = "2026-03-02T09:30:00.000Z";

interface Place {
  id?: string;
  status?: TaskStatus;
  known?: TaskStatus;
}

function read(text: string | Uint8Array, { id = "TASK-007", status = "pending", known }: Place = {}): TaskReading {
  const folder = folderOf(status);
  const path = taskPath("alpha", folder, id);
  return readTask(Buffer.from(text), { projectId: "alpha", folder, path, name: `${id}.md`, changedAt: NOON, known });
}

function recordOf(reading: TaskReading): TaskRecord {
  if (!reading.ok) throw new Error(`line ${reading.line}: ${reading.reason}`);
  return reading.record;
}

const withoutEtag = ({ etag, ...record }: TaskRecord) => record;
const make = (body: unknown) =>
  newTask({ body: TaskCreate.parse(body), id: "TASK-007", projectId: "alpha", at: NOON, by: "person" });

const words = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary-ascii" }),
  fc.constantFrom(
    "{{7*7}}",
    "$&",
    "$$",
    `$\{x}`,
    "$`",
    "true",
    "null",
    "- x",
    "# y",
    "a: b",
    "a #b",
    "'",
    '"',
    "`",
    "\\",
  ),
);
const line = words.filter((text) => TaskCreate.shape.title.safeParse(text).success && text.trim().length < 60);
const lines = fc.array(line, { maxLength: 4 });
const paragraph = fc.oneof(
  words,
  fc.constantFrom(
    "## Description",
    "## notes ",
    "\\## Result",
    "# Title",
    "---",
    "```json",
    "",
    "  ",
    "\r",
    "\r\r",
    "- [ ] box",
    "- Files: a",
    "id: TASK-001",
  ),
);
const prose = fc
  .array(paragraph, { maxLength: 6 })
  .map((parts) => parts.join("\n"))
  .filter((text) => !text.includes("\0"));
const reference = words.filter((text) => text !== "" && !text.includes("\0"));
const references = fc.array(reference, { maxLength: 3 });
const slug = fc.constantFrom("coder", "release-one", "a", "x_1");
const criteria = fc.array(fc.oneof(line, fc.record({ text: line, done: fc.boolean() })), { maxLength: 4 });
const result = fc.record({ summary: prose, filesChanged: references, artifactsCreated: references });
const ids = fc.uniqueArray(fc.constantFrom("TASK-001", "TASK-002", "TASK-1000"), { maxLength: 2 });

const fields = {
  description: prose,
  type: fc.constantFrom(...TASK_TYPES, "bugfix"),
  priority: fc.constantFrom(...TASK_PRIORITIES, "critical"),
  assignedRoleId: slug,
  assignedSubAgentId: line,
  context: fc.record({ files: references, codeRefs: references, dependencies: references }, { requiredKeys: [] }),
  acceptanceCriteria: criteria,
  labels: lines,
  plan: slug,
  responsibilityType: line,
  blocks: ids,
  blockedBy: ids,
  notes: prose,
  completionNotes: prose,
  outcome: fc.constantFrom(...TaskOutcome.options),
  result,
};
const creation = fc.record(
  { title: line, status: fc.constantFrom(...TASK_STATUSES), ...fields },
  { requiredKeys: ["title"] },
);
const nullable = ["assignedRoleId", "assignedSubAgentId", "plan", "responsibilityType", "completionNotes"] as const;
const change = fc
  .record({ title: line, status: fc.constantFrom(...TASK_STATUSES), ...fields }, { requiredKeys: [] })
  .chain((body) =>
    fc.subarray([...nullable]).map((gone) => ({ ...body, ...Object.fromEntries(gone.map((key) => [key, null])) })),
  );

describe("a task file", () => {
  it("holds every task that can be made: what is written is what is read", () => {
    fc.assert(
      fc.property(creation, (body) => {
        const task = make(body);
        const text = renderTask(task);
        expect(recordOf(read(text, task))).toEqual({ ...task, etag: etagOf(text) });
      }),
      { numRuns: 500 },
    );
  });

  it("holds every change: after it the file tells the changed task, with LF as with CRLF", () => {
    fc.assert(
      fc.property(creation, change, fc.constantFrom("\n", "\r\n"), (body, update, eol) => {
        const task = make(body);
        const before = renderTask(task).replaceAll("\n", eol);
        const known = recordOf(read(before, task));
        const after = applyUpdate(known, TaskUpdate.parse(update), { at: LATER, by: "agent" });
        if (after === undefined) return;
        const text = editTask(before, known, after);
        expect(withoutEtag(recordOf(read(text, after)))).toEqual({ ...withoutEtag(after), path: expect.any(String) });
        if (eol === "\r\n") expect(text.replaceAll("\r\n", "")).not.toContain("\n");
      }),
      { numRuns: 500 },
    );
  });

  it("keeps what it does not know, to the byte, through every change", () => {
    const foreign = [
      "# a comment of its own\nteam: {a: [1, 2], b: 'x'} # kept\n",
      "estimate: 3d   # days\n",
      "\n<!-- before -->\n",
      "\n## My own heading\n\n  indented   text \n\n\n* and a list\n",
    ] as const;
    const text = [
      "---\nid: TASK-007\n",
      foreign[0],
      "status: pending # as yet\n",
      foreign[1],
      "created: 2026-01-01T00:00:00.000Z\n---\n# By hand\n",
      foreign[2],
      "\n## Acceptance Criteria\n* [ ] one\n",
      foreign[3],
    ].join("");
    fc.assert(
      fc.property(change, fc.constantFrom("\n", "\r\n"), (update, eol) => {
        const before = text.replaceAll("\n", eol);
        const known = recordOf(read(before));
        const after = applyUpdate(known, TaskUpdate.parse(update), { at: LATER, by: "person" });
        if (after === undefined) return;
        const edited = editTask(before, known, after);
        let from = 0;
        for (const part of foreign) {
          const at = edited.indexOf(part.replaceAll("\n", eol), from);
          expect(at, `${JSON.stringify(part)} in ${JSON.stringify(edited)}`).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
        expect(withoutEtag(recordOf(read(edited, after)))).toEqual({ ...withoutEtag(after), path: expect.any(String) });
      }),
      { numRuns: 300 },
    );
  });
});

describe("a new file", () => {
  it("is frontmatter, a heading and the sections people fill in [S0-TF-01 S0-TF-02 S0-TF-03 S0-TF-04]", () => {
    const task = make({
      title: "Write the login page",
      description: "With a form.",
      type: "feature",
      priority: "high",
      assignedRoleId: "coder",
      context: { files: ["src/login.ts"], dependencies: ["TASK-001"] },
      acceptanceCriteria: ["shows an error", { text: "has a test", done: true }],
    });
    expect(renderTask(task)).toBe(`---
id: TASK-007
status: pending
type: feature
priority: high
assigned: coder
role: coder
project: alpha
created: ${NOON}
updated: ${NOON}
history:
  - {at: "${NOON}", from: null, to: pending, by: person}
---

# Write the login page

## Description
With a form.

## Context
- Files: \`src/login.ts\`
- Related: TASK-001

## Acceptance Criteria
- [ ] shows an error
- [x] has a test

## Notes
`);
  });

  it("tells who is assigned even when nobody is [S0-TF-02 S0-TF-03]", () => {
    expect(renderTask(make({ title: "x" }))).toContain("\nassigned: null\nrole: null\n");
  });
});

describe("a file written by hand", () => {
  it("needs no more than its id; the rest comes from its folder, its name and its date", () => {
    expect(recordOf(read("---\nid: TASK-007\n---\n", { status: "review" }))).toEqual({
      id: "TASK-007",
      projectId: "alpha",
      title: "TASK-007",
      description: "",
      type: "other",
      priority: "medium",
      status: "review",
      context: { files: [], codeRefs: [], dependencies: [] },
      acceptanceCriteria: [],
      labels: [],
      blocks: [],
      blockedBy: [],
      notes: "",
      history: [],
      createdAt: NOON,
      updatedAt: NOON,
      path: "projects/alpha/TASKS/review/TASK-007.md",
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("may leave out sections: what stands before the first is the description", () => {
    const record = recordOf(read("---\nid: TASK-007\n---\n# Short\n\nJust this.\n\n## Notes\nn\n"));
    expect([record.title, record.description, record.notes]).toEqual(["Short", "Just this.", "n"]);
  });

  it("may begin with a byte order mark and end its lines in CRLF, and keeps both", () => {
    const text = "\ufeff---\r\nid: TASK-007\r\nstatus: todo\r\n---\r\n# Title\r\n\r\n## Notes\r\nn\r\n";
    const known = recordOf(read(text));
    expect([known.title, known.notes, known.status]).toEqual(["Title", "n", "pending"]);
    const after = applyUpdate(known, { notes: "a\nb", priority: "low" }, { at: LATER, by: "person" }) as TaskRecord;
    expect(editTask(text, known, after)).toBe(
      text
        .replace("---\r\n# T", `created: ${NOON}\r\npriority: low\r\nupdated: ${LATER}\r\n---\r\n# T`)
        .replace("\r\nn\r\n", "\r\na\r\nb\r\n"),
    );
  });

  it("gets a date of its making with the first change, so that it does not grow younger", () => {
    const text = "---\nid: TASK-007\n---\n# x\n";
    const known = recordOf(read(text));
    const after = applyUpdate(known, { priority: "low" }, { at: LATER, by: "person" }) as TaskRecord;
    expect(editTask(text, known, after)).toContain(`\ncreated: ${NOON}\n`);
  });

  it("can have its description taken away even where it is written without a section", () => {
    const text = "---\nid: TASK-007\ncreated: 2026-01-01\n---\n# x\n\nKept as a remark.\n";
    const known = recordOf(read(text));
    const after = applyUpdate(known, { description: "" }, { at: LATER, by: "person" }) as TaskRecord;
    const edited = editTask(text, known, after);
    expect(recordOf(read(edited)).description).toBe("");
    expect(edited).toContain("# x\n\nKept as a remark.\n");
  });

  it.each([
    ["no text", Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]), 1, "UTF-8"],
    ["without frontmatter", "# Title\n", 1, "frontmatter"],
    ["without an id", "---\nstatus: done\n---\n", 1, "id"],
    ["with an id that is not its name", "---\nstatus: done\nid: TASK-008\n---\n", 3, "TASK-008"],
    ["of another project", "---\nid: TASK-007\nproject: beta\n---\n", 3, "beta"],
    ["with an unknown status", "---\nid: TASK-007\nstatus: dnoe\n---\n", 3, "pending, assigned, in-progress"],
    ["with an unknown priority", "---\nid: TASK-007\n\npriority: huge\n---\n", 4, "low, medium, high, urgent"],
    ["with labels that are no list", "---\nid: TASK-007\nlabels: a\n---\n", 3, "labels"],
    ["with a result that is none", "---\nid: TASK-007\n---\n# x\n\n## Result\nfine\n", 6, "Result"],
  ])("is refused whole %s, with the line and the reason", (_name, text, line, reason) => {
    expect(read(text)).toEqual({ ok: false, id: "TASK-007", line, reason: expect.stringContaining(reason) });
  });

  it("is read or refused, never thrown at, whatever it holds", () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), words.map(Buffer.from), prose.map(Buffer.from));
    const fenced = prose.map((yaml) => Buffer.from(`---\nid: TASK-007\n${yaml}\n---\n`));
    fc.assert(
      fc.property(fc.oneof(bytes, fenced), (content) => {
        const reading = read(content);
        expect(reading.ok || (reading.line >= 1 && reading.reason !== "")).toBe(true);
      }),
    );
  });
});
