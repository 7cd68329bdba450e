import { basename, dirname } from "node:path";
import { memoryIndex } from "../agent/memory-index.ts";
import { redactedEntry } from "../agent/redacted-entry.ts";
import { Resident } from "../agent/resident.ts";
import type { Brief } from "../agent/resident-ports.ts";
import {
  LEAD_MANNERS,
  NO_SCRIPTS,
  PROJECT_MANNERS,
  promptOf,
  SKILL_TOKENS,
  skillsFor,
} from "../agent/resident-prompts.ts";
import { Session } from "../agent/session.ts";
import { availableSkills, SkillShelf, type SkillsWhere } from "../agent/skills/skill-shelf.ts";
import { useSkillTool } from "../agent/skills/use-skill-tool.ts";
import { defineTool, type Tool, type ToolUse, toolOutcome } from "../agent/tool.ts";
import { boardTools } from "../agent/tools/board-tools.ts";
import { escalateTool } from "../agent/tools/escalate-tool.ts";
import { projectKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { leadTools } from "../agent/tools/lead-tools.ts";
import { outgoingTools } from "../agent/tools/outgoing-tool.ts";
import { planTools } from "../agent/tools/plan-tools.ts";
import { IDLE_QUESTION, Note, type ProjectBrief, Spawn } from "../agent/tools/project-questions.ts";
import { sessionArchiveTool } from "../agent/tools/session-archive-tool.ts";
import { HallError } from "../contract/errors.ts";
import { endedRun } from "../contract/runs/end-message.ts";
import { Remark, withConsent } from "../contract/runs/guarding.ts";
import type { SessionMessage } from "../contract/runs/session.ts";
import { shownActivity } from "../contract/words/activity-words.ts";
import { parseFrontmatter } from "../store/markup/frontmatter.ts";
import { withoutPlaceholders } from "../workspace/projects/placeholders.ts";
import { askedKnowledge } from "./asked-knowledge.ts";
import { hallGuard } from "./hall-guard.ts";
import type { Conversation } from "./model-proxy.ts";
import type { Workshop } from "./workshop.ts";

/** Tools over the working folder that change nothing; what changes files is a run's to do, with its worktree and review. */
const MEMORY_TOKENS = 1_500;
const LOOKING = ["read", "list", "search"];

/** The agent that lives in a project's process, under the id of the order that opened it. */
export function openProjectAgent(shop: Workshop, orderId: string): Resident {
  const { journals, models, slots, send } = shop;
  const { clock } = shop.time;
  let redactor = shop.redactor();
  let conversation: (Conversation & { history: number }) | undefined;
  let answering = "";
  return new Resident(Session.open(journals, { clock }), {
    who: "the project agent",
    clock,
    brief: async (message) => {
      answering = message.id;
      // Env files change by hand, and this agent lives on.
      redactor = shop.redactor();
      send({ type: "answering", orderId, messageId: answering, activity: { kind: "thinking" } });
      return briefFor(shop, { orderId, message });
    },
    ask: ({ messages, tools, aside, history, ...rest }) => {
      const isSame = conversation?.history === history && conversation.system === rest.system;
      conversation = { orderId, known: isSame ? (conversation?.known ?? 0) : 0, history, ...rest };
      return models.ask(conversation, { messages, tools, aside });
    },
    withToolSlot: async (work) => {
      const release = await slots.take(orderId, new AbortController().signal);
      return work().finally(release);
    },
    redact: (entry) => redactedEntry(entry, redactor),
    guardOf: ({ id: messageId, ask }) => {
      const signal = new AbortController().signal;
      const guards = () => withConsent(shop.agentGuards.now, ask);
      return hallGuard({ orderId, messageId, hall: shop.hall, guards, signal });
    },
    onActivity: (doing) => {
      const activity = shownActivity(doing, (text) => redactor.text(text));
      send({ type: "answering", orderId, messageId: answering, activity });
    },
    bringsResult: ({ id, from }) => from === "hall" && endedRun(id) !== undefined,
    onEnding: async ({ message, ...turn }) => {
      const never = new AbortController().signal;
      const reply = await shop.hall.ask({ what: IDLE_QUESTION, ...askingOf({ orderId, message }), input: turn }, never);
      return reply.ok ? Remark.parse(reply.value ?? {}) : {};
    },
    onAnswered: async ({ id }, end) => send({ type: "answered", orderId, messageId: id, ...end }),
    // The daemon starts another process, which opens the session anew.
    onTrouble: (error) => {
      throw error;
    },
  });
}

/** A message that the agent answers. */
interface Turn {
  orderId: string;
  message: SessionMessage;
}

async function briefFor(shop: Workshop, turn: Turn): Promise<Brief> {
  const never = new AbortController().signal;
  const reply = await shop.hall.ask({ what: "brief", ...askingOf(turn), input: {} }, never);
  if (!reply.ok) throw new HallError("internal", reply.message);
  const { settings, contextWindow, turns, guards, ...told } = reply.value as ProjectBrief;
  shop.agentGuards.now = guards;
  const tools = toolsFor(shop, turn, told);
  return { system: systemOf(shop, { ...told, contextWindow }), settings, contextWindow, turns, tools };
}

type Told = Pick<ProjectBrief, "name" | "board" | "knowledge" | "roles" | "context" | "contextWindow" | "lead">;

function systemOf(shop: Workshop, { name, board, knowledge, roles, context, contextWindow, lead }: Told): string {
  return promptOf([
    { heading: `Project ${name}`, text: PROJECT_MANNERS, tokens: 2_000 },
    { heading: "You lead an initiative", text: lead === undefined ? "" : LEAD_MANNERS, tokens: 2_000 },
    { heading: "About the project (PROJECT.md)", text: projectText(shop), tokens: 8_000 },
    {
      heading: "Working folder",
      text: `${shop.folder.path}\nread, list and search work in this folder.`,
      tokens: 500,
    },
    { heading: "Your team: roles you can spawn", text: roles, tokens: 1_500 },
    { heading: "Knowledge", text: knowledge, tokens: 3_000 },
    { heading: "Your memory (memory/)", text: memoryIndex(shop.journals, MEMORY_TOKENS), tokens: 2 * MEMORY_TOKENS },
    { heading: "Skills", text: skillsFor(skillsAt(shop), contextWindow), tokens: SKILL_TOKENS },
    { heading: "Context from hooks", text: context, tokens: 3_000 },
    { heading: "Board", text: board, tokens: 3_000 },
    { heading: "Your initiative, as it is now", text: lead ?? "", tokens: 8_000 },
  ]);
}

/** The workspace lies above the project's own folder. */
function skillsAt({ journals, checkout }: Workshop): SkillsWhere {
  const workspace = dirname(dirname(journals.root));
  return { workspace, projectId: basename(journals.root), workdir: checkout };
}

/** Without its frontmatter; a file that cannot be read says so. */
function projectText({ journals }: Workshop): string {
  const text = journals.exists("PROJECT.md") ? journals.text("PROJECT.md") : "";
  const outcome = parseFrontmatter(text);
  return withoutPlaceholders(outcome.ok ? outcome.parsed.body : text);
}

function askingOf({ orderId, message }: Turn) {
  return { orderId, messageId: message.id };
}

function toolsFor(shop: Workshop, turn: Turn, { tiers, lead }: Pick<ProjectBrief, "tiers" | "lead">): Tool[] {
  const { folder, otherTools, hall } = shop;
  const desk = {
    /** What the daemon refuses comes with what to do about it. */
    ask: async (what: string, input: unknown, { callId, signal }: ToolUse) => {
      const reply = await hall.ask({ what, ...askingOf(turn), callId, input }, signal);
      if (!reply.ok) throw new HallError("invalid", reply.message, { hint: "" });
      return String(reply.value);
    },
  };
  const spawn = defineTool({
    name: "spawn_subagent",
    description: "Start a sub-agent with a role on one task of this project. You get a message when it ends.",
    input: Spawn,
    changes: true,
    repeatable: true,
    run: (input, use) => toolOutcome(() => desk.ask("spawn", input, use)),
  });
  const notify = defineTool({
    name: "notify",
    description: "Send the main agent a message.",
    input: Note,
    changes: true,
    repeatable: true,
    run: (input, use) => toolOutcome(() => desk.ask("notify", input, use)),
  });
  const knowledge = projectKnowledgeTools(
    askedKnowledge({ ask: (question, signal) => hall.ask({ ...question, ...askingOf(turn) }, signal) }),
  );
  const where = skillsAt(shop);
  const skill = useSkillTool({ shelf: new SkillShelf(where), nextMark: shop.nextMark, scriptsIn: () => NO_SCRIPTS });
  const skills = availableSkills(where).length === 0 ? [] : [skill];
  const looking = folder.tools.filter(({ spec }) => LOOKING.includes(spec.name));
  const all = [
    ...looking,
    ...otherTools,
    ...knowledge,
    ...boardTools(desk, { ofMany: false }),
    ...planTools(desk),
    ...(lead === undefined ? [] : leadTools(desk)),
    ...skills,
    spawn,
    notify,
    escalateTool(tiers, (question, use) => toolOutcome(() => desk.ask("escalate", question, use))),
    sessionArchiveTool(shop.journals),
  ];
  return outgoingTools(all, shop.redactor(), () => performance.now());
}
