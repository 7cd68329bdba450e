import { expect, test } from "vitest";
import type { Now } from "../../contract/now.ts";
import { hint, toldHint } from "../../contract/words/hint.ts";
import { attentionText } from "./attention-text.ts";

const NOW: Now = {
  ...{ seq: 1, review: [], working: [], done: [], checking: [], reviewOffer: [] },
  needsMe: [
    {
      kind: "escalation",
      id: "esc-004",
      projectId: "shop",
      title: "Redis or Memcached?",
      detail: "TASK-007 is blocked until you answer.",
      ...toldHint(hint("escalation-answer", { text: "esc-004" })),
    },
  ],
  counts: { needsMe: 1, review: 0, running: 0, pending: 0, waiting: 1, projects: 1 },
  today: { costUsd: 0, costKnown: true, tokens: 0, runs: 0, completed: 0, failed: 0, stopped: 0, dayUsd: null },
};

test("the main agent reads what agents asked the person, with its id", () => {
  expect(attentionText(NOW, [])).toBe(
    "Needs you (1):\n- shop: Redis or Memcached? (esc-004): Question. TASK-007 is blocked until you answer. Answer it with 'guildhall escalation answer esc-004'.",
  );
  expect(attentionText(NOW, [], new Set(["mill"]))).toBe("Nothing needs the person.");
});
