import { CheckField } from "../../ui/field.tsx";
import { askBoxes } from "./ask-boxes.ts";

interface AskProps {
  /** Names of tools and groups that need consent. */
  ask: readonly string[];
  /** Those of the role, which an assignment can add to but not take from. */
  inherited?: readonly string[];
  onChange: (ask: string[]) => void;
}

/** Which tools ask the person before each call. */
export function AskBefore({ ask, inherited = [], onChange }: AskProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Ask before</legend>
      <p className="text-xs text-faint">The run waits, and you allow or refuse the call in the inbox.</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {askBoxes(ask, inherited).map(({ title, hint, isTicked, isInherited, ticked, unticked }) => (
          <CheckField
            key={title}
            label={isInherited ? `${title} (from the role)` : title}
            hint={hint}
            checked={isTicked}
            disabled={isInherited}
            onChange={({ target }) => onChange(target.checked ? ticked : unticked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
