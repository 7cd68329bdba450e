import type { RouteBody } from "../../contract/routes/routes.ts";
import { routesOf } from "../machine/routing.ts";
import { chooseStrategy } from "../machine/strategy.ts";
import type { TeamFact } from "../machine/team-facts.ts";
import type { Beginning } from "../team-store.ts";
import type { Session, SessionFault, SessionFiles } from "./session-folder.ts";

/** What a team begins with that carries out a session: its facts, and the texts as they were handed over. */
export function sessionStart(
  { team, spec, plan, roleSpecs, carried }: Session,
  { files, by }: { files: SessionFiles; by: string },
): { body: RouteBody<"createTeam">; beginning: Beginning } {
  const { name, goal, preset } = team;
  const asked = typeof team.strategy === "object" ? team.strategy.value : team.strategy;
  const strategy = chooseStrategy(plan, asked);
  const imported: TeamFact = {
    type: "session-imported",
    by,
    spec,
    plan,
    strategy: asked === undefined ? strategy : { value: asked, because: "as in the session" },
    routes: routesOf(plan, strategy.value),
    roleSpecs: roleSpecs.map(({ name: of, prefix }) => ({ name: of, prefix })),
  };
  return {
    body: {
      name,
      goal,
      ...(preset === undefined ? {} : { preset }),
      ...(asked === undefined ? {} : { strategy: asked }),
    },
    beginning: {
      facts: [imported],
      files: [
        ["spec.md", files["spec.md"] ?? ""],
        ...roleSpecs.map(({ name: of, text }) => [`role-specs/${of}.md`, text] as const),
        ...carried,
      ],
    },
  };
}

/** One line for each part that is missing or broken. */
export function faultsText(faults: readonly SessionFault[]): string {
  return faults.map(({ path, line, reason }) => `${path}${line === undefined ? "" : `:${line}`}: ${reason}`).join("\n");
}
