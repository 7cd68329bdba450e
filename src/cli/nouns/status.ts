import { cutText } from "../../contract/words/cut-text.ts";
import { WAIT_WORDS } from "../../contract/words/wait-words.ts";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { count, fieldLines, localTime } from "../text/text-card.ts";

const MOST_COUNTED = 100;
const MOST_NAMED = 3;
const LONGEST_TITLE = 60;

export const commands = {
  status: command(
    {
      summary: "Show the daemon's status",
      examples: ["status", "status --json"],
    },
    async (_, { call, output }) => {
      const answer = await call("getStatus", {});
      // A program that wants to know of runs asks for them.
      const [runs, decisions, review, failed] = output.json
        ? []
        : await Promise.all([
            runsText(call, output.calledAs),
            decisionsText(call, output.calledAs),
            reviewText(call, output.calledAs),
            failedText(call, output.calledAs),
          ]);
      output.answer(answer, () => {
        const { counts, index } = answer;
        const sign = answer.status === "ok" ? output.paint("green", "up") : output.paint("yellow", answer.status);
        return [
          `Guildhall ${answer.version} is ${sign} at ${answer.url}`,
          ...fieldLines(
            [
              ["workspace", answer.workspace],
              ["process", `${answer.pid}, ${answer.memoryMb} MB`],
              ["started", `${localTime(answer.startedAt)} (${duration(answer.uptimeSeconds)} ago)`],
              [
                "contents",
                [count(counts.roles, "role"), count(counts.projects, "project"), count(counts.tasks, "task")].join(
                  ", ",
                ),
              ],
              ["runs", runs],
              ["decisions", decisions],
              ["review", review],
              ["failed", failed],
              ["events", counts.events],
              [
                "problems",
                counts.problems === 0 ? "none" : `${counts.problems} ('${output.calledAs} doctor' lists them)`,
              ],
              [
                "index",
                `schema ${index.schema}${index.rebuiltAt === undefined ? "" : `, built ${localTime(index.rebuiltAt)}`}`,
              ],
              ["containment", answer.containment],
              ["sandbox", answer.sandbox.name],
            ],
            output.paint,
          ),
        ].join("\n");
      });
      return 0;
    },
  ),
};

async function runsText(call: Context["call"], calledAs: string): Promise<string> {
  const countOf = async (status: "running" | "pending") => {
    const { runs, nextCursor } = await call("listRuns", { query: { status, limit: MOST_COUNTED } });
    const standing = (["budget", "quota", "network", "disk", "answer"] as const).map((reason) => ({
      reason,
      count: status === "pending" ? 0 : runs.filter(({ waitingFor }) => waitingFor === reason).length,
    }));
    const going = runs.length - standing.reduce((sum, { count }) => sum + count, 0);
    return { some: runs.length > 0, standing, text: `${going}${nextCursor === undefined ? "" : "+"}` };
  };
  const [running, pending] = await Promise.all([countOf("running"), countOf("pending")]);
  if (!running.some && !pending.some) return "none running";
  const standing = running.standing.flatMap(({ reason, count }) =>
    count === 0 ? [] : [`${count} waiting for ${WAIT_WORDS[reason]}`],
  );
  const parts = [`${running.text} running`, `${pending.text} queued`, ...standing];
  return `${parts.join(", ")} ('${calledAs} run list' lists them)`;
}

/** How much waits for the person, if there is anything. */
async function decisionsText(call: Context["call"], calledAs: string): Promise<string | undefined> {
  const { total } = await call("listEscalations", { query: { status: "pending", limit: 1 } });
  return total === 0 ? undefined : `${total} waiting for you ('${calledAs} escalation list' lists them)`;
}

/** Results in review, if there are any. */
async function reviewText(call: Context["call"], calledAs: string): Promise<string | undefined> {
  const { runs, nextCursor } = await call("listRuns", { query: { review: true, limit: MOST_COUNTED } });
  if (runs.length === 0) return undefined;
  const more = nextCursor === undefined ? "" : "more than ";
  const results = runs.length === 1 ? "1 result" : `${more}${runs.length} results`;
  return `${results} ready for review: ${calledAs} run list --review`;
}

/** Tasks whose last run failed, by name. */
async function failedText(call: Context["call"], calledAs: string): Promise<string | undefined> {
  const { needsMe } = await call("getNow", {});
  const failed = needsMe.filter(({ kind }) => kind === "failed");
  if (failed.length === 0) return undefined;
  const names = failed
    .slice(0, MOST_NAMED)
    .map(({ projectId, run, title }) => `${projectId}/${run?.taskId} ${cutText(title, LONGEST_TITLE)}`);
  const more = failed.length > names.length ? ` and ${failed.length - names.length} more` : "";
  return `${names.join(", ")}${more} ('${calledAs} now' shows what to do)`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
