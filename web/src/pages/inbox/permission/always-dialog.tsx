import { useQuery } from "@tanstack/react-query";
import type { Escalation } from "../../../../../src/contract/documents/escalation.ts";
import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";
import { queries } from "../../../api/queries.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { countText, plural } from "../../../ui/figures.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { RoleName } from "../../../ui/run/role-name.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { CallList } from "./call-list.tsx";
import { RuleText } from "./rule-text.tsx";

interface AlwaysProps {
  escalation: Escalation;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Shows the exact rule, and what it would have allowed, before the rule is made. */
export function AlwaysDialog({ escalation, isBusy, onConfirm, onClose }: AlwaysProps) {
  const preview = useQuery(queries.permissionPreview(escalation.id));
  return (
    <Confirm
      // Opened again once the rule is there, so that the keyboard is on the button.
      key={String(preview.data !== undefined)}
      title="Always allow this?"
      action="Always allow"
      danger={false}
      disabled={preview.data === undefined}
      busy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Loaded query={preview}>{(data) => <Preview escalation={escalation} preview={data} />}</Loaded>
    </Confirm>
  );
}

interface PreviewProps {
  escalation: Escalation;
  preview: RouteResponse<"previewPermission">;
}

function Preview({ escalation: { permission, projectId }, preview: { rule, total, calls } }: PreviewProps) {
  return (
    <>
      <section aria-label="Rule" className="flex flex-col gap-1.5">
        <h3 className="font-medium">Rule</h3>
        {permission !== undefined && projectId !== undefined && (
          <p>
            Role <RoleName id={permission.roleId} /> in <ProjectName id={projectId} /> may call without asking:
          </p>
        )}
        <RuleText rule={rule} />
        <p className="text-xs text-faint">
          It allows exactly {(rule.commands?.length ?? 1) > 1 ? "these, alone or together," : "this"} and nothing else,
          until you revoke it in Settings → Permissions.
        </p>
      </section>
      <section aria-label="Last 30 days" className="flex flex-col gap-1.5">
        <h3 className="font-medium">
          {total === 0
            ? "No calls in the last 30 days match it."
            : `Would have allowed in the last 30 days: ${countText(total)}`}
        </h3>
        {calls.length > 0 && (
          <ScrollBox label="Calls it would have allowed" look="card" className="max-h-56">
            <CallList calls={calls} />
          </ScrollBox>
        )}
        {total > calls.length && (
          <p className="text-xs text-faint">The newest {plural(calls.length, "call")} are shown.</p>
        )}
      </section>
    </>
  );
}
