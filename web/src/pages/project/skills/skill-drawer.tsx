import { useQuery } from "@tanstack/react-query";
import type { Skill } from "../../../../../src/contract/documents/skill.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { plural, sizeText } from "../../../ui/figures.tsx";
import { Loaded, Trouble } from "../../../ui/states.tsx";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

/** A skill with its text, for a person to judge before it is accepted. */
export function SkillDrawer({ project, slug, onClose }: { project: string; slug: string; onClose: () => void }) {
  const found = useQuery(queries.skill(project, slug));
  return (
    <Dialog title={slug} look="drawer" onClose={onClose}>
      <Loaded query={found}>
        {({ skill }) => (
          <div className="flex flex-col gap-5">
            <p className="text-faint">{visibleLine(skill.description)}</p>
            <Acceptance project={project} skill={skill} />
            <section aria-label="Text" className="rounded-lg border border-line p-4">
              <SkillText skill={skill} />
            </section>
            <SkillFiles skill={skill} />
            <SkillFacts skill={skill} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

/** What is still to be accepted is shown as agents read it: laid out, Markdown leaves things out. */
function SkillText({ skill: { state, body } }: { skill: Skill }) {
  if (state === "accepted") return <Markdown text={body} />;
  return <pre className="text-xs break-words whitespace-pre-wrap">{visibleLine(body)}</pre>;
}

function Acceptance({ project, skill }: { project: string; skill: Skill }) {
  const accept = useAct("acceptSkill", { done: `Accepted ${skill.slug}.`, onFailure: shownInline });
  if (skill.state === "accepted") return <p className="text-sm text-good">You accepted this version.</p>;
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm">
      <p className="font-medium">
        {skill.state === "changed" ? "Changed since you accepted it." : "Not accepted yet."}
      </p>
      <Changes changes={skill.changes} />
      <p>
        Accept only after you read this text and its {plural(skill.files.length, "file")}. Agents may then follow it. It
        grants no permissions or tools. If a file changes, you're asked again.
      </p>
      {skill.files.length > 1 && (
        <p className="text-warn">Only SKILL.md is shown here. Read the other files in {skill.path}.</p>
      )}
      {accept.error !== null && <Trouble error={accept.error} />}
      <div>
        <Button
          kind="primary"
          busy={accept.isPending}
          onClick={() =>
            accept.mutate({ params: { slug: skill.slug }, query: { project }, body: { hash: skill.hash } })
          }
        >
          Accept skill
        </Button>
      </div>
    </div>
  );
}

function Changes({ changes }: { changes: Skill["changes"] }) {
  if (changes === undefined) return null;
  const lines = [
    ...changes.added.map((path) => `added: ${path}`),
    ...changes.changed.map((path) => `changed: ${path}`),
    ...changes.removed.map((path) => `removed: ${path}`),
  ];
  return (
    <ul className="list-disc pl-5">
      {lines.map((line) => (
        <li key={line}>
          <code>{visibleLine(line)}</code>
        </li>
      ))}
    </ul>
  );
}

function SkillFiles({ skill }: { skill: Skill }) {
  return (
    <section aria-label="Files" className="flex flex-col gap-1">
      <h3 className="text-sm font-semibold">Files</h3>
      <ul className="text-sm">
        {skill.files.map(({ path, size }) => (
          <li key={path} className="flex justify-between gap-4 border-b border-line py-1 last:border-b-0">
            <code className="min-w-0">{visibleLine(path)}</code>
            <span className="shrink-0 text-faint">{sizeText(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SkillFacts({ skill }: { skill: Skill }) {
  const facts = [
    ["Folder", skill.path],
    ["License", skill.license],
    ["Compatibility", skill.compatibility],
    [
      "Requested permissions",
      skill.allowedTools.length > 0 ? `${skill.allowedTools.join(", ")} (not granted)` : undefined,
    ],
    ["Hash", skill.hash],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs text-faint">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
