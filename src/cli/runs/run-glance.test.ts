import { describe, expect, it } from "vitest";
import { answerEntry, run } from "../../../test/fakes/api-documents.ts";
import { plain } from "../text/paint.ts";
import { textWidth } from "../text/text-width.ts";
import { RunGlance } from "./run-glance.ts";

const NOON = Date.parse("2026-03-01T12:00:00.000Z");
const line = (glance: RunGlance, width = 79, seconds = 12) =>
  glance.line(NOON + seconds * 1_000, { width, paint: plain });

function atWork(): RunGlance {
  const glance = new RunGlance();
  glance.hear({ run: run() });
  return glance;
}

describe("a glance at a run", () => {
  it("says that it waits until it is started", () => {
    expect(line(new RunGlance())).toBe("waiting to start");
    const { startedAt: _, ...waiting } = run({ status: "pending" });
    const glance = new RunGlance();
    glance.hear({ run: waiting });
    expect(line(glance)).toBe("waiting to start");
    const turnOf = (id: string) => ({ kind: "waiting", for: "turn", run: id, folder: "/src" }) as const;
    glance.hear({ run: { ...waiting, waitingFor: "turn", activity: turnOf("run-2") } });
    expect(line(glance)).toBe("waiting for its turn: run-2 is working in /src");
    glance.hear({ activity: turnOf("run-3") });
    expect(line(glance)).toBe("waiting for its turn: run-3 is working in /src");
  });

  it("tells the turn, the time, the cost so far and what is done now", () => {
    const glance = atWork();
    expect(line(glance)).toBe("turn 1 · 12 s · $0 · thinking");
    glance.took(answerEntry("I look.", [{ id: "1", name: "read", input: "{}" }]));
    glance.hear({ activity: { kind: "tool", name: "read", subject: "src/login.ts" } });
    expect(line(glance, 79, 65)).toBe("turn 1 · 1 min 05 s · $0.0010 · reading src/login.ts");
    glance.hear({ activity: { kind: "thinking" } });
    expect(line(glance, 79, 3_700)).toBe("turn 2 · 1 h 01 min · $0.0010 · thinking");
    glance.lose();
    expect(line(glance, 79, 3_700)).toBe("turn 2 · 1 h 01 min · $0.0010 · waiting for the daemon");
  });

  it("marks an estimate when a price is unknown", () => {
    const glance = atWork();
    glance.took({ ...answerEntry(""), costUsd: null });
    glance.took(answerEntry(""));
    expect(line(glance)).toContain("· ≈ $0.0012 ·");
  });

  it("shows the newest of what the model says, in one harmless line", () => {
    const glance = atWork();
    glance.hear({ delta: { kind: "text", text: "I look for\n\nthe \u001b[2Jcheck" } });
    expect(line(glance)).toBe("turn 1 · 12 s · $0 · thinking  I look for the ␛[2Jcheck");
    glance.hear({ delta: { kind: "text", text: ` and ${"more ".repeat(200)}end` } });
    expect(line(glance)).toMatch(/thinking {2}….*more end$/);
    glance.hear({ delta: { kind: "restart", reason: "It is busy.", waitMs: 500 } });
    expect(line(glance)).toMatch(/thinking$/);
    glance.hear({ delta: { kind: "thinking", text: "hm" } });
    glance.hear({ delta: { kind: "call", id: "1", name: "read" } });
    expect(line(glance)).toMatch(/→ read$/);
    glance.hear({ activity: { kind: "thinking" } });
    expect(line(glance)).toMatch(/thinking$/);
  });

  it("never takes more columns than there are", () => {
    const glance = atWork();
    glance.hear({ activity: { kind: "tool", name: "read", subject: "漢字".repeat(60) } });
    glance.hear({ delta: { kind: "text", text: "👩‍👩‍👧‍👦 words ".repeat(50) } });
    for (const width of [1, 10, 20, 40, 79, 119, 300])
      expect(textWidth(line(glance, width))).toBeLessThanOrEqual(width);
  });
});
