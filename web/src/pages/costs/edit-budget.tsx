import type { Budget, ProjectBudget } from "../../../../src/contract/documents/budget.ts";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { moneyText, tokensText } from "../../ui/figures.tsx";
import { ownRunLimitOf } from "./limit-text.ts";
import { type LimitField, LimitsDialog } from "./limits-dialog.tsx";

const HALL_FIELDS: readonly LimitField<number | null>[] = [
  { key: "dayUsd", label: "Daily limit, USD", hint: "All projects together." },
  { key: "dayTokens", label: "Daily limit, tokens" },
  { key: "runUsd", label: "Limit per run, USD", hint: "Includes subagents." },
  { key: "runTokens", label: "Limit per run, tokens" },
  { key: "totalUsd", label: "Lifetime limit, USD" },
  { key: "totalTokens", label: "Lifetime limit, tokens" },
];

/** Runs that wait for money go on as soon as there is some. */
export function EditBudget({ limits, onClose }: { limits: Budget; onClose: () => void }) {
  const act = useAct("updateBudget", {
    done: "Limits saved.",
    onFailure: shownInline,
    onDone: onClose,
  });
  return (
    <LimitsDialog
      title="Workspace limits"
      lead="Leave a field empty for no limit. 0 blocks all paid calls."
      fields={HALL_FIELDS}
      limits={limits}
      save={(body) => act.mutate({ body })}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
    />
  );
}

function projectFields({ runUsd, runTokens }: Budget): LimitField<number | "none" | null>[] {
  const orHall = (limit: string) => `Empty inherits the workspace limit (${limit}). "none" removes it.`;
  const ofRun = { read: ownRunLimitOf };
  return [
    { key: "dayUsd", label: "Daily limit, USD", hint: "The workspace limit still applies." },
    { key: "dayTokens", label: "Daily limit, tokens" },
    {
      ...{ key: "runUsd", label: "Limit per run, USD", ...ofRun },
      hint: orHall(runUsd === null ? "no limit" : moneyText(runUsd)),
    },
    {
      ...{ key: "runTokens", label: "Limit per run, tokens", ...ofRun },
      hint: orHall(runTokens === null ? "no limit" : tokensText(runTokens)),
    },
    { key: "totalUsd", label: "Lifetime limit, USD" },
    { key: "totalTokens", label: "Lifetime limit, tokens" },
  ];
}

interface ProjectBudgetProps {
  id: string;
  hall: Budget;
  own: ProjectBudget;
  onClose: () => void;
}

export function EditProjectBudget({ id, hall, own, onClose }: ProjectBudgetProps) {
  const act = useAct("updateProject", {
    done: "Project limits saved.",
    onFailure: shownInline,
    onDone: onClose,
  });
  return (
    <LimitsDialog
      title="Project limits"
      lead="Leave a field empty to use only the workspace limits. 0 blocks all paid calls."
      fields={projectFields(hall)}
      limits={own}
      save={(budget) => act.mutate({ params: { id }, body: { config: { budget } } as RouteBodyInput<"updateProject"> })}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
    />
  );
}
