import { MODEL_PRESETS } from "../../../../../src/contract/words/rank-names.ts";
import { AUTONOMY_MODE_WORDS } from "../../../../../src/contract/words/teams/autonomy-words.ts";
import { APPROVAL_WORDS, SDD_WORDS, STRATEGY_WORDS } from "../../../../../src/contract/words/teams/team-choices.ts";
import { SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { capital } from "../../../ui/text/capital.ts";
import { ProjectChoice, type TargetProject } from "../../task/target-project.tsx";
import { budgetFault, type Order } from "./team-order.ts";

interface FormProps {
  taskId: string | undefined;
  target: TargetProject;
  order: Order;
  onChange: (order: Order) => void;
}

/** The goal and what the person wants to see first; the rest is folded, and has a default. */
export function TeamForm({ taskId, target, order, onChange }: FormProps) {
  const field = (name: keyof Order) => ({
    value: order[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => onChange({ ...order, [name]: value }),
  });
  return (
    <>
      <TextArea
        label="Goal"
        required
        autoFocus
        rows={order.goal.includes("\n") ? 7 : 4}
        maxLength={20_000}
        placeholder="Add password reset by email"
        hint="What should be true when the team is done. It writes the spec and the plan itself."
        {...field("goal")}
      />
      {taskId === undefined && <ProjectChoice target={target} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField label="Autonomy" hint={AUTONOMY_MODE_WORDS[order.autonomy].about} {...field("autonomy")}>
          <Options of={AUTONOMY_MODE_WORDS} />
        </SelectField>
        {order.autonomy === "off" && (
          <SelectField label="Your approval" hint={APPROVAL_WORDS[order.approval].about} {...field("approval")}>
            <Options of={APPROVAL_WORDS} />
          </SelectField>
        )}
        <TextField
          label="Budget in USD"
          inputMode="decimal"
          placeholder="Default"
          hint="The team stops before it spends more."
          error={budgetFault(order.budget)}
          {...field("budget")}
        />
      </div>
      <details className="rounded-md border border-line px-3 py-2">
        <summary className="text-sm font-medium">Advanced</summary>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Strategy"
            hint={order.strategy === "" ? "Chosen when the plan is known." : STRATEGY_WORDS[order.strategy].about}
            {...field("strategy")}
          >
            <option value="">Automatic</option>
            <Options of={STRATEGY_WORDS} />
          </SelectField>
          <SelectField label="Spec" hint={SDD_WORDS[order.sdd || "auto"].about} {...field("sdd")}>
            <option value="">Default</option>
            <Options of={SDD_WORDS} />
          </SelectField>
          <SelectField label="Models" hint="One model per rank." {...field("preset")}>
            <option value="">Default</option>
            {MODEL_PRESETS.map((preset) => (
              <option key={preset} value={preset}>
                {capital(preset.replaceAll("-", " "))}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Base branch"
            placeholder="Current branch"
            autoComplete="off"
            spellCheck={false}
            hint="The team starts from it and delivers into it."
            {...field("baseBranch")}
          />
          <TextField label="Name" maxLength={100} placeholder="Taken from the goal" {...field("name")} />
        </div>
      </details>
    </>
  );
}

function Options({ of }: { of: Readonly<Record<string, { label: string }>> }) {
  return Object.entries(of).map(([value, { label }]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
