import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DetectedKind, TeamLessons } from "../../../../../src/contract/documents/teams/team-lessons.ts";
import { repeatedText, weakText } from "../../../../../src/contract/words/teams/lesson-words.ts";
import { KIND_TABLE, LANGUAGE_NAMES } from "../../../../../src/contract/words/teams/project-kinds.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { plural } from "../../../ui/figures.tsx";
import { Card, Section } from "../../../ui/page.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

/** What the team knew of the project and of past work when it started. */
export function Lessons({ teamId, projectId }: { teamId: string; projectId: string }) {
  const found = useQuery(queries.teamLessons(teamId));
  return (
    <Loaded query={found}>
      {({ lessons }) => (
        <div className="grid min-w-0 items-start gap-5 lg:grid-cols-2">
          <ProjectType lessons={lessons} />
          <Taught lessons={lessons} projectId={projectId} />
        </div>
      )}
    </Loaded>
  );
}

function ProjectType({ lessons: { kinds, unread } }: { lessons: TeamLessons }) {
  return (
    <Section title="Type of project">
      <Card className="flex flex-col gap-2 px-3 py-2 text-sm">
        {kinds.length === 0 && <p className="text-faint">Unknown: no manifest was found.</p>}
        {kinds.map((kind) => (
          <Kind key={`${kind.folder} ${kind.kind}`} kind={kind} />
        ))}
        {unread.map(({ file, reason }) => (
          <p key={file} className="text-xs wrap-anywhere text-faint">
            Not read: {visibleLine(file)}: {visibleLine(reason)}
          </p>
        ))}
      </Card>
    </Section>
  );
}

function Kind({ kind: { kind, language, folder, evidence, skills } }: { kind: DetectedKind }) {
  return (
    <div>
      <p>
        {KIND_TABLE[kind].name} ({LANGUAGE_NAMES[language]})
        {folder !== "" && <span className="wrap-anywhere"> in {visibleLine(folder)}</span>}
      </p>
      <p className="text-xs wrap-anywhere text-faint">{visibleLine(evidence)}</p>
      {skills.length > 0 && <p className="text-xs text-faint">Standards: {skills.join(", ")}</p>}
    </div>
  );
}

function Taught({ lessons, projectId }: { lessons: TeamLessons; projectId: string }) {
  const { gates, weakStages, repeated, statements } = lessons;
  const isEmpty = weakStages.length + repeated.length + statements.length === 0;
  return (
    <Section title="What past teams taught">
      <Card className="flex flex-col gap-2 px-3 py-2 text-sm">
        {isEmpty && <p className="text-faint">Nothing yet. {plural(gates, "gate report")} searched.</p>}
        {weakStages.map((stage) => (
          <p key={stage.stage}>{weakText(stage)}</p>
        ))}
        {repeated.map((one) => (
          <div key={`${one.stage} ${one.code}`}>
            <p>{repeatedText(one)}</p>
            <p className="text-xs wrap-anywhere text-faint">Last: {visibleLine(one.example)}</p>
          </div>
        ))}
        {statements.map(({ id, text, confirmed }) => (
          <p key={id} className="wrap-anywhere">
            {visibleLine(text)} {!confirmed && <Badge tone="warn">Not confirmed</Badge>}
          </p>
        ))}
        {statements.length > 0 && (
          <Link to="/projects/$id/library/knowledge" params={{ id: projectId }} className="text-accent underline">
            Open the knowledge of the project
          </Link>
        )}
      </Card>
    </Section>
  );
}
