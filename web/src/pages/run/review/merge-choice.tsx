import { Copy } from "lucide-react";
import type { MergeMethod } from "../../../../../src/contract/documents/merge-method.ts";
import type { Run, RunDiff } from "../../../../../src/contract/runs/run.ts";
import { pullRequestCommands } from "../../../../../src/contract/words/push-commands.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckField, SelectField } from "../../../ui/field.tsx";
import { tell, tellFailure } from "../../../ui/toasts.tsx";

interface MergeChoiceProps {
  method: MergeMethod;
  keepBranch: boolean;
  onChange: (next: { mergeMethod?: MergeMethod; keepBranch?: boolean }) => void;
}

/** How the result gets into its branch, this once. */
export function MergeChoice({ method, keepBranch, onChange }: MergeChoiceProps) {
  return (
    <div className="mt-1 flex flex-col gap-2">
      <SelectField
        label="Merge method"
        value={method}
        onChange={({ target }) => onChange({ mergeMethod: target.value === "squash" ? "squash" : "merge" })}
      >
        <option value="merge">Merge commit</option>
        <option value="squash">Squash into one commit</option>
      </SelectField>
      <CheckField
        label="Keep the branch"
        checked={keepBranch}
        onChange={({ target }) => onChange({ keepBranch: target.checked })}
      />
    </div>
  );
}

/** What to run to open a pull request instead; the daemon never pushes. */
export function PullRequest({ run, diff }: { run: Run; diff: RunDiff }) {
  const { remote, subject = run.title } = diff;
  if (remote === undefined || run.delivery?.kind !== "branch") return null;
  const commands = pullRequestCommands({ remote, delivery: run.delivery, title: subject }).join("\n");
  return (
    <details>
      <summary className="cursor-pointer text-faint">Open a pull request instead</summary>
      <Commands text={commands} />
    </details>
  );
}

/** Commands for a terminal, ready to copy. */
function Commands({ text }: { text: string }) {
  const copy = () => void navigator.clipboard.writeText(text).then(() => tell("Copied."), tellFailure);
  return (
    <div className="mt-1 flex items-start gap-2">
      <pre className="min-w-0 flex-1 overflow-x-auto rounded bg-sunk px-2 py-1 text-xs">{text}</pre>
      <Button size="small" onClick={copy}>
        <Copy size={14} aria-hidden />
        Copy
      </Button>
    </div>
  );
}
