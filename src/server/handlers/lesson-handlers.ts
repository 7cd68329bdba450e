import type { MemberGate, TeamLessons } from "../../contract/documents/teams/team-lessons.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of what teams learn. */
export interface LessonDesk {
  ofTeam(id: string): Promise<TeamLessons>;
  ofProject(projectId: string): Promise<TeamLessons>;
  gates(id: string, query: RouteQuery<"listTeamGates">): MemberGate[];
}

export function lessonHandlers(
  lessons: LessonDesk,
): HandlersOf<"getTeamLessons" | "getProjectLessons" | "listTeamGates"> {
  return {
    getTeamLessons: async ({ params: { id } }) => ({ lessons: await lessons.ofTeam(id) }),
    getProjectLessons: async ({ params: { id } }) => ({ lessons: await lessons.ofProject(id) }),
    listTeamGates: ({ params: { id }, query }) => ({ gates: lessons.gates(id, query) }),
  };
}
