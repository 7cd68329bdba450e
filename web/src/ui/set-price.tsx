import { useState } from "react";
import { failureOf } from "../api/failure.ts";
import { shownInline, useAct } from "../api/use-act.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";

/** For a model without a price: sets it right where it is missing. */
export function SetPriceButton({ model }: { model: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Set price
      </Button>
      {isOpen && <SetPrice model={model} onClose={() => setOpen(false)} />}
    </>
  );
}

function SetPrice({ model, onClose }: { model: string; onClose: () => void }) {
  const [input, setInput] = useState("");
  const [output, setOutput] = useState("");
  const act = useAct("setModelPrice", { done: "Price saved.", onFailure: shownInline, onDone: onClose });
  const [into, out] = [priceOf(input), priceOf(output)];
  return (
    <Dialog title="Set price" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (into !== undefined && out !== undefined) act.mutate({ body: { model, input: into, output: out } });
        }}
      >
        <p className="text-sm text-faint">
          For <code>{model}</code>, in US dollars per million tokens. Use 0 for a model you host yourself. Applies to
          the next call; earlier calls stay estimated.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <PriceField label="Input" value={input} onChange={setInput} />
          <PriceField label="Output" value={output} onChange={setOutput} />
        </div>
        {act.error !== null && (
          <p role="alert" className="text-sm text-bad">
            {failureOf(act.error).message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={act.isPending} disabled={into === undefined || out === undefined}>
            Save price
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface PriceFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function PriceField({ label, value, onChange }: PriceFieldProps) {
  const isWrong = value.trim() !== "" && priceOf(value) === undefined;
  return (
    <TextField
      label={label}
      inputMode="decimal"
      placeholder="0.00"
      value={value}
      error={isWrong ? "Enter a number, such as 0.25." : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function priceOf(text: string): number | undefined {
  const bare = text.trim().replace(/^\$/, "").replace(",", ".");
  return /^\d+(\.\d+)?$/.test(bare) ? Number(bare) : undefined;
}
