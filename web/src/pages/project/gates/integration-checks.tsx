import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { IntegrationCheck } from "../../../../../src/contract/documents/quality/integration-check.ts";
import { branchOf } from "../../../../../src/contract/words/gate-words.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Ago, plural } from "../../../ui/figures.tsx";
import { VerdictBadge } from "../../../ui/gate/verdict.tsx";
import { Section } from "../../../ui/page.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { integrationOutcome } from "../../gate/report-words.ts";
import { useMore } from "../../run/timeline/more-rows.tsx";

/** Whether a branch, or the results of several runs together, works as a whole. */
export function IntegrationChecks({ project }: { project: string }) {
  const found = useQuery(queries.integrationChecks(project));
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title="Integration checks"
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          Check a branch
        </Button>
      }
    >
      <Loaded query={found} loading={<Loading lines={1} />}>
        {({ checks }) =>
          checks.length === 0 ? (
            <p className="text-sm text-faint">
              No integration checks yet. They run the whole type check and test suite on a branch, and find new files
              that nothing imports.
            </p>
          ) : (
            <Checks checks={checks} />
          )
        }
      </Loaded>
      {isAsking && <CheckBranch project={project} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function Checks({ checks }: { checks: readonly IntegrationCheck[] }) {
  const { shown, more } = useMore(checks, "checks");
  return (
    <>
      <ul aria-label="Integration checks" className="overflow-hidden rounded-lg border border-line bg-card">
        {shown.map((check) => (
          <li
            key={check.id}
            className="relative flex items-start gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-sunk"
          >
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <Link
                  to="/integration-checks/$checkId"
                  params={{ checkId: check.id }}
                  data-row
                  className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
                >
                  <bdi>{visibleLine(checkTitle(check))}</bdi>
                </Link>
                <VerdictBadge state={check.state} verdict={check.verdict} />
              </p>
              <p className="line-clamp-2 text-sm wrap-anywhere text-faint">{visibleLine(integrationOutcome(check))}</p>
            </div>
            <Ago at={check.startedAt} className="shrink-0 text-xs text-faint" />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

export function checkTitle({ branch, runIds, target }: IntegrationCheck): string {
  return `${branch ?? plural(runIds.length, "result")} into ${branchOf(target)}`;
}

function CheckBranch({ project, onClose }: { project: string; onClose: () => void }) {
  const [branch, setBranch] = useState("");
  const navigate = useNavigate();
  const create = useAct("createIntegrationCheck", {
    onDone: ({ check }) => {
      onClose();
      void navigate({ to: "/integration-checks/$checkId", params: { checkId: check.id } });
    },
    onFailure: shownInline,
  });
  return (
    <Confirm
      title="Check a branch"
      action="Start check"
      danger={false}
      disabled={branch.trim() === ""}
      busy={create.isPending}
      error={create.error}
      onConfirm={() => create.mutate({ params: { id: project }, body: { branch: branch.trim() } })}
      onClose={onClose}
    >
      <TextField
        label="Branch"
        required
        maxLength={250}
        spellCheck={false}
        autoComplete="off"
        value={branch}
        hint="Merged with the target in a folder of its own; your checkout isn't touched."
        onChange={({ target }) => setBranch(target.value)}
      />
    </Confirm>
  );
}
