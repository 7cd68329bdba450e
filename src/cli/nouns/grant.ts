import type { GrantUse, ShownGrant } from "../../contract/routes/people/grant-routes.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { chosenProject } from "../context.ts";
import { project } from "../shared-options.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { fieldLines, localTime } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const grant = { kind: "one", help: "Grant id, such as grant-001" } as const satisfies ArgumentSpec;

export const commands = {
  "grant list": command(
    {
      summary: "List the permissions given to agents",
      detail:
        "Permissions come from the answers to permission requests. A role asks before the tools in its 'ask' list.",
      options: {
        project: { ...project, help: "Permissions in this project (default: $GUILDHALL_PROJECT or all)" },
        all: { kind: "flag", help: "Include used, expired and revoked permissions" },
      },
      examples: ["grant list", "grant list -p shop --all --json"],
    },
    async ({ project, all }, context) => {
      const { call, output } = context;
      const query = { project: chosenProject(project, context), ...(all ? { all } : {}) };
      const answer = await call("listGrants", { query });
      output.answer(answer, () =>
        answer.grants.length === 0
          ? `No ${all ? "" : "open "}permissions.`
          : textTable(grantColumns, answer.grants, output),
      );
      return 0;
    },
  ),

  "grant show": command(
    {
      summary: "Show a permission and the calls it allowed",
      args: { grant },
      examples: ["grant show grant-001", "grant show grant-001 --json"],
    },
    async ({ grant: id }, { call, output }) => {
      const answer = await call("getGrant", { params: { id } });
      const { grant: found, uses } = answer;
      output.answer(answer, () =>
        [
          output.paint("bold", shownRule(found)),
          ...fieldLines(
            [
              ["id", found.id],
              ["state", found.state],
              ["scope", found.scope],
              ["project", found.projectId],
              ["role", found.roleId],
              ["run", found.runId],
              ["answer to", found.from],
              ["given", localTime(found.createdAt)],
              ["expires", found.expiresAt && localTime(found.expiresAt)],
              ["calls", found.uses],
            ],
            output.paint,
          ),
          ...(uses.length === 0 ? [] : ["", textTable(useColumns, uses, output)]),
        ].join("\n"),
      );
      return 0;
    },
  ),

  "grant revoke": command(
    {
      summary: "Revoke a permission",
      detail: "The next call that it would have allowed asks again. A call that is already running is not stopped.",
      args: { grant },
      examples: ["grant revoke grant-001"],
    },
    async ({ grant: id }, { call, output }) => {
      const answer = await call("revokeGrant", { params: { id } });
      output.answer(answer, () => `Revoked: ${id} (${shownRule(answer.grant)}).`);
      return 0;
    },
  ),
};

function shownRule({ text }: ShownGrant): string {
  return oneLine(everySign(text));
}

const grantColumns: Column<ShownGrant>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "STATE", text: ({ state }) => state },
  {
    title: "SCOPE",
    text: ({ scope, expiresAt }) => (expiresAt === undefined ? scope : `until ${localTime(expiresAt)}`),
  },
  { title: "PROJECT", text: ({ projectId }) => projectId, spare: 2 },
  { title: "ROLE", text: ({ roleId }) => roleId, spare: 1 },
  { title: "CALLS", text: ({ uses }) => String(uses) },
  { title: "ALLOWS", text: shownRule, flexible: true },
];

const useColumns: Column<GrantUse>[] = [
  { title: "AT", text: ({ at }) => localTime(at) },
  { title: "RUN", text: ({ runId }) => runId, spare: 2 },
  { title: "TASK", text: ({ taskId }) => taskId, spare: 1 },
  { title: "TOOL", text: ({ tool }) => tool },
  { title: "CALL", text: ({ subject }) => oneLine(everySign(subject)), flexible: true },
];
