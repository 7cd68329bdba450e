import { Link } from "@tanstack/react-router";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { ProjectName } from "../../ui/project-name.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { partyIn } from "./inbox-words.ts";

const FIXED: Record<string, string> = { main: "The main agent", person: "You", hall: "Guildhall" };

/** Who asked, decided or answered, with a link to the run or project. */
export function Party({ by }: { by: string }) {
  const { kind, id } = partyIn(by);
  if (kind === "run" && id !== "")
    return (
      <Link to="/runs/$runId" params={{ runId: id }} className="text-accent underline" title={id}>
        A run
      </Link>
    );
  if (kind === "project" && id !== "")
    return (
      <>
        The agent of{" "}
        <Link to="/projects/$id/talk" params={{ id }} className="text-accent underline">
          <ProjectName id={id} />
        </Link>
      </>
    );
  return <bdi>{FIXED[kind] ?? visibleLine(id || kind)}</bdi>;
}

export function TaskLink({ projectId, taskId }: { projectId: string; taskId: string }) {
  return (
    <Link
      to="/projects/$id/board"
      params={{ id: projectId }}
      search={{ task: taskId }}
      className="font-mono text-xs text-accent underline"
    >
      {taskId}
    </Link>
  );
}

const SHORT: Record<string, string> = {
  run: "Run",
  project: "Project agent",
  main: "Main agent",
  person: "You",
  hall: "Guildhall",
};

/** Who asked first, in a word or two, for a line of the list. */
export function askerText({ escalatedBy, askers }: Pick<Escalation, "escalatedBy" | "askers">): string {
  const { kind, id } = partyIn(escalatedBy);
  const task = askers[0]?.taskId;
  const first = kind === "run" && task !== undefined ? task : (SHORT[kind] ?? visibleLine(id || kind));
  return askers.length > 1 ? `${first} +${askers.length - 1}` : first;
}
