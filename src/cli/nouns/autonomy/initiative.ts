import type { Lead } from "../../../contract/documents/autonomy/lead.ts";
import type { Initiative, InitiativeDetail } from "../../../contract/routes/autonomy/initiative-routes.ts";
import { reportText } from "../../../contract/words/autonomy/lead-text.ts";
import { isLeading, LEAD_STATUS_WORDS } from "../../../contract/words/autonomy/lead-words.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import { type Context, requiredProject } from "../../context.ts";
import { project } from "../../shared-options.ts";
import { everySign, oneLine } from "../../text/plain-text.ts";
import { fieldLines, proseLines } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const slug = { kind: "one", help: "Initiative, as shown by 'initiative list'" } as const satisfies ArgumentSpec;
const title = { kind: "one", help: "Title" } as const satisfies ArgumentSpec;

export const commands = {
  "initiative list": command(
    {
      summary: "List the initiatives of a project",
      options: { project },
      examples: ["initiative list -p shop"],
    },
    async ({ project: asked }, context) => {
      const { call, output } = context;
      const answer = await call("listInitiatives", { params: { id: requiredProject(asked, context) } });
      output.answer(answer, () =>
        answer.initiatives.length === 0
          ? `No initiatives. Add one with '${output.calledAs} initiative add TITLE'.`
          : textTable(columns, answer.initiatives, output),
      );
      return 0;
    },
  ),

  "initiative show": command(
    {
      summary: "Show an initiative: goals, state, what is ready, and its lead",
      args: { slug },
      options: { project },
      examples: ["initiative show checkout -p shop"],
    },
    async ({ slug: named, project: asked }, context) => {
      const { call, output } = context;
      const id = requiredProject(asked, context);
      const { initiative } = await call("getInitiative", { params: { id, slug: named } });
      const { leads } = await call("listLeads", { query: { project: id, initiative: named, limit: 5 } });
      output.answer({ initiative, leads }, () => shown(initiative, leads, output));
      return 0;
    },
  ),

  "initiative add": command(
    {
      summary: "Create an initiative: a plan, and the tasks that name it",
      args: { title },
      options: {
        project,
        goal: { kind: "many", value: "TEXT", help: "A goal; repeat for more" },
        slug: { kind: "text", value: "NAME", help: "Name of its folder (default: from the title)" },
      },
      examples: ["initiative add 'New checkout' -p shop --goal 'Guests can pay without an account'"],
    },
    async ({ title: named, goal = [], slug: folder, project: asked }, context) => {
      const { call, output } = context;
      const id = requiredProject(asked, context);
      const answer = await call("createInitiative", {
        params: { id },
        body: { title: named, goals: goal, slug: folder },
      });
      output.answer(answer, () => `Created: ${answer.initiative.slug}. Its plan is ${answer.initiative.path}.`);
      return 0;
    },
  ),

  "initiative briefing": command(
    {
      summary: "Show the briefing that a lead would get now",
      args: { slug },
      options: { project },
      examples: ["initiative briefing checkout -p shop"],
    },
    async ({ slug: named, project: asked }, context) => {
      const { call, output } = context;
      const params = { id: requiredProject(asked, context), slug: named };
      const answer = await call("getLeadBriefing", { params });
      output.answer(answer, () => everySign(answer.briefing.text));
      return 0;
    },
  ),

  "initiative start": command(
    {
      summary: "Have the project's agent work on an initiative",
      detail: "It starts from a briefing, takes ready tasks by priority, and reports when nothing is ready.",
      args: { slug },
      options: { project, why: { kind: "text", value: "TEXT", help: "Why it is started, for the record" } },
      examples: ["initiative start checkout -p shop"],
    },
    async ({ slug: named, why, project: asked }, context) => {
      const { call, output } = context;
      const params = { id: requiredProject(asked, context), slug: named };
      const answer = await call("startLead", { params, body: { why } });
      output.answer(answer, () => `Started: ${answer.lead.id}.\n\n${everySign(answer.lead.briefing.text)}`);
      return 0;
    },
  ),

  "initiative stop": command(
    {
      summary: "Stop the lead of an initiative and its runs; its teams are paused",
      args: { slug },
      options: { project },
      examples: ["initiative stop checkout -p shop"],
    },
    async ({ slug: named, project: asked }, context) => {
      const { call, output } = context;
      const params = { id: requiredProject(asked, context), slug: named };
      const answer = await call("stopLead", { params });
      output.answer(answer, () => `Stopped: ${answer.lead.id}.`);
      return 0;
    },
  ),

  "initiative complete": moving("complete", "Mark an initiative as complete; stops its lead"),
  "initiative pause": moving("paused", "Pause an initiative; stops its lead"),
  "initiative resume": moving("active", "Make an initiative active again"),
};

function moving(status: "complete" | "paused" | "active", summary: string) {
  const verb = { complete: "complete", paused: "pause", active: "resume" }[status];
  return command(
    { summary, args: { slug }, options: { project }, examples: [`initiative ${verb} checkout -p shop`] },
    async ({ slug: named, project: asked }, context) => {
      const { call, output } = context;
      const params = { id: requiredProject(asked, context), slug: named };
      const answer = await call("updateInitiative", { params, body: { status } });
      output.answer(answer, () => `${answer.initiative.slug} is ${answer.initiative.status}.`);
      return 0;
    },
  );
}

const columns: Column<Initiative>[] = [
  { title: "INITIATIVE", text: ({ slug: named }) => named },
  { title: "STATUS", text: ({ status }) => status },
  { title: "DONE", text: ({ tasks }) => `${tasks.done} of ${tasks.total}` },
  { title: "TITLE", text: ({ title: named }) => oneLine(named), flexible: true },
];

function shown(initiative: InitiativeDetail, leads: readonly Lead[], output: Context["output"]): string {
  const { title: named, status, tasks, goals, state, next, ready, path } = initiative;
  return [
    output.paint("bold", oneLine(named)),
    ...fieldLines(
      [
        ["status", status],
        ["tasks", `${tasks.done} of ${tasks.total} done`],
        ["ready", ready.map(({ id }) => id).join(", ")],
        ["lead", leadLine(leads[0])],
        ["plan", path],
      ],
      output.paint,
    ),
    ...proseLines("goals", goals.map((goal) => `- ${goal}`).join("\n"), output),
    ...proseLines("state", everySign(state), output),
    ...proseLines("next", everySign(next), output),
    ...proseLines("last report", everySign(lastReport(leads)), output),
  ].join("\n");
}

function leadLine(lead: Lead | undefined): string {
  if (lead === undefined) return "none";
  const { status, error, id } = lead;
  const why = error === undefined ? "" : `: ${everySign(error)}`;
  return `${LEAD_STATUS_WORDS[status]}${isLeading(status) ? ` (${id})` : ""}${why}`;
}

function lastReport(leads: readonly Lead[]): string {
  const lead = leads.find(({ report }) => report !== undefined);
  return lead?.report === undefined ? "" : reportText(lead, lead.report);
}
