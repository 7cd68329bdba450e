import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { queries } from "../../api/queries.ts";
import { visibleLine } from "../text/visible-text.ts";
import type { TaskTeam } from "./task-teams.ts";

/** Leads to the team of a task, above what lies below it. */
export function TeamLink({ team: { id, name } }: { team: TaskTeam }) {
  return (
    <Link
      to="/teams/$teamId"
      params={{ teamId: id }}
      title="Open the team"
      className="relative z-10 inline-flex max-w-40 min-w-0 items-center gap-1 text-accent hover:underline"
    >
      <Workflow size={12} aria-hidden className="shrink-0" />
      <bdi className="truncate">{visibleLine(name)}</bdi>
    </Link>
  );
}

/** The team of a run, by its id. */
export function TeamNamed({ id }: { id: string }) {
  const name = useQuery(queries.team(id)).data?.team.name;
  return <TeamLink team={{ id, name: name ?? "Team" }} />;
}
