import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { ModelField } from "../../../ui/model-field.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { withoutSaved } from "../../../ui/without-saved.ts";
import {
  GATE_GROUPS,
  type GateChange,
  type GateDraft,
  type GateField,
  gateChangeOf,
  inheritedWords,
} from "./gate-draft.ts";

interface FormProps {
  /** As they are set here; empty: inherited. */
  now: GateDraft;
  /** What an empty field comes to. */
  inherited: (key: string) => unknown;
  disabled?: boolean;
  /** Beside the fields of a group, by its title. */
  beside?: Readonly<Record<string, ReactNode>>;
  busy: boolean;
  error: unknown;
  /** Calls `done` when it is saved. */
  onSave: (change: GateChange, done: () => void) => void;
}

/** The settings of the gates, of the hall or of a project. A field that nobody touched stays live. */
export function GateForm({ now, inherited, disabled = false, beside = {}, busy, error, onSave }: FormProps) {
  const [typed, setTyped] = useState<GateDraft>({});
  const draft = { ...now, ...typed };
  const change = gateChangeOf(now, draft);
  const set = (key: string, text: string) => setTyped((all) => ({ ...all, [key]: text }));
  return (
    <form
      className="flex max-w-4xl flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (change.length > 0) onSave(change, () => setTyped((all) => withoutSaved(all, typed)));
      }}
    >
      <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-6">
        {GATE_GROUPS.map(({ title, lead, fields }) => (
          <section key={title} aria-label={title} className="flex flex-col gap-3">
            <div>
              <h2 className="text-base font-semibold">{title}</h2>
              <p className="text-sm text-faint">{lead}</p>
            </div>
            <div className="flex flex-col gap-3 rounded-lg border border-line bg-card p-4">
              <div className="grid gap-3 sm:grid-cols-2">
                {fields.map((field) => (
                  <Field
                    key={field.key}
                    field={field}
                    value={draft[field.key] ?? ""}
                    inherited={inherited(field.key)}
                    onChange={(text) => set(field.key, text)}
                  />
                ))}
              </div>
              {beside[title]}
            </div>
          </section>
        ))}
      </fieldset>
      {change.length > 0 && (
        <div className="sticky bottom-2 z-10 flex flex-col gap-2 rounded-lg border border-line bg-card p-3 shadow-lg max-md:bottom-16">
          {error != null && <Trouble error={error} />}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <p className="mr-auto text-sm text-faint">You have unsaved changes.</p>
            <Button onClick={() => setTyped({})}>Discard changes</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Save
            </Button>
          </div>
        </div>
      )}
    </form>
  );
}

interface FieldProps {
  field: GateField;
  value: string;
  inherited: unknown;
  onChange: (text: string) => void;
}

function Field({ field, value, inherited, onChange }: FieldProps) {
  const { label, kind } = field;
  const usual = inheritedWords(field, inherited);
  const common = {
    label,
    value,
    ...(field.hint === "" ? {} : { hint: field.hint }),
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  const placeholder = usual === "none" ? undefined : `Default: ${usual}`;
  switch (kind) {
    case "switch":
    case "choice": {
      const choices =
        kind === "choice"
          ? field.choices
          : ([
              ["true", "On"],
              ["false", "Off"],
            ] as const);
      return (
        <SelectField {...common}>
          <option value="">Default ({usual})</option>
          {choices.map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </SelectField>
      );
    }
    case "number":
      return <TextField {...common} type="number" min={field.min} max={field.max} step={1} placeholder={placeholder} />;
    case "model":
      return <ModelField {...common} placeholder={placeholder} />;
    case "lines":
      return <TextArea {...common} rows={3} spellCheck={false} placeholder={placeholder} />;
    case "text":
      return <TextField {...common} spellCheck={false} autoComplete="off" placeholder={placeholder} />;
  }
}
