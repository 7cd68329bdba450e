import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import type { RoleSpec, RoleSpecFault } from "../../../../../src/contract/documents/teams/role-spec.ts";
import type { Team } from "../../../../../src/contract/documents/teams/team.ts";
import { RESPONSIBILITY_WORDS } from "../../../../../src/contract/words/teams/role-spec-words.ts";
import { hasEnded } from "../../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { plural } from "../../../ui/figures.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { DocumentEditor } from "../../project/documents/document-editor.tsx";
import { LintedText } from "./linted-text.tsx";

/** How members work on each kind of task, with what the linter says, to be edited at any time. */
export default function RoleSpecsView({ team }: { team: Team }) {
  const found = useQuery(queries.roleSpecs(team.id));
  return (
    <Loaded query={found}>
      {({ roleSpecs }) =>
        roleSpecs.length === 0 ? (
          <Empty title="No role-specs yet.">One for each kind of task is written when the plan is approved.</Empty>
        ) : (
          <RoleSpecs team={team} roleSpecs={roleSpecs} />
        )
      }
    </Loaded>
  );
}

function RoleSpecs({ team, roleSpecs }: { team: Team; roleSpecs: readonly RoleSpec[] }) {
  const [wanted, setWanted] = useState<string>();
  const shown = roleSpecs.find(({ name }) => name === wanted) ?? roleSpecs[0];
  if (shown === undefined) return null;
  return (
    <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <ul aria-label="Role-specs" className="flex min-w-0 flex-col gap-1">
        {roleSpecs.map((roleSpec) => (
          <li key={roleSpec.name}>
            <Choice
              roleSpec={roleSpec}
              isShown={roleSpec.name === shown.name}
              onChoose={() => setWanted(roleSpec.name)}
            />
          </li>
        ))}
      </ul>
      <Shown key={shown.name} team={team} roleSpec={shown} />
    </div>
  );
}

interface ChoiceProps {
  roleSpec: RoleSpec;
  isShown: boolean;
  onChoose: () => void;
}

function Choice({ roleSpec, isShown, onChoose }: ChoiceProps) {
  const { name, responsibilityType, tasks } = roleSpec;
  return (
    <button
      type="button"
      aria-current={isShown}
      onClick={onChoose}
      className={`flex w-full flex-col gap-0.5 rounded-md border px-3 py-2 text-left text-sm ${isShown ? "border-accent bg-accent-soft" : "border-line hover:bg-sunk"}`}
    >
      <span className="font-medium wrap-anywhere">{name}</span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-faint">
        {RESPONSIBILITY_WORDS[responsibilityType]}, {plural(tasks.length, "task")}
        <Verdict faults={roleSpec.faults} />
      </span>
    </button>
  );
}

function Verdict({ faults }: { faults: readonly RoleSpecFault[] }) {
  const errors = faults.filter(({ severity }) => severity === "error").length;
  const warnings = faults.length - errors;
  return (
    <>
      {errors > 0 && <Badge tone="bad">{plural(errors, "error")}</Badge>}
      {warnings > 0 && <Badge tone="warn">{plural(warnings, "warning")}</Badge>}
      {faults.length === 0 && <Badge tone="good">No faults</Badge>}
    </>
  );
}

function Shown({ team, roleSpec }: { team: Team; roleSpec: RoleSpec }) {
  const { name, text, etag, faults, inUse, tasks } = roleSpec;
  const [isEditing, setEditing] = useState(false);
  const save = useAct("updateRoleSpec", {
    done: "Role-spec saved. Members get it with their next run.",
    onDone: () => setEditing(false),
    onFailure: shownInline,
  });
  return (
    <Section
      title={`role-specs/${name}.md`}
      actions={
        !isEditing &&
        !hasEnded(team.status) && (
          <Button size="small" onClick={() => setEditing(true)}>
            <Pencil size={14} aria-hidden />
            Edit
          </Button>
        )
      }
    >
      <p className="text-xs wrap-anywhere text-faint">
        Used for {tasks.slice(0, MOST_TASKS).map(visibleLine).join(", ")}
        {tasks.length > MOST_TASKS && ` and ${plural(tasks.length - MOST_TASKS, "more task")}`}.
      </p>
      {inUse === "last-good" && (
        <p role="status" className="rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm">
          The file can't be used. Until its errors are fixed, members get the last version without errors.
        </p>
      )}
      {isEditing ? (
        <DocumentEditor
          label={`Text of ${name}`}
          current={{ content: text, etag }}
          busy={save.isPending}
          failure={save.error}
          onSave={(content, ifMatch) =>
            save.mutate({ params: { id: team.id, name }, body: { text: content }, ifMatch })
          }
          onClose={() => setEditing(false)}
        />
      ) : (
        <Linted text={text} faults={faults} />
      )}
    </Section>
  );
}

const MOST_TASKS = 10;

/** The faults by line and rule; each leads to its line. */
function Linted({ text, faults }: Pick<RoleSpec, "text" | "faults">) {
  const lines = useRef<HTMLOListElement>(null);
  const show = (line: number) => lines.current?.children[line - 1]?.scrollIntoView({ block: "center" });
  return (
    <>
      {faults.length > 0 && (
        <ol aria-label="Faults" className="flex flex-col gap-1">
          {faults.map(({ line, rule, message, severity }) => (
            <li key={`${line} ${rule} ${message}`} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-sm">
              <Badge tone={severity === "error" ? "bad" : "warn"}>{severity}</Badge>
              <button type="button" className="text-accent hover:underline" onClick={() => show(line)}>
                Line {line}
              </button>
              <code className="text-xs">{rule}</code>
              <span className="min-w-0 wrap-anywhere">{visibleLine(message)}</span>
            </li>
          ))}
        </ol>
      )}
      <LintedText text={text} faults={faults} lines={lines} />
    </>
  );
}
