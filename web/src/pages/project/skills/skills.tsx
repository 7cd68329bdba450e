import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { SkillSummary } from "../../../../../src/contract/documents/skill.ts";
import { queries } from "../../../api/queries.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Section } from "../../../ui/page.tsx";
import { ProblemList } from "../../../ui/problem-list.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { useOpenEntry, useProjectId } from "../project-id.ts";
import { Instructions } from "./instructions.tsx";
import { SkillDrawer } from "./skill-drawer.tsx";

const ORIGINS: Record<SkillSummary["origin"], string> = {
  project: "Project",
  "built-in": "Built in",
  workdir: "Working folder",
  hall: "Workspace",
};

const STATES: Record<SkillSummary["state"], { word: string; tone: Tone }> = {
  new: { word: "New", tone: "info" },
  accepted: { word: "Accepted", tone: "good" },
  changed: { word: "Changed since you accepted it", tone: "warn" },
};

/** Packs of instructions that agents of the project may read. */
export default function SkillsTab() {
  const id = useProjectId();
  const slug = useOpenEntry();
  const navigate = useNavigate();
  const skills = useQuery(queries.skills(id));
  const close = () => void navigate({ to: ".", search: {} });
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <Instructions project={id} />
      <Loaded query={skills}>
        {({ skills: found, problems }) => (
          <>
            {problems.length > 0 && (
              <Section title="Unreadable" count={problems.length}>
                <ProblemList problems={problems} />
              </Section>
            )}
            {found.length === 0 && problems.length === 0 && <NoSkills />}
            {found.length > 0 && (
              <ul aria-label="Skills" className="rounded-lg border border-line bg-card">
                {found.map((skill) => (
                  <SkillRow key={skill.slug} skill={skill} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {slug !== undefined && <SkillDrawer key={slug} project={id} slug={slug} onClose={close} />}
    </div>
  );
}

function NoSkills() {
  return (
    <Empty title="No skills yet.">
      A skill is a folder with a SKILL.md that agents read when they need it. Add one to <code>skills/</code> in the
      workspace or project, or to <code>.agents/skills</code> in the working folder.
    </Empty>
  );
}

function SkillRow({ skill }: { skill: SkillSummary }) {
  const { word, tone } = STATES[skill.state];
  return (
    <li className="relative flex flex-col gap-1 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-sunk">
      <div className="flex flex-wrap items-center gap-2">
        <Link to="." search={{ view: skill.slug }} data-row className="font-medium after:absolute after:inset-0">
          {skill.slug}
        </Link>
        <Badge tone={tone}>{word}</Badge>
        {!skill.usable && <Badge tone="warn">Not available to agents yet</Badge>}
        {skill.onlyNamed && <Badge title="Only available to roles that list it">Opt-in</Badge>}
      </div>
      <p className="line-clamp-2 text-sm text-faint">{skill.description}</p>
      <p className="text-xs text-faint">{ORIGINS[skill.origin]}</p>
    </li>
  );
}
