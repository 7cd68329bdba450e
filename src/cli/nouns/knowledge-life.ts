import type { Statement } from "../../contract/documents/knowledge.ts";
import { command } from "../command.ts";
import { ifMatch } from "../shared-options.ts";
import { chosenStatements, findStatement, hall, seen, statement } from "../statements.ts";
import { emptyKnowledge, usesText } from "../text/knowledge-text.ts";
import { oneLine } from "../text/plain-text.ts";

/** What becomes of statements after they were written. */
export const commands = {
  "knowledge accept": command(
    {
      summary: "Confirm what agents concluded, so that agents rely on it",
      detail:
        "Agents' own conclusions are pending until then: prompts show them as not confirmed, and no question is answered from them. Remove those that are wrong with 'knowledge remove'. Accepting a superseded statement restores it.",
      args: { statements: { kind: "maybe-rest", help: "Statement ids, or their last characters" } },
      options: { project: seen, hall, all: { kind: "flag", help: "All pending statements" } },
      examples: ["knowledge accept 3f2a9b", "knowledge accept --all -p shop"],
    },
    async ({ statements: given, all, ...place }, context) => {
      const { call, output } = context;
      const accepted: Statement[] = [];
      for (const { id, projectId } of await chosenStatements(given, { ...place, all }, context)) {
        const answer = await call("acceptKnowledge", { params: { id }, query: { project: projectId }, body: {} });
        accepted.push(answer.statement);
      }
      output.answer({ success: true, statements: accepted }, () =>
        accepted.length === 0
          ? emptyKnowledge(output.calledAs, { isSearch: false, status: "pending" })
          : accepted.map(({ id, text }) => `Accepted ${id}: ${oneLine(text)}`).join("\n"),
      );
      return 0;
    },
  ),

  "knowledge supersede": command(
    {
      summary: "Mark a statement as superseded: it is kept, and agents no longer get it",
      args: { statement },
      options: {
        project: seen,
        hall,
        by: { kind: "text", value: "STATEMENT", help: "Id of the statement that replaces it, or its last characters" },
        ifMatch,
      },
      examples: ["knowledge supersede 3f2a9b --by 0c1d3f", "knowledge supersede 3f2a9b -p shop"],
    },
    async ({ statement: given, by: next, ifMatch, ...place }, context) => {
      const { call, output } = context;
      const { id, projectId } = await findStatement(given, place, context);
      const by = next === undefined ? undefined : (await findStatement(next, place, context)).id;
      const ask = { params: { id }, query: { project: projectId }, body: { by }, ifMatch };
      const answer = await call("supersedeKnowledge", ask);
      output.answer(answer, () => `Superseded: ${oneLine(answer.statement.text)}`);
      return 0;
    },
  ),

  "knowledge uses": command(
    {
      summary: "Show where a statement was used: runs that had it in their prompt, and answers that rest on it",
      args: { statement },
      options: { project: seen, hall },
      examples: ["knowledge uses 3f2a9b -p shop"],
    },
    async ({ statement: given, ...place }, context) => {
      const { call, output } = context;
      const { id, projectId } = await findStatement(given, { ...place, status: "all" }, context);
      const answer = await call("getKnowledgeUses", { params: { id }, query: { project: projectId } });
      output.answer(answer, () => usesText(answer, output));
      return 0;
    },
  ),
};
