import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import type { HealthIssue } from "../../../../src/contract/documents/teams/team-health.ts";
import {
  HEALTH_ISSUE_WORDS,
  HEALTH_STATE_WORDS,
  healthActionWords,
} from "../../../../src/contract/words/teams/health-words.ts";
import { queries } from "../../api/queries.ts";
import { Ago } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";

/** What was wrong with members and what Guildhall did about it, the newest first. */
export function TeamHealth({ team }: { team: Team }) {
  const members = useQuery(queries.teamHealth(team.id)).data?.members;
  if (members === undefined) return null;
  const issues = members
    .flatMap(({ name: member, history }) => history.map((issue) => ({ ...issue, member })))
    .toSorted((left, right) => right.number - left.number);
  return (
    <Section title="Health" count={issues.length}>
      {issues.length === 0 ? (
        <p className="text-sm text-faint">No issues. Members that stall, loop or fill their context are listed here.</p>
      ) : (
        <ul aria-label="Health issues" className="flex flex-col gap-2">
          {issues.map((issue) => (
            <li key={issue.number}>
              <Issue issue={issue} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Issue({ issue: of }: { issue: HealthIssue & { member: string } }) {
  const { issue, member, task, reason, why, model, state, runId, at } = of;
  return (
    <div className="rounded-lg border border-line bg-card px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <bdi className="font-medium wrap-anywhere">{visibleLine(member)}</bdi>
        <span className={state === "cleared" || state === "ended" ? "text-faint" : "text-bad"}>
          {HEALTH_ISSUE_WORDS[issue]}
        </span>
        {task !== undefined && <bdi className="text-faint wrap-anywhere">{visibleLine(task)}</bdi>}
        <span className="ml-auto text-xs text-faint">
          {HEALTH_STATE_WORDS[state]} · <Ago at={at} />
        </span>
      </p>
      <p className="wrap-anywhere">{visibleLine(reason)}</p>
      <p className="text-faint wrap-anywhere">
        {healthActionWords(of)}
        {model === undefined ? "" : ` (${visibleLine(model)})`}. {visibleLine(why)}{" "}
        <Link to="/runs/$runId" params={{ runId }} className="hover:underline">
          Run
        </Link>
      </p>
    </div>
  );
}
