import { redactedEntry } from "../agent/redacted-entry.ts";
import { type Brief, Resident } from "../agent/resident.ts";
import { Session } from "../agent/session.ts";
import { defineTool, type Tool, type ToolOutcome, type ToolUse } from "../agent/tool.ts";
import { boardTools } from "../agent/tools/board-tools.ts";
import { projectKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { outgoingTools } from "../agent/tools/outgoing-tool.ts";
import { HallError } from "../contract/errors.ts";
import { SESSION } from "../contract/protocol.ts";
import type { SessionMessage } from "../contract/session.ts";
import type { Workshop } from "../runs/agent-run.ts";
import { askedKnowledge } from "../runs/knowledge-questions.ts";
import type { Conversation } from "../runs/model-proxy.ts";
import { parseFrontmatter } from "../store/frontmatter.ts";
import { Note, type ProjectBrief, Spawn } from "./hall-desk.ts";
import { PROJECT_MANNERS, promptOf } from "./resident-prompts.ts";

/** Tools over the working folder that change nothing; what changes files is a run's to do, with its worktree and review. */
const LOOKING = ["read", "list", "search"];

/** The agent that lives in a project's process. */
export function openProjectAgent(shop: Workshop): Resident {
  const { journals, models, slots, send, clock } = shop;
  const redactor = shop.redactor();
  let conversation: (Conversation & { history: number }) | undefined;
  let answering = "";
  return new Resident(Session.open(journals, { clock }), {
    who: "the project agent",
    clock,
    brief: async (message) => {
      answering = message.id;
      send({ type: "answering", messageId: answering, text: "thinking" });
      return briefFor(shop, message);
    },
    ask: ({ messages, tools, aside, history, ...rest }) => {
      const isSame = conversation?.history === history && conversation.system === rest.system;
      conversation = { runId: SESSION, epoch: 0, known: isSame ? (conversation?.known ?? 0) : 0, history, ...rest };
      return models.ask(conversation, { messages, tools, aside });
    },
    withToolSlot: async (work) => {
      const release = await slots.take(SESSION, new AbortController().signal);
      return work().finally(release);
    },
    redact: (entry) => redactedEntry(entry, redactor),
    onActivity: (text) => send({ type: "answering", messageId: answering, text: redactor.text(text.slice(0, 2_000)) }),
    onAnswered: async ({ id }, end) => send({ type: "answered", messageId: id, ...end }),
    // The daemon starts another process, which opens the session anew.
    onTrouble: (error) => {
      throw error;
    },
  });
}

async function briefFor(shop: Workshop, message: SessionMessage): Promise<Brief> {
  const never = new AbortController().signal;
  const reply = await shop.hall.ask({ what: "brief", messageId: message.id, input: {} }, never);
  if (!reply.ok) throw new HallError("internal", reply.message);
  const { settings, contextWindow, turns, ...told } = reply.value as ProjectBrief;
  const tools = toolsFor(shop, message);
  return { system: systemOf(shop, told), settings, contextWindow, turns, tools };
}

function systemOf(
  shop: Workshop,
  { name, board, knowledge, roles }: Pick<ProjectBrief, "name" | "board" | "knowledge" | "roles">,
): string {
  return promptOf([
    { heading: `Project ${name}`, text: PROJECT_MANNERS, tokens: 2_000 },
    { heading: "What the project is (PROJECT.md)", text: projectText(shop), tokens: 8_000 },
    {
      heading: "Working folder",
      text: `${shop.workdir}\nYour tools read, list and search see this folder.`,
      tokens: 500,
    },
    { heading: "Roles you can spawn", text: roles, tokens: 1_500 },
    { heading: "Knowledge", text: knowledge, tokens: 3_000 },
    { heading: "Board", text: board, tokens: 3_000 },
  ]);
}

/** Without its frontmatter; a file that cannot be read says so. */
function projectText({ journals }: Workshop): string {
  const text = journals.exists("PROJECT.md") ? journals.text("PROJECT.md") : "";
  const outcome = parseFrontmatter(text);
  return outcome.ok ? outcome.parsed.body : text;
}

function toolsFor(shop: Workshop, { id: messageId }: SessionMessage): Tool[] {
  const { fileTools, otherTools, hall } = shop;
  const ask = async (what: string, input: unknown, { callId, signal }: ToolUse): Promise<ToolOutcome> => {
    const reply = await hall.ask({ what, messageId, callId, input }, signal);
    return reply.ok ? { output: String(reply.value) } : { output: reply.message, failed: true };
  };
  const board = boardTools(
    {
      ask: async (what, input, use) => {
        const reply = await hall.ask({ what, messageId, callId: use.callId, input }, use.signal);
        if (!reply.ok) throw new HallError("invalid", reply.message, { hint: "" });
        return String(reply.value);
      },
    },
    { ofMany: false },
  );
  const spawn = defineTool({
    name: "spawn_subagent",
    description: "Have an agent with a role do one task of this project. You are told when it has ended.",
    input: Spawn,
    changes: true,
    repeatable: true,
    run: (input, use) => ask("spawn", input, use),
  });
  const notify = defineTool({
    name: "notify",
    description: "Tell the main agent something it should know now.",
    input: Note,
    changes: true,
    repeatable: true,
    run: (input, use) => ask("notify", input, use),
  });
  const knowledge = projectKnowledgeTools(
    askedKnowledge({ ask: (question, signal) => hall.ask({ ...question, messageId }, signal) }),
  );
  const looking = fileTools.filter(({ spec }) => LOOKING.includes(spec.name));
  const all = [...looking, ...otherTools, ...knowledge, ...board, spawn, notify];
  return outgoingTools(all, shop.redactor(), () => performance.now());
}
