import { z } from "zod";
import { MemberGate, TeamLessons } from "../../documents/teams/team-lessons.ts";
import { line, Slug } from "../../words/text.ts";
import { byId } from "../route-parts.ts";

const group = "Teams";

export const lessonRoutes = {
  getTeamLessons: {
    summary:
      "What a team gets to know when it forms: the type of the project with what decided it, stages that past results often failed, findings that repeated, and what rework taught.",
    group,
    params: byId,
    response: z.strictObject({ lessons: TeamLessons }),
  },
  getProjectLessons: {
    summary: "What the next team of a project gets to know of past work.",
    group,
    params: z.strictObject({ id: Slug }),
    response: z.strictObject({ lessons: TeamLessons }),
  },
  listTeamGates: {
    summary: "Gate reports of a team by member, the oldest first. `member`: only of this one.",
    group,
    params: byId,
    query: z.strictObject({ member: line(100).optional() }),
    response: z.strictObject({ gates: z.array(MemberGate) }),
  },
} as const;
