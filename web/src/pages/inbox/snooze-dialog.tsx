import { useState } from "react";
import { useKeys } from "../../shell/keys.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { localText, type SnoozeTime, snoozeTimes } from "./snooze-times.ts";

interface SnoozeProps {
  onSnooze: (until: Date) => void;
  onClose: () => void;
}

const exact = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",

  hour: "numeric",
  minute: "2-digit",
});

/** Hides an entry for a while. */
export function SnoozeDialog({ onSnooze, onClose }: SnoozeProps) {
  const [now] = useState(() => new Date());
  const times = snoozeTimes(now);
  const take = (at: Date) => {
    onClose();
    onSnooze(at);
  };
  return (
    <Dialog title="Snooze until" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Times times={times} onTake={take} />
        <PickTime now={now} onTake={take} />
      </div>
    </Dialog>
  );
}

/** Within the dialog, so that its keys are heard. */
function Times({ times, onTake }: { times: readonly SnoozeTime[]; onTake: (at: Date) => void }) {
  useKeys(Object.fromEntries(times.map(({ at }, index) => [String(index + 1), () => onTake(at)])));
  return (
    <ol className="flex flex-col gap-2">
      {times.map(({ label, at }, index) => (
        <li key={label}>
          <button
            type="button"
            data-row
            data-first={index === 0 || undefined}
            onClick={() => onTake(at)}
            className="flex w-full items-center gap-2.5 rounded-md border border-line px-3 py-2 text-left text-sm hover:border-accent hover:bg-accent-soft"
          >
            <kbd aria-hidden className="min-w-5 rounded border border-line bg-sunk px-1 text-center text-xs text-faint">
              {index + 1}
            </kbd>
            <span className="font-medium">{label}</span>
            <span className="ml-auto text-xs text-faint">{exact.format(at)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function PickTime({ now, onTake }: { now: Date; onTake: (at: Date) => void }) {
  const [picked, setPicked] = useState("");
  const at = new Date(picked);
  const isPast = picked !== "" && at.getTime() <= now.getTime();
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (picked !== "" && !isPast) onTake(at);
      }}
    >
      <TextField
        type="datetime-local"
        label="Pick a time"
        min={localText(now)}
        value={picked}
        error={isPast ? "Pick a time in the future." : undefined}
        onChange={({ target }) => setPicked(target.value)}
      />
      <Button type="submit" disabled={picked === "" || isPast}>
        Snooze
      </Button>
    </form>
  );
}
