import { expect, it } from "vitest";
import { slackForm } from "./slack-form.ts";
import type { Notification } from "./webhook.ts";

const note = (more: Partial<Notification>): Notification => ({
  ...{ event: "run.ended", run: "run-1", task: "TASK-001", project: "shop", summary: "Done.", saidBy: "agent" },
  ...{ status: "completed", at: "2026-01-01T00:00:00.000Z", ...more },
});

it("is text that Slack shows, in which nothing of an agent's acts [S4-SCOPE-11]", () => {
  expect(slackForm(note({ summary: "Ping <!channel> & <https://evil.example|your bank> 🎉" }))).toEqual({
    text: "Run ended (completed): shop · TASK-001 · run-1\nPing &lt;!channel&gt; &amp; &lt;https://evil.example|your bank&gt; 🎉",
  });
  expect(slackForm(note({ event: "briefing.created", run: "", task: "", project: "", summary: "Briefing" }))).toEqual({
    text: "Briefing",
  });
});

it("lists several questions, and stays within what Slack shows", () => {
  const escalations = Array.from({ length: 500 }, (_, at) => ({ id: `esc-${at}`, question: "Which color?" }));
  const { text } = slackForm(note({ event: "escalation.pending", summary: "500 wait", escalations })) as {
    text: string;
  };
  expect(text).toContain("• esc-0: Which color?");
  expect(text.length).toBeLessThan(4_000);
});
