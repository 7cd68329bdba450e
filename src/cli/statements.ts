import type { KnowledgeQuery, Statement } from "../contract/documents/knowledge.ts";
import { HallError } from "../contract/errors.ts";
import type { OptionSpec } from "./command-spec.ts";
import { type Context, chosenProject } from "./context.ts";
import { project } from "./shared-options.ts";

/** The newest of them: older ones are found by what they say. */
const MOST_LISTED = 1_000;

export const hall = {
  kind: "flag",
  help: "Workspace knowledge only; ignores GUILDHALL_PROJECT",
} as const satisfies OptionSpec;

export const statement = { kind: "one", help: "Statement id, or its last characters" } as const;

export const seen = {
  ...project,
  help: "Project and workspace knowledge (default: $GUILDHALL_PROJECT or all)",
} as const;

export type StatementFilter = KnowledgeQuery["status"] | undefined;

export interface StatementPlace {
  project?: string | undefined;
  hall?: boolean | undefined;
}

export function projectOf({ project, hall }: StatementPlace, context: Context): string | undefined {
  if (hall !== true) return chosenProject(project, context);
  if (project === undefined) return undefined;
  throw new HallError("usage", "--hall and -p can't be combined.");
}

/** The statements named, or every pending one. */
export async function chosenStatements(
  given: string,
  { all, ...place }: StatementPlace & { all?: boolean | undefined },
  context: Context,
): Promise<Statement[]> {
  const ids = given.split(/[\s,]+/).filter((id) => id !== "");
  if ((all === true) === ids.length > 0)
    throw new HallError("usage", all === true ? "--all takes no ids." : "Missing statement id.", {
      hint: "Pass one or more ids, or --all.",
    });
  if (all !== true) return Promise.all(ids.map((id) => findStatement(id, { ...place, status: "all" }, context)));
  const project = projectOf(place, context);
  const scope = place.hall === true ? "hall" : project === undefined ? "all" : "project";
  const query = { project, scope, status: "pending", limit: MOST_LISTED } as const;
  return (await context.call("listKnowledge", { query })).statements;
}

type Scope = "hall" | "project" | "all";

/**
 * Ids are long: their last characters will do when they fit only one. Looked for among what is shown, so what was promoted
 * is the hall's; otherwise a project's own come first.
 */
export async function findStatement(
  given: string,
  where: StatementPlace & { scope?: Scope; status?: StatementFilter },
  context: Context,
): Promise<Statement> {
  const project = projectOf(where, context);
  const scope = where.scope ?? (where.hall === true ? "hall" : "all");
  const query = { project, scope, status: where.status, limit: MOST_LISTED };
  const { statements } = await context.call("listKnowledge", { query });
  const all = statements.filter(({ id }) => id.endsWith(given.trim().toLowerCase()));
  const own = project === undefined ? [] : all.filter(({ projectId }) => projectId === project);
  const fitting = own.length > 0 ? own : all;
  if (fitting.length > 1)
    throw new HallError("usage", `'${given}' matches ${fitting.length} statements.`, {
      hint: "Pass more of the id, or the project with -p.",
    });
  if (fitting[0] !== undefined) return fitting[0];
  throw new HallError("statement_not_found", `No statement id ends with '${given}'.`);
}
