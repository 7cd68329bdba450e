import type { PermissionRule } from "../../../../../src/contract/documents/permission.ts";
import { visibleLine } from "../../../ui/text/visible-text.ts";

interface Part {
  /** Exactly as it is stored. */
  code: string;
  note?: string;
}

/** A rule with each thing it allows on its own. */
export function RuleText({ rule }: { rule: PermissionRule }) {
  return (
    <ul className="flex min-w-0 flex-col gap-1">
      {partsOf(rule).map(({ code, note }) => (
        <li key={code} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <code className="shrink-0 text-xs font-semibold">{visibleLine(rule.tool)}</code>
          {code !== "" && (
            <pre className="max-h-40 min-w-0 flex-1 overflow-y-auto rounded bg-sunk px-2 py-1 text-xs whitespace-pre-wrap wrap-anywhere">
              {visibleLine(code)}
            </pre>
          )}
          {note !== undefined && <span className="text-xs text-faint">{note}</span>}
        </li>
      ))}
    </ul>
  );
}

function partsOf({ commands, path, origin, input }: PermissionRule): readonly Part[] {
  if (commands !== undefined) return commands.map((code) => ({ code }));
  if (path !== undefined) return [{ code: path, note: "any content" }];
  if (origin !== undefined) return [{ code: origin, note: "any page" }];
  return input === undefined ? [{ code: "", note: "only with this input" }] : [{ code: input }];
}
