import { z } from "zod";
import {
  HALL_TOPICS,
  PROJECT_TOPICS,
  type Statement,
  StatementId,
  StatementText,
  Topic,
} from "../../contract/documents/knowledge.ts";
import { defineTool, schemaOnce, type Tool } from "../tool.ts";

const HITS = 10;

export interface NewStatement {
  text: string;
  topic: Topic;
  /** Only where the port is the hall's: else it is always the asking agent's own project. */
  project?: string | undefined;
}

export interface KnowledgeSearch {
  query: string;
  topic?: Topic | undefined;
  project?: string | undefined;
  limit: number;
}

export interface Promotion {
  project: string;
  id: string;
  topic?: (typeof HALL_TOPICS)[number] | undefined;
}

/** What an agent may ask of the knowledge. A text says why not. */
export interface KnowledgePort {
  /** Asking twice with one call id adds once. */
  add(
    callId: string,
    statement: NewStatement,
    signal: AbortSignal,
  ): Promise<{ statement: Statement; merged: boolean } | string>;
  search(query: KnowledgeSearch, signal: AbortSignal): Promise<{ statements: Statement[]; total: number } | string>;
  /** Only the main agent's has it: nobody else writes what holds for all. */
  promote?(callId: string, promotion: Promotion, signal: AbortSignal): Promise<Statement | string>;
}

const NewOfProject = schemaOnce(() =>
  z.strictObject({ text: StatementText, topic: z.enum(PROJECT_TOPICS).default("conventions") }),
);
const SearchOfProject = schemaOnce(() => z.strictObject({ query: QUERY, topic: Topic.optional(), limit: LIMIT }));

/** Over a project's own knowledge, with the hall's to read. */
export function projectKnowledgeTools(port: KnowledgePort): Tool[] {
  return [
    addTool(port, {
      description:
        "Save a lasting convention, decision or pattern of this project. One sentence. Duplicates are merged.",
      input: NewOfProject(),
    }),
    searchTool(port, {
      description:
        "Search knowledge of this project and of the workspace: conventions, preferences, decisions, patterns.",
      input: SearchOfProject(),
    }),
  ];
}

/** Over the hall's knowledge and that of every project. */
export function hallKnowledgeTools(port: KnowledgePort & Required<Pick<KnowledgePort, "promote">>): Tool[] {
  const project = z.string().max(100).optional();
  return [
    addTool(port, {
      description:
        "Save a lasting statement for the workspace or for one project. One sentence. Duplicates are merged.",
      input: z.strictObject({
        text: StatementText,
        topic: Topic.default("conventions").describe("preferences: workspace only; patterns: project only."),
        project: project.describe("Project id; without one, it applies to all projects."),
      }),
    }),
    searchTool(port, {
      description: "Search the knowledge of the workspace and of all projects.",
      input: z.strictObject({
        query: QUERY,
        topic: Topic.optional(),
        project: project.describe("Only this project and the workspace."),
        limit: LIMIT,
      }),
    }),
    promoteTool(port),
  ];
}

const QUERY = z.string().trim().min(1).max(500);
const LIMIT = z.int().min(1).max(50).default(HITS).describe("Maximum number of results.");

type Given<Value> = { description: string; input: z.ZodType<Value> };

function addTool(port: KnowledgePort, { description, input }: Given<NewStatement>): Tool {
  return defineTool({
    name: "knowledge_add",
    description,
    input,
    changes: true,
    repeatable: true,
    run: async (statement, { callId, signal }) => {
      const added = await port.add(callId, statement, signal);
      if (typeof added === "string") return { output: `Not added: ${added}`, failed: true };
      const { id, file, status } = added.statement;
      const done = added.merged ? `Already saved (${id}, ${file}).` : `Added ${id} to ${file}.`;
      return { output: status === "pending" ? `${done} Not confirmed until a person accepts it.` : done };
    },
  });
}

function searchTool(port: KnowledgePort, { description, input }: Given<KnowledgeSearch>): Tool {
  return defineTool({
    name: "knowledge_search",
    description,
    input,
    changes: false,
    repeatable: true,
    run: async (query, { signal }) => {
      const found = await port.search(query, signal);
      if (typeof found === "string") return { output: `Not searched: ${found}`, failed: true };
      const { statements, total } = found;
      if (statements.length === 0) return { output: "No results." };
      const more = total > statements.length ? [`(${total - statements.length} more match)`] : [];
      return { output: [...statements.map(statementLine), ...more].join("\n") };
    },
  });
}

function promoteTool(port: Required<Pick<KnowledgePort, "promote">>): Tool {
  return defineTool({
    name: "knowledge_promote",
    description: "Copy a project's statement to the workspace, for all projects.",
    input: z.strictObject({
      project: z.string().max(100),
      id: StatementId,
      topic: z.enum(HALL_TOPICS).optional().describe("Defaults to its own, or conventions."),
    }),
    changes: true,
    repeatable: true,
    run: async (promotion, { callId, signal }) => {
      const promoted = await port.promote(callId, promotion, signal);
      if (typeof promoted === "string") return { output: `Not promoted: ${promoted}`, failed: true };
      return { output: `${promoted.id} is now in ${promoted.file} and applies to all projects.` };
    },
  });
}

function statementLine({ id, projectId, text, date, origins, status }: Statement): string {
  const whose = projectId === undefined ? "all projects" : projectId;
  const mark = status === "pending" ? "not confirmed" : "";
  const about = [whose, date, ...origins, mark].filter(Boolean).join(", ");
  return `${id}: ${text} (${about})`;
}
