import { useQuery } from "@tanstack/react-query";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import type { SpecEvolutionProposal, TeamAutonomy } from "../../../../src/contract/documents/teams/team-autonomy.ts";
import {
  AUTONOMY_MODE_WORDS,
  AUTONOMY_MODES,
  AUTONOMY_PHASE_WORDS,
  type AutonomyMode,
  PAUSE_REASON_WORDS,
  PROPOSAL_STATE_WORDS,
} from "../../../../src/contract/words/teams/autonomy-words.ts";
import { hasEnded } from "../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { moneyText, plural } from "../../ui/figures.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";

/** How a team works without the person: where it is, its limits, and what it wants to change in its spec. */
export function TeamAutonomyPart({ team }: { team: Team }) {
  const { autonomy } = team;
  const isOver = hasEnded(team.status);
  if (autonomy === undefined && isOver) return null;
  return (
    <section
      aria-label="Autonomy"
      className="flex flex-col gap-2 rounded-lg border border-line bg-card px-4 py-2 text-sm"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        {isOver ? <span className="font-medium">Autonomy</span> : <ModeSwitch team={team} />}
        {autonomy !== undefined && autonomy.mode !== "off" && <Standing autonomy={autonomy} />}
      </div>
      {autonomy !== undefined && <Proposals team={team} />}
    </section>
  );
}

function ModeSwitch({ team }: { team: Team }) {
  const set = useAct("setTeamAutonomy", { done: "Autonomy changed." });
  const mode = team.autonomy?.mode ?? "off";
  return (
    <label className="flex items-center gap-2">
      <span className="font-medium">Autonomy</span>
      <select
        className="rounded-md border border-line bg-card px-2 py-1"
        value={mode}
        disabled={set.isPending}
        title={AUTONOMY_MODE_WORDS[mode].about}
        onChange={({ target: { value } }) =>
          set.mutate({ params: { id: team.id }, body: { mode: value as AutonomyMode } })
        }
      >
        {AUTONOMY_MODES.map((one) => (
          <option key={one} value={one} title={AUTONOMY_MODE_WORDS[one].about}>
            {AUTONOMY_MODE_WORDS[one].label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Standing({ autonomy }: { autonomy: TeamAutonomy }) {
  const { phase, pauseReason, costCapUsd, usedMinutes, timeoutMinutes, maxConcurrency, maxRemediationRounds } =
    autonomy;
  const why = pauseReason === undefined ? "" : `: ${PAUSE_REASON_WORDS[pauseReason]}`;
  return (
    <>
      <span>
        <span className="text-faint">Phase </span>
        {AUTONOMY_PHASE_WORDS[phase]}
        {why}
      </span>
      <span>
        <span className="text-faint">Cost cap </span>
        {costCapUsd === null ? "none" : moneyText(costCapUsd)}
      </span>
      <span>
        <span className="text-faint">Time </span>
        {Math.floor(usedMinutes)} of {plural(timeoutMinutes, "minute")}
      </span>
      <span>
        <span className="text-faint">At once </span>
        {plural(maxConcurrency, "task")}
      </span>
      <span>
        <span className="text-faint">Fixes </span>
        {plural(maxRemediationRounds, "round")}
      </span>
    </>
  );
}

function Proposals({ team }: { team: Team }) {
  const found = useQuery(queries.teamAutonomy(team.id)).data?.proposals ?? [];
  if (found.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {found.map((proposal) => (
        <li key={proposal.id}>
          <Proposal proposal={proposal} />
        </li>
      ))}
    </ul>
  );
}

function Proposal({ proposal }: { proposal: SpecEvolutionProposal }) {
  const { state, reason, diff, evidence } = proposal;
  return (
    <details open={state === "pending"}>
      <summary className="wrap-anywhere">
        Spec change: {visibleLine(reason)} <span className="text-faint">({PROPOSAL_STATE_WORDS[state]})</span>
      </summary>
      <ul className="my-1 list-disc pl-6">
        {evidence.map(({ text }) => (
          <li key={text} className="wrap-anywhere">
            {visibleLine(text)}
          </li>
        ))}
      </ul>
      <ScrollBox label="Diff of the spec" look="text">
        {visibleText(diff)}
      </ScrollBox>
    </details>
  );
}
