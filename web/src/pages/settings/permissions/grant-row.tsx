import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { ShownGrant } from "../../../../../src/contract/routes/people/grant-routes.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Ago, countText, plural } from "../../../ui/figures.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { RoleName } from "../../../ui/run/role-name.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { CallList } from "../../inbox/permission/call-list.tsx";
import { RuleText } from "../../inbox/permission/rule-text.tsx";
import { scopeWords, stateBadge } from "./grant-words.ts";

/** One permission: what it allows, for whom and how long, and the calls that used it. */
export function GrantRow({ grant }: { grant: ShownGrant }) {
  const [isOpen, setOpen] = useState(false);
  const [isRevoking, setRevoking] = useState(false);
  const badge = stateBadge(grant);
  return (
    <li className="flex flex-col gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <RuleText rule={grant.rule} />
        </div>
        {grant.state === "open" && (
          <Button size="small" kind="danger" aria-label={`Revoke ${grant.id}`} onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        )}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
        <Badge tone={badge.tone}>{badge.word}</Badge>
        <span>{scopeWords(grant)}</span>
        <span>
          <RoleName id={grant.roleId} /> in <ProjectName id={grant.projectId} />
        </span>
        <Link to="/runs/$runId" params={{ runId: grant.runId }} className="text-accent underline">
          Run
        </Link>
        <Link to="/inbox" search={{ view: "resolved", id: grant.from }} className="text-accent underline">
          {grant.from}
        </Link>
        <span>
          {grant.id}, <Ago at={grant.createdAt} />
        </span>
      </p>
      <Uses grant={grant} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isRevoking && <Revoke grant={grant} onClose={() => setRevoking(false)} />}
    </li>
  );
}

interface UsesProps {
  grant: ShownGrant;
  isOpen: boolean;
  onToggle: () => void;
}

function Uses({ grant: { id, uses, recentUses, lastUsedAt }, isOpen, onToggle }: UsesProps) {
  if (uses === 0) return <p className="text-xs text-faint">Not used yet.</p>;
  return (
    <div className="text-sm">
      <button
        type="button"
        data-row
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-6 items-center gap-1 rounded text-xs hover:text-accent"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-faint ${isOpen ? "rotate-90" : ""}`} />
        <span>
          Allowed {plural(recentUses, "call")} in the last 30 days
          {uses > recentUses && `, ${countText(uses)} in total`}
          {lastUsedAt !== undefined && (
            <span className="text-faint">
              {" "}
              · last <Ago at={lastUsedAt} />
            </span>
          )}
        </span>
      </button>
      {isOpen && <UsesOf id={id} />}
    </div>
  );
}

function UsesOf({ id }: { id: string }) {
  const found = useQuery(queries.grant(id));
  return (
    <Loaded query={found} loading={<Loading lines={1} />}>
      {({ grant, uses }) => (
        <div className="border-l-2 border-line pl-3">
          <CallList calls={uses.map((use) => ({ ...use, projectId: grant.projectId }))} />
        </div>
      )}
    </Loaded>
  );
}

function Revoke({ grant, onClose }: { grant: ShownGrant; onClose: () => void }) {
  const revoke = useAct("revokeGrant", { done: `Revoked ${grant.id}.`, onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title="Revoke this permission?"
      action="Revoke"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ params: { id: grant.id } })}
      onClose={onClose}
    >
      <RuleText rule={grant.rule} />
      <p>Takes effect at once. The next such call asks you again, and you can allow it again then.</p>
    </Confirm>
  );
}
