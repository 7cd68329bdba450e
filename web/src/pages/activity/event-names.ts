import { useQuery } from "@tanstack/react-query";
import { createContext, useMemo } from "react";
import type { HallEvent } from "../../../../src/contract/event.ts";
import type { EventNames } from "../../../../src/contract/words/event-words.ts";
import { queries } from "../../api/queries.ts";

export const NamesOfEvents = createContext<EventNames | undefined>(undefined);

interface NamedRun {
  id: string;
  projectId: string;
  taskId: string;
  roleId: string;
  title: string;
}

interface Known {
  events: readonly HallEvent[];
  roles: readonly { id: string; name: string }[];
  runs: readonly NamedRun[];
}

/** What the roles, the runs and the events themselves tell of what is named in them. */
export function namesIn({ events, roles, runs }: Known): EventNames {
  const called = new Map(roles.map(({ id, name }) => [id, name]));
  const titles = new Map(runs.map(({ projectId, taskId, title }) => [`${projectId}/${taskId}`, title]));
  const about = new Map<string, ReturnType<EventNames["run"]>>(runs.map((run) => [run.id, run]));
  for (const { type, subject, projectId, after = {} } of events) {
    if (subject.kind === "task" && typeof after.title === "string")
      titles.set(`${projectId}/${subject.id}`, after.title);
    if (type === "run.created") about.set(subject.id, { roleId: wordIn(after.roleId), taskId: wordIn(after.taskId) });
  }
  return {
    role: (id) => called.get(id),
    title: (project, task) => titles.get(`${project}/${task}`),
    run: (id) => about.get(id),
  };
}

function wordIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Asks for roles and the last runs once, however many rows there are. */
export function useEventNames(events: readonly HallEvent[], asked: Parameters<typeof queries.runs>[0]): EventNames {
  const roles = useQuery(queries.roles()).data?.roles;
  const runs = useQuery(queries.runs(asked)).data?.runs;
  return useMemo(() => namesIn({ events, roles: roles ?? [], runs: runs ?? [] }), [events, roles, runs]);
}
