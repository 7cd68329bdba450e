import { useState } from "react";
import type { Budget } from "../../../../src/contract/budget.ts";
import { failureOf } from "../../api/failure.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { limitOf } from "./limit-text.ts";

const FIELDS: readonly { key: keyof Budget; label: string; hint?: string }[] = [
  { key: "dayUsd", label: "Dollars a day", hint: "Of the whole hall." },
  { key: "runUsd", label: "Dollars a run", hint: "A run is counted with all it starts." },
  { key: "totalUsd", label: "Dollars ever" },
  { key: "dayTokens", label: "Tokens a day" },
  { key: "runTokens", label: "Tokens a run" },
  { key: "totalTokens", label: "Tokens ever" },
];

type Texts = Record<keyof Budget, string>;

/** Runs that wait for money go on as soon as there is some. */
export function EditBudget({ limits, onClose }: { limits: Budget; onClose: () => void }) {
  const [texts, setTexts] = useState<Texts>(
    () => Object.fromEntries(FIELDS.map(({ key }) => [key, limits[key] === null ? "" : String(limits[key])])) as Texts,
  );
  const [error, setError] = useState<unknown>();
  const act = useAct("updateBudget", { done: "The limits are changed.", onFailure: setError, onDone: onClose });
  const parsed = FIELDS.map(({ key }) => ({ key, limit: limitOf(texts[key]) }));
  const isWrong = parsed.some(({ limit }) => limit === undefined);
  return (
    <Dialog title="Limits of the hall" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const body = Object.fromEntries(
            parsed.filter(({ key, limit }) => limit !== limits[key]).map(({ key, limit }) => [key, limit]),
          );
          if (!isWrong) act.mutate({ body });
        }}
      >
        <p className="text-sm text-faint">Empty means no limit; 0 lets nothing through that costs anything.</p>
        <div className="grid gap-3 sm:grid-cols-2">
          {FIELDS.map(({ key, label, hint }) => (
            <TextField
              key={key}
              label={label}
              hint={hint}
              inputMode="decimal"
              value={texts[key]}
              error={limitOf(texts[key]) === undefined ? "A number, or nothing." : undefined}
              onChange={(event) => setTexts({ ...texts, [key]: event.target.value })}
            />
          ))}
        </div>
        {error !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {failureOf(error).message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave as it is</Button>
          <Button kind="primary" type="submit" busy={act.isPending} disabled={isWrong}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
