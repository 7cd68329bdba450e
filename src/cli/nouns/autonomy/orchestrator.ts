import type { Cycle, Orchestrator } from "../../../contract/documents/autonomy/orchestrator.ts";
import { HOLD_WORDS } from "../../../contract/words/autonomy/orchestrator-words.ts";
import { command } from "../../command.ts";
import { money } from "../../runs/run-text.ts";
import { oneLine } from "../../text/plain-text.ts";

const place = ({ projectId, initiative = "" }: { projectId: string; initiative?: string | undefined }) =>
  `${projectId} / ${initiative}`;

function stateText({ state, why, leads, spentTodayUsd, dailyUsd, maxLeads }: Orchestrator): string[] {
  return [
    `Orchestrator: ${state}. ${why}`,
    `Today: ${money(spentTodayUsd, true)} of ${money(dailyUsd, true)}; ${leads.length} of ${maxLeads} agents running`,
    ...leads.map((lead) => `  ${lead.id} ${place(lead)} (${lead.status})`),
  ];
}

function cycleLines({ id, at, causes, results, starts, held, proposals, order }: Cycle): string[] {
  const cause = causes.map((one) => one.kind).join(", ");
  const lines = [
    ...results.map((one) => `ended ${place(one)}: ${one.status}. ${one.summary ?? ""}`),
    ...(order.fallback === undefined ? [] : [`ordered by the rule: ${order.fallback}`]),
    ...(order.by === "model" ? [`ordered by the model: ${order.why ?? ""}`] : []),
    ...starts.map((one) => `${one.outcome} ${place(one)}: ${one.problem ?? one.why}`),
    ...proposals.map((one) => `${one.outcome} ${one.escalationId ?? one.projectId ?? ""}: ${one.title}`),
    ...held.map((one) => `left ${place(one)}: ${HOLD_WORDS[one.reason]}`),
  ];
  const shown = lines.length === 0 ? ["nothing to do"] : lines;
  return [`${at.slice(0, 19).replace("T", " ")}  ${id}  (${cause})`, ...shown.map((line) => `  ${oneLine(line)}`)];
}

export const commands = {
  "orchestrator show": command(
    {
      summary: "Show what the orchestrator does, its last cycle, and why it starts nothing more",
      examples: ["orchestrator show", "orchestrator show --json"],
    },
    async (_, { call, output }) => {
      const answer = await call("getOrchestrator", {});
      const { orchestrator } = answer;
      const last =
        orchestrator.last === undefined ? ["No cycles yet."] : ["Last cycle:", ...cycleLines(orchestrator.last)];
      output.answer(answer, () => [...stateText(orchestrator), ...last].join("\n"));
      return 0;
    },
  ),
  "orchestrator history": command(
    {
      summary: "Show cycles of the orchestrator, the newest first: what each decided and why",
      options: { limit: { kind: "number", value: "N", help: "How many, up to 500 (default: 20)" } },
      examples: ["orchestrator history", "orchestrator history --limit 5 --json"],
    },
    async ({ limit }, { call, output }) => {
      const answer = await call("listCycles", { query: limit === undefined ? {} : { limit } });
      output.answer(answer, () =>
        answer.cycles.length === 0 ? "No cycles yet." : answer.cycles.flatMap(cycleLines).join("\n"),
      );
      return 0;
    },
  ),
  "orchestrator cycle": command(
    { summary: "Run a cycle of the orchestrator now", examples: ["orchestrator cycle"] },
    async (_, { call, output }) => {
      const answer = await call("runCycle", {});
      output.answer(answer, () => cycleLines(answer.cycle).join("\n"));
      return 0;
    },
  ),
  "orchestrator pause": command(
    {
      summary: "Pause the orchestrator: it starts nothing more; agents that are running continue",
      examples: ["orchestrator pause"],
    },
    async (_, { call, output }) => {
      const answer = await call("pauseOrchestrator", {});
      output.answer(answer, () => "Paused the orchestrator.");
      return 0;
    },
  ),
  "orchestrator resume": command(
    { summary: "Resume the orchestrator", examples: ["orchestrator resume"] },
    async (_, { call, output }) => {
      const answer = await call("resumeOrchestrator", {});
      output.answer(answer, () => "Resumed the orchestrator.");
      return 0;
    },
  ),
};
