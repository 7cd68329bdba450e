import { useState } from "react";
import { findingPlace } from "../../../../src/contract/words/review-words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import type { PlacedFinding } from "./report-model.ts";

const LONGEST_REASON = 2_000;
const SHOWN_CHARACTERS = 400;

interface WaiveProps {
  finding: PlacedFinding;
  busy: boolean;
  error: unknown;
  onWaive: (reason: string) => void;
  onClose: () => void;
}

/** Accepts a finding with a reason, which stays in the report under the person's name. */
export function WaiveDialog({ finding, busy, error, onWaive, onClose }: WaiveProps) {
  const [reason, setReason] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  const place = findingPlace(finding);
  return (
    <Dialog title="Waive this finding?" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const given = reason.trim();
          setEmpty(given === "");
          if (given !== "" && !busy) onWaive(given);
        }}
      >
        <blockquote className="border-l-2 border-line pl-3 text-sm wrap-anywhere whitespace-pre-wrap">
          {place !== "" && <code className="block text-xs text-faint">{visibleLine(place)}</code>}
          {visibleText(finding.message.slice(0, SHOWN_CHARACTERS).toWellFormed())}
          {finding.message.length > SHOWN_CHARACTERS && "…"}
        </blockquote>
        <TextField
          label="Reason"
          required
          maxLength={LONGEST_REASON}
          value={reason}
          error={isEmpty ? "Enter a reason." : undefined}
          hint="Stays in the report with your name. The finding no longer blocks the change."
          onChange={({ target }) => setReason(target.value)}
        />
        {error != null && <Trouble error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Waive finding
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
