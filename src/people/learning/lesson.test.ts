import { describe, expect, it } from "vitest";
import { Redactor } from "../../store/secrets/redaction.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { KnownPlaces } from "../../workspace/knowledge/knowledge.ts";
import { type Known, statementIdOf } from "../../workspace/knowledge/knowledge-pages.ts";
import { keyOf } from "../../workspace/knowledge/knowledge-text.ts";
import { lessonOf } from "./lesson.ts";
import { learned } from "./lesson-edits.ts";

const AT = "2026-11-16T12:00:00.000Z";
const hide = (text: string) => new Redactor([{ name: "DB", value: "Zq7-pLm2-xW9vRt4" }]).text(text);

const escalation = (more: Partial<StoredEscalation> = {}): StoredEscalation => ({
  id: "esc-004",
  type: "decision",
  origin: "agent",
  projectId: "shop",
  question: "Which payment provider?",
  context: "",
  suggestedAnswers: [],
  escalatedBy: "run:one",
  escalationPath: [],
  history: [],
  askers: [],
  priority: "medium",
  blocksTask: null,
  blocksInitiative: false,
  createdAt: AT,
  updatedAt: AT,
  status: "resolved",
  outcome: "answered",
  resolution: "Stripe, it takes SEPA.",
  answer: null,
  resolvedBy: "person",
  resolvedAt: AT,
  scope: "project",
  sources: [],
  replaces: [],
  reminders: 0,
  path: "escalations/resolved/esc-004.json",
  etag: "e",
  ...more,
});

const said = (more: Partial<StoredEscalation>) => lessonOf(escalation(more), hide)?.text;
const WITHHELD = /→ provided; the text is kept in the escalation only$/;

describe("what an answer leaves in knowledge", () => {
  it("is the question and the answer, with the escalation, the day and who answered [S4-ESC-17]", () => {
    expect(lessonOf(escalation(), hide)).toEqual({
      projectId: "shop",
      text: "Which payment provider? → Stripe, it takes SEPA.",
      date: "2026-11-16",
      origins: ["esc-004", "answered by person"],
      status: "accepted",
    });
    expect(lessonOf(escalation({ scope: "hall" }), hide)?.projectId).toBeUndefined();
    expect(said({ type: "approval", resolution: "Approved" })).toMatch(/→ Approved \(this time only\)$/);
    expect(said({ type: "approval", resolution: "Approved", ruleId: "r" })).toMatch(/→ Approved$/);
  });

  it("is one line of at most 500 characters, whatever was asked and answered", () => {
    const text = said({
      question: `Odd \u2028?${"?".repeat(1_900)}`,
      resolution: `a\r\n- b\u200b\n${"🙂 x".repeat(3_000)}`,
    });
    expect(text?.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^Odd \?+… → a - b 🙂[^\n\r\u200b]*…$/u);
    expect(text?.isWellFormed()).toBe(true);
  });

  it("is nothing for what nobody answered, or what applies to one task", () => {
    for (const more of [
      { scope: "task" as const },
      { outcome: "dismissed" as const },
      { outcome: "withdrawn" as const },
      { outcome: "expired" as const },
      { status: "pending" as const },
    ])
      expect(said(more), JSON.stringify(more)).toBeUndefined();
  });

  it("waits for a person where an agent answered, whatever it calls itself", () => {
    for (const by of ["main", "project:shop", "hall", "client:x", "person, really", "Person", "person "])
      expect(lessonOf(escalation({ resolvedBy: by }), hide), by).toMatchObject({ status: "pending" });
    expect(lessonOf(escalation({ resolvedBy: "a (b), pending" }), hide)?.origins[1]).toBe("answered by a b pending");
  });

  it("never repeats what was provided for a blocker, or what is or looks like a secret", () => {
    for (const more of [
      { type: "blocker" as const, resolution: "The staging key is swordfish" },
      { resolution: "Use Zq7-pLm2-xW9vRt4" },
      { resolution: "Use [secret: DB]" },
      { resolution: `Sign in with sk-ant-api03-${"Ab3".repeat(30)}` },
      { resolution: "It is 8fQz2LmN0pXv7Rt" },
      { question: "What is the admin password?", resolution: "hunter2" },
      { question: "What is the admin password?", resolution: "swordfish" },
      { resolution: "Use the password correct7horse for now" },
      { answer: "Key", resolution: `Key: ghp_${"a1B2".repeat(10)}` },
    ])
      expect(said(more), JSON.stringify(more)).toMatch(WITHHELD);
    expect(said({ question: "What did Zq7-pLm2-xW9vRt4 do?" })).not.toContain("Zq7");
    for (const more of [
      { question: "Where are tokens stored?", answer: "Redis", resolution: "Redis: with a TTL of 15m" },
      { question: "Where are tokens stored?", resolution: "In Redis, with a short lifetime" },
      { resolution: "Use PostgreSQL 17 on port 5432" },
      { resolution: "The image node:24-alpine in eu-central-1, model gpt-4o-mini" },
    ])
      expect(said(more), JSON.stringify(more)).toContain(`→ ${more.resolution}`);
  });
});

describe("what becomes of the pages", () => {
  const known = (text: string, more: Partial<Known> = {}): Known => ({
    id: statementIdOf("decisions", keyOf(text)),
    projectId: "shop",
    topic: "decisions",
    text,
    date: "2026-11-01",
    origins: ["person"],
    status: "accepted",
    file: "projects/shop/knowledge/decisions.md",
    line: 1,
    etag: "e",
    key: keyOf(text),
    ...more,
  });
  const TEXT = "Which payment provider? → Stripe, it takes SEPA.";
  const ID = statementIdOf("decisions", keyOf(TEXT));
  const places = (own: Known[], hall: Known[] = []): KnownPlaces => ({ own, hall, hide, today: "2026-11-20" });
  const written = known(TEXT, { date: "2026-11-16", origins: ["esc-004", "answered by person"] });

  it("is a line, once", () => {
    const first = learned(escalation(), places([]));
    expect(first).toMatchObject({ statementId: ID, edits: [{ projectId: "shop", topic: "decisions" }] });
    expect(learned(escalation({ statementId: ID }), places([written]))).toEqual({ edits: [], statementId: ID });
    // A person reworded or removed it.
    expect(learned(escalation({ statementId: ID }), places([known("Stripe")]))).toEqual({ edits: [], statementId: ID });
  });

  it("keeps what an answer replaces, as superseded, and an undo restores it as it was", () => {
    const old = known("Provider? → PayPal", { origins: ["esc-001", "answered by person"] });
    const agents = known("Provider → Adyen", { origins: ["esc-002", "answered by main agent"], status: "pending" });
    const other = known("Use make", { origins: ["esc-003", "answered by person"] });
    const replaces = ["esc-001", "esc-002"];
    const { edits } = learned(escalation({ replaces }), places([old, agents, other]));
    expect(edits.map(({ becomes }) => [becomes?.text, becomes?.status, becomes?.replacedBy])).toEqual([
      [TEXT, "accepted", undefined],
      [old.text, "superseded", "esc-004"],
      [agents.text, "superseded", "esc-004"],
    ]);
    const superseded = { status: "superseded" as const, replacedBy: "esc-004" };
    const now = [written, { ...old, ...superseded }, { ...agents, ...superseded }, other];
    const reopened = escalation({ status: "pending", replaces, statementId: ID });
    const undone = learned(reopened, places(now));
    expect(undone.statementId).toBeUndefined();
    expect(undone.edits.map(({ key, becomes }) => [key, becomes?.status])).toEqual([
      [written.key, undefined],
      [old.key, "accepted"],
      [agents.key, "pending"],
    ]);
    // Edited in its file: the new answer takes the place of the old one, and still replaces the same.
    const edited = learned(escalation({ resolution: "Mollie", replaces, statementId: ID }), places(now));
    const last = new Map(edited.edits.map(({ key, becomes }) => [key, becomes?.status]));
    expect([last.get(written.key), last.get(old.key)]).toEqual([undefined, "superseded"]);
    expect(edited.statementId).not.toBe(ID);
  });

  it("forgets an answer that was undone before anything else was known of it, also when another one came at once", () => {
    const undone = escalation({ status: "pending" });
    expect(learned(undone, places([written]))).toMatchObject({
      statementId: undefined,
      edits: [{ becomes: undefined }],
    });
    const next = learned(escalation({ resolution: "Mollie" }), places([written]));
    expect(next.edits.map(({ key, becomes }) => [key === written.key, becomes?.text])).toEqual([
      [true, undefined],
      [false, "Which payment provider? → Mollie"],
    ]);
    expect(learned(undone, places([known("Use make")]))).toEqual({ edits: [], statementId: undefined });
  });

  it("leaves the other origins of the same words when an answer is taken back", () => {
    const both = { ...written, origins: ["person", "esc-004", "answered by person"] };
    const reopened = escalation({ status: "pending", statementId: ID });
    expect(learned(reopened, places([both])).edits[0]?.becomes?.origins).toEqual(["person"]);
    const two = { ...written, origins: ["esc-001", "esc-004", "answered by person"] };
    expect(learned(reopened, places([two])).edits[0]?.becomes?.origins).toEqual(["esc-001", "answered by person"]);
  });

  it("replaces nothing of the hall for one project", () => {
    const halls = known("Provider? → PayPal", { origins: ["esc-001"], projectId: undefined });
    expect(learned(escalation({ replaces: ["esc-001"] }), places([], [halls])).edits).toHaveLength(1);
    expect(learned(escalation({ scope: "hall", replaces: ["esc-001"] }), places([], [halls])).edits).toHaveLength(2);
  });
});
