import { cutText } from "../../contract/words/cut-text.ts";
import type { Notification } from "./webhook.ts";

/** Slack shows this many characters of a message whole. */
const LONGEST_TEXT = 3_900;

const TITLES: Record<Notification["event"], string> = {
  "run.ended": "Run ended",
  "run.notified": "Message from a run",
  "budget.warned": "Budget",
  "provider.paused": "Provider paused",
  "escalation.pending": "Waiting for you",
  "escalation.resolved": "Answered",
  "briefing.created": "",
};

/** As Slack's incoming webhooks, and those of Mattermost and others, take it. */
export function slackForm({ event, run, task, project, summary, status, escalations = [] }: Notification): object {
  const place = [project, task, run].filter((part) => part !== "").join(" · ");
  const state = event === "run.ended" ? ` (${status})` : "";
  const heading = `${TITLES[event]}${state}${place === "" ? "" : `: ${place}`}`;
  const listed = escalations.length < 2 ? [] : escalations.map(({ id, question }) => `• ${id}: ${question}`);
  const lines = [...(TITLES[event] === "" ? [] : [heading]), summary, ...listed];
  return { text: cutText(lines.map(harmless).join("\n"), LONGEST_TEXT) };
}

/** Text from agents must not mention a channel, show another address as a link, or leave its line's form. */
function harmless(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
