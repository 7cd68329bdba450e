import type { SpecEvolutionProposal, TeamAutonomy } from "../../../contract/documents/teams/team-autonomy.ts";
import { HallError } from "../../../contract/errors.ts";
import type { RouteBodyInput } from "../../../contract/routes/routes.ts";
import {
  AUTONOMY_MODES,
  AUTONOMY_PHASE_WORDS,
  PAUSE_REASON_WORDS,
  PROPOSAL_STATE_WORDS,
} from "../../../contract/words/teams/autonomy-words.ts";
import { command } from "../../command.ts";
import { ofProject, teamArgument, teamIdOf } from "../../teams/team-reference.ts";
import { oneLine } from "../../text/plain-text.ts";
import { fieldLines } from "../../text/text-card.ts";
import type { TableSpace } from "../../text/text-table.ts";

type Body = RouteBodyInput<"setTeamAutonomy">;

const ANSWERS: Readonly<Record<string, boolean>> = { yes: true, no: false };

export const commands = {
  "team autonomy": command(
    {
      summary: "Show or change how a team works without you",
      detail:
        "While the mode is smart or fixed, the team asks for no approval of its spec and plan: it works until it is done or a limit " +
        "pauses it. Permissions, waivers and reviews that the project asks for still wait for you. In smart mode it may propose changes " +
        "to its spec. Limits that are left out stay as they are.",
      args: { team: teamArgument },
      options: {
        project: ofProject,
        mode: { kind: "text", short: "m", value: "MODE", help: "smart, fixed or off", words: AUTONOMY_MODES },
        costCap: { kind: "number", value: "USD", help: "Pause at this cost of all calls" },
        timeout: { kind: "number", value: "MINUTES", help: "Pause after so much time of work" },
        concurrency: { kind: "number", value: "N", help: "Tasks at once" },
        rounds: { kind: "number", value: "N", help: "Rounds of fixes" },
        approveSpec: {
          kind: "text",
          value: "ANSWER",
          help: "Whether changes of the spec wait for you",
          words: Object.keys(ANSWERS),
        },
      },
      examples: [
        "team autonomy",
        "team autonomy 01m7p3 --mode smart --cost-cap 10 --timeout 120",
        "team autonomy 01m7p3 --mode off",
      ],
    },
    async ({ mode, costCap, timeout, concurrency, rounds, approveSpec: approve, ...input }, context) => {
      const { call, output } = context;
      const params = { id: await teamIdOf(input, context) };
      const before = await call("getTeamAutonomy", { params });
      const asked = {
        ...(mode === undefined ? {} : { mode: mode as Body["mode"] }),
        ...given("costCapUsd", costCap),
        ...given("timeoutMinutes", timeout),
        ...given("maxConcurrency", concurrency),
        ...given("maxRemediationRounds", rounds),
        ...(approve === undefined ? {} : { requireApprovalForSpecChanges: ANSWERS[approve] === true }),
      };
      if (Object.keys(asked).length === 0) {
        output.answer(before, () => autonomyText(before, output));
        return 0;
      }
      if (mode === undefined && before.autonomy.mode === "off")
        throw new HallError("usage", "The team does not work autonomously.", { hint: "Pass --mode smart or fixed." });
      const { team } = await call("setTeamAutonomy", { params, body: { mode: before.autonomy.mode, ...asked } });
      output.answer({ team }, () => `${team.id}: ${standing(team.autonomy)}`);
      return 0;
    },
  ),
};

function given<Name extends string>(name: Name, value: number | undefined): Partial<Record<Name, number>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, number>);
}

/** The mode, where it is and why it is paused. */
function standing(autonomy: TeamAutonomy | undefined): string {
  if (autonomy === undefined || autonomy.mode === "off") return "Autonomous work is off.";
  const { mode, phase, pauseReason } = autonomy;
  const why = pauseReason === undefined ? "" : `: ${PAUSE_REASON_WORDS[pauseReason]}`;
  return `${mode} mode, ${AUTONOMY_PHASE_WORDS[phase].toLowerCase()}${why}`;
}

function autonomyText(
  { autonomy, proposals }: { autonomy: TeamAutonomy; proposals: readonly SpecEvolutionProposal[] },
  { paint }: TableSpace,
): string {
  if (autonomy.mode === "off") return `${standing(autonomy)} Switch it on with --mode smart or fixed.`;
  const { costCapUsd, usedMinutes, timeoutMinutes, maxConcurrency, maxRemediationRounds } = autonomy;
  return [
    standing(autonomy),
    "",
    ...fieldLines(
      [
        ["cost cap", costCapUsd === null ? "none" : `$${costCapUsd}`],
        ["time", `${usedMinutes} of ${timeoutMinutes} minutes`],
        ["tasks at once", maxConcurrency],
        ["rounds of fixes", maxRemediationRounds],
        [
          "spec changes",
          autonomy.requireApprovalForSpecChanges ? "wait for you" : "applied, unless they remove something",
        ],
      ],
      paint,
    ),
    ...proposals.flatMap((proposal) => ["", ...proposalLines(proposal)]),
  ].join("\n");
}

function proposalLines({ id, state, reason, diff }: SpecEvolutionProposal): string[] {
  return [`${id} (${PROPOSAL_STATE_WORDS[state].toLowerCase()}): ${oneLine(reason)}`, ...diff.split("\n").map(oneLine)];
}
