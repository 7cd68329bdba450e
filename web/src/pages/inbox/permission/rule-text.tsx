import type { PermissionRule } from "../../../../../src/contract/documents/permission.ts";
import { visibleLine } from "../../../ui/text/visible-text.ts";

/** A rule with each thing it allows on its own, exactly as it is stored. */
export function RuleText({ rule }: { rule: PermissionRule }) {
  return (
    <ul className="flex min-w-0 flex-col gap-1">
      {partsOf(rule).map((part) => (
        <li key={part} className="flex min-w-0 items-baseline gap-2">
          <code className="shrink-0 text-xs font-semibold">{visibleLine(rule.tool)}</code>
          <pre className="max-h-40 min-w-0 flex-1 overflow-y-auto rounded bg-sunk px-2 py-1 text-xs whitespace-pre-wrap wrap-anywhere">
            {visibleLine(part)}
          </pre>
        </li>
      ))}
    </ul>
  );
}

function partsOf({ commands, path, origin, input }: PermissionRule): readonly string[] {
  if (commands !== undefined) return commands;
  if (path !== undefined) return [`${path} (any content)`];
  if (origin !== undefined) return [`${origin} (any page)`];
  return [input ?? "(this input only)"];
}
