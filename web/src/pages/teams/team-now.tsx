import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDot, CirclePause, CircleX, Hand, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../api/queries.ts";
import { buttonLook } from "../../ui/button.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { QuestionBox } from "../inbox/question-box.tsx";
import { Approval } from "./approval/approval.tsx";
import { standingWords } from "./team-model.ts";

/** What the team is at or waits for, and the one thing that the person can do about it, right here. */
export function TeamNow({ team }: { team: Team }) {
  const { escalation } = team;
  if (escalation?.kind === "spec" || escalation?.kind === "plan")
    return <Approval key={escalation.id} team={team} what={escalation.kind} keys="page" />;
  if (escalation !== undefined) return <TeamQuestion id={escalation.id} team={team} />;
  return <Standing team={team} />;
}

function TeamQuestion({ id, team }: { id: string; team: Team }) {
  const asked = useQuery(queries.escalation(id)).data?.escalation;
  if (asked === undefined || asked.status === "resolved") return <Standing team={team} />;
  return <QuestionBox escalation={asked} title="The team waits for your decision:" />;
}

function Standing({ team }: { team: Team }) {
  const delivery = useDelivery(team);
  const isReview = delivery === "review";
  const words = isReview ? "Waiting for your review of the whole change." : standingWords(team);
  const { Icon, ground, ink } = isReview ? LOOKS.person : LOOKS[lookOf(team)];
  return (
    <section
      aria-label="Now"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line px-4 py-2.5 ${ground}`}
    >
      <Icon size={18} aria-hidden className={`shrink-0 ${ink}`} />
      <p role="status" className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere">
        <bdi>{visibleLine(words)}</bdi>
      </p>
      <NextStep team={team} isReview={isReview} />
    </section>
  );
}

/** How the whole change stands, of a team that delivers it. */
function useDelivery({ status, deliveryRunId = "" }: Team): string | undefined {
  const isAsked = status === "delivering" && deliveryRunId !== "";
  const run = useQuery({ ...queries.run(deliveryRunId), enabled: isAsked }).data?.run;
  return isAsked ? run?.delivery?.state : undefined;
}

type Look = "person" | "working" | "held" | "done" | "failed" | "stopped";

const LOOKS: Record<Look, { Icon: LucideIcon; ground: string; ink: string }> = {
  person: { Icon: Hand, ground: "bg-accent-soft", ink: "text-accent" },
  working: { Icon: CircleDot, ground: "bg-info-soft", ink: "text-info" },
  held: { Icon: CirclePause, ground: "bg-warn-soft", ink: "text-warn" },
  done: { Icon: CircleCheck, ground: "bg-good-soft", ink: "text-good" },
  failed: { Icon: CircleX, ground: "bg-bad-soft", ink: "text-bad" },
  stopped: { Icon: CircleX, ground: "bg-sunk", ink: "text-faint" },
};

function lookOf({ status, waitingFor }: Team): Look {
  if (status === "completed") return "done";
  if (status === "failed" || status === "stopped") return status;
  if (waitingFor === "person") return "person";
  return status === "paused" || waitingFor !== undefined ? "held" : "working";
}

function NextStep({ team, isReview }: { team: Team; isReview: boolean }): ReactNode {
  const { deliveryRunId: runId, waitingFor, projectId, id, status } = team;
  if (isReview && runId !== undefined)
    return (
      <Link
        to="/runs/$runId"
        params={{ runId }}
        search={{ view: "changes" }}
        className={buttonLook({ kind: "primary" })}
      >
        Review the change
      </Link>
    );
  if (waitingFor === "budget")
    return (
      <Link to="/costs" className={buttonLook()}>
        Open Costs
      </Link>
    );
  if (waitingFor === "project")
    return (
      <Link to="/projects/$id" params={{ id: projectId }} className={buttonLook()}>
        Open the project
      </Link>
    );
  if (!hasEnded(status)) return null;
  return (
    <Link to="/teams/$teamId" params={{ teamId: id }} search={{ view: "report" }} className={buttonLook()}>
      Read the report
    </Link>
  );
}
