import { useState } from "react";
import type { Budget } from "../../../../src/contract/documents/budget.ts";
import { failureOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { limitOf } from "./limit-text.ts";

type Key = keyof Budget;
type Limit = number | "none" | null;

export interface LimitField<Value extends Limit> {
  key: Key;
  label: string;
  hint?: string;
  /** limitOf, unless words are understood too. undefined: it makes no sense. */
  read?: (text: string) => Value | undefined;
}

interface LimitsProps<Value extends Limit> {
  title: string;
  lead: string;
  fields: readonly LimitField<Value>[];
  limits: { readonly [Name in Key]?: Value | undefined };
  /** Gets only what is changed. */
  save: (changed: Partial<Record<Key, Value>>) => void;
  busy: boolean;
  error: unknown;
  onClose: () => void;
}

export function LimitsDialog<Value extends Limit>(props: LimitsProps<Value>) {
  const { title, lead, fields, limits, save, busy, error, onClose } = props;
  const [texts, setTexts] = useState<Partial<Record<Key, string>>>(() =>
    Object.fromEntries(fields.map(({ key }) => [key, String(limits[key] ?? "")])),
  );
  const parsed = fields.map(({ key, read = limitOf as (text: string) => Value | undefined, ...field }) => ({
    ...{ key, ...field },
    limit: read(texts[key] ?? ""),
  }));
  const isWrong = parsed.some(({ limit }) => limit === undefined);
  const changed = parsed.filter(({ key, limit }) => limit !== (limits[key] ?? null));
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWrong) return;
          if (changed.length === 0) onClose();
          else save(Object.fromEntries(changed.map(({ key, limit }) => [key, limit])) as Partial<Record<Key, Value>>);
        }}
      >
        <p className="text-sm text-faint">{lead}</p>
        <div className="grid gap-3 sm:grid-cols-2">
          {parsed.map(({ key, label, hint, limit }) => (
            <TextField
              key={key}
              label={label}
              hint={hint}
              inputMode="decimal"
              value={texts[key] ?? ""}
              error={limit === undefined ? "Enter a number such as 1500.50, or leave it empty." : undefined}
              onChange={(event) => setTexts({ ...texts, [key]: event.target.value })}
            />
          ))}
        </div>
        {error !== undefined && error !== null && (
          <p role="alert" className="text-sm text-bad">
            {failureOf(error).message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={isWrong}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
