import { z } from "zod";
import { defineTool, schemaOnce, type Tool, type ToolUse, toolOutcome } from "../../agent/tool.ts";
import { boardTools } from "../../agent/tools/board-tools.ts";
import { Spawn } from "../../agent/tools/project-questions.ts";
import { ChannelId, ChannelType } from "../../contract/documents/channel.ts";
import { Question } from "../../contract/documents/escalation.ts";
import { BRIEF_SECTIONS, PROJECT_STATUSES, ProjectCreate } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import { type Caller, readableBy } from "../../workspace/rights.ts";
import type { MainDesk } from "./main-desk.ts";

const Name = z.string().min(1).max(100).describe("Project id.");
const OneProject = z.strictObject({ name: Name });

const NewProject = z.strictObject({
  name: z.string().min(1).max(120),
  goal: z.string().min(1).max(10_000).describe("Purpose: its agent knows only what you write here."),
  background: z.string().max(20_000).optional(),
  constraints: z.string().max(10_000).optional(),
  model: z.string().max(200).optional().describe("'provider/model'; defaults to the default model."),
  workdir: z.string().max(1_000).optional().describe("Absolute path named in the person's message, for code or data."),
});

const ProjectText = z.strictObject({
  name: Name,
  section: z.enum(BRIEF_SECTIONS),
  text: z.string().max(10_000).describe("Replaces the section; one goal per line under Goals."),
});

/** About one project, or all of them. */
const MainQuestion = schemaOnce(() => Question.omit({ blocksTask: true }).extend({ project: Name.optional() }));

const Reply = z.strictObject({
  channelType: ChannelType,
  channelId: ChannelId.describe("Project id, or the id in the heading of the person's message."),
  text: z.string().min(1).max(50_000),
});

const MOVES = {
  suspend_project: { status: "suspended", description: "Suspend a project: its agent stops, nothing is lost." },
  resume_project: { status: "active", description: "Resume a suspended project, or reopen a completed one." },
  complete_project: { status: "completed", description: "Mark a project as completed." },
  archive_project: {
    status: "archived",
    description: "Archive a completed project. That is final; nothing is deleted.",
  },
} as const;

/** What the main agent answers, for whom, and who hears of a project that it made meanwhile. */
interface Turn {
  message: SessionMessage;
  caller: () => Caller;
  onMade: (projectId: string) => void;
}

/** What the main agent can do beside its memory, knowledge and skills, while it deals with one message. */
export function mainTools(desk: MainDesk, { message, caller, onMade }: Turn): Tool[] {
  const call = (use: ToolUse) => ({ message, callId: `${message.id}-${use.callId}`, caller: caller() });
  const create = async (given: z.infer<typeof NewProject>, use: ToolUse) => {
    const id = await desk.createProject(projectOf(given), call(use));
    onMade(id);
    return `Project '${id}' is active. Message its agent with reply(channelType "project", channelId "${id}").`;
  };
  return [
    defineTool({
      name: "create_project",
      description: "Create a project. Its agent starts with only what you write here.",
      input: NewProject,
      changes: true,
      repeatable: true,
      run: (given, use) => toolOutcome(() => create(given, use)),
    }),
    defineTool({
      name: "list_projects",
      description: "List projects with their status and task counts.",
      input: z.strictObject({
        status: z.enum(PROJECT_STATUSES).optional(),
        query: z.string().min(1).max(200).optional().describe("Part of its name or description."),
      }),
      changes: false,
      run: ({ status, query }) => toolOutcome(async () => desk.listProjects(status, query, listedBy(caller()))),
    }),
    defineTool({
      name: "needs_attention",
      description:
        "What needs the person now, as the dashboard's Now page shows it: failed and blocked tasks, results in review, waiting runs, problems; and what is running. Use it for questions such as 'what needs me?' and 'what is running?'.",
      input: z.strictObject({}),
      changes: false,
      run: () => toolOutcome(() => desk.needsAttention(readableBy(caller()))),
    }),
    defineTool({
      name: "project_status",
      description: "Status of a project: board, runs, cost and latest messages.",
      input: OneProject,
      changes: false,
      run: ({ name }) => toolOutcome(async () => desk.projectStatus(name)),
    }),
    defineTool({
      name: "edit_project",
      description:
        "Replace a section of a project's PROJECT.md, which its agents read. Read the file first; the person sees what changed.",
      input: ProjectText,
      changes: true,
      run: ({ name, ...edit }) => toolOutcome(() => desk.describeProject(name, edit)),
    }),
    ...Object.entries(MOVES).map(([name, { status, description }]) =>
      defineTool({
        name,
        description,
        input: OneProject,
        changes: true,
        run: ({ name: project }) => toolOutcome(() => desk.moveProject(project, status)),
      }),
    ),
    defineTool({
      name: "reply",
      description:
        "Send a message: to the person (cli, http, telegram) or to a project's agent (channelType project), whose answer arrives later as a message.",
      input: Reply,
      changes: true,
      repeatable: true,
      run: ({ channelType, channelId, text }, use) =>
        toolOutcome(() => desk.reply({ type: channelType, id: channelId }, text, call(use))),
    }),
    defineTool({
      name: "spawn_subagent",
      description: "Start an agent with a role on one task in a project. You get a message when it ends.",
      input: Spawn.extend({ project: Name }),
      changes: true,
      repeatable: true,
      run: (given, use) => toolOutcome(() => desk.spawn(given, call(use))),
    }),
    defineTool({
      name: "escalate",
      description: `Record a question or decision that only the person can settle. The answer arrives as a message.\n${desk.tiers()}`,
      input: MainQuestion(),
      changes: true,
      repeatable: true,
      run: (given, use) => toolOutcome(() => desk.escalate(given, call(use))),
    }),
    ...boardTools({ ask: (what, input, use) => desk.board(what, input, call(use)) }, { ofMany: true }),
  ];
}

/** The person is told of all. */
export function listedBy(caller: Caller): ReadonlySet<string> | undefined {
  return caller.kind === "mainForPerson" ? undefined : readableBy(caller);
}

function projectOf({ goal, ...given }: z.infer<typeof NewProject>): ProjectCreate {
  const body = ProjectCreate.safeParse({ ...given, description: goal, goals: [firstLine(goal)] });
  if (body.success) return body.data;
  throw new HallError(
    "invalid",
    body.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
  );
}

/** As a goal stands in a list: one line, whatever the model wrote. */
function firstLine(text: string): string {
  const line = text.split("\n").find((part) => part.trim() !== "") ?? "";
  return line
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ")
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}
