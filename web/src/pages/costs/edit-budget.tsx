import type { Budget, ProjectBudget } from "../../../../src/contract/documents/budget.ts";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { moneyText, tokensText } from "../../ui/figures.tsx";
import { ownRunLimitOf } from "./limit-text.ts";
import { type LimitField, LimitsDialog } from "./limits-dialog.tsx";

const HALL_FIELDS: readonly LimitField<number | null>[] = [
  { key: "dayUsd", label: "Dollars a day", hint: "Of the whole hall." },
  { key: "dayTokens", label: "Tokens a day" },
  { key: "runUsd", label: "Dollars a run", hint: "A run is counted with all it starts." },
  { key: "runTokens", label: "Tokens a run" },
  { key: "totalUsd", label: "Dollars ever" },
  { key: "totalTokens", label: "Tokens ever" },
];

/** Runs that wait for money go on as soon as there is some. */
export function EditBudget({ limits, onClose }: { limits: Budget; onClose: () => void }) {
  const act = useAct("updateBudget", {
    done: "The limits are changed.",
    onFailure: shownInline,
    onDone: onClose,
  });
  return (
    <LimitsDialog
      title="Limits of the hall"
      lead="Empty means no limit; 0 lets nothing through that costs anything."
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
  const orHall = (limit: string) => `Empty: the hall's, ${limit}. none: no limit.`;
  const ofRun = { read: ownRunLimitOf };
  return [
    { key: "dayUsd", label: "Dollars a day", hint: "Of this project, within the hall's." },
    { key: "dayTokens", label: "Tokens a day" },
    {
      ...{ key: "runUsd", label: "Dollars a run", ...ofRun },
      hint: orHall(runUsd === null ? "without a limit" : moneyText(runUsd)),
    },
    {
      ...{ key: "runTokens", label: "Tokens a run", ...ofRun },
      hint: orHall(runTokens === null ? "without a limit" : tokensText(runTokens)),
    },
    { key: "totalUsd", label: "Dollars ever" },
    { key: "totalTokens", label: "Tokens ever" },
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
    done: "The project's limits are changed.",
    onFailure: shownInline,
    onDone: onClose,
  });
  return (
    <LimitsDialog
      title="Limits of this project"
      lead="Empty means that only the hall's limits hold; 0 lets nothing through that costs anything."
      fields={projectFields(hall)}
      limits={own}
      save={(budget) => act.mutate({ params: { id }, body: { config: { budget } } as RouteBodyInput<"updateProject"> })}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
    />
  );
}
