import { useQuery } from "@tanstack/react-query";
import type { Escalation } from "../../../../../src/contract/documents/escalation.ts";
import { queries } from "../../../api/queries.ts";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { ApprovalBody } from "./approval.tsx";

type Asked = NonNullable<Escalation["team"]>;

/** What a team wants approved; undefined for its other questions, which are answered like any other. */
export function approvalIn({ team, status }: Escalation): (Asked & { kind: "spec" | "plan" }) | undefined {
  if (team == null || status === "resolved") return undefined;
  const { kind } = team;
  return kind === "spec" || kind === "plan" ? { ...team, kind } : undefined;
}

/** The spec or plan itself with the buttons of the team's page. */
export function TeamApproval({ asked, onDone }: { asked: Asked & { kind: "spec" | "plan" }; onDone: () => void }) {
  const found = useQuery(queries.team(asked.id));
  return (
    <Loaded query={found} loading={<Loading lines={5} label="Loading the team" />}>
      {({ team }) => <ApprovalBody team={team} what={asked.kind} keys="page" onDone={onDone} />}
    </Loaded>
  );
}
