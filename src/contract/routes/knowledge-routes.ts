import { z } from "zod";
import {
  KnowledgeQuery,
  Statement,
  StatementCreate,
  StatementId,
  StatementPromote,
  StatementText,
} from "../documents/knowledge.ts";
import { RunStatus } from "../runs/run.ts";
import { Timestamp } from "../words/text.ts";
import { success } from "./route-parts.ts";

const params = z.strictObject({ id: z.string().max(100) });
const query = z.strictObject({ project: z.string().max(100).optional() });

export const knowledgeRoutes = {
  listKnowledge: {
    summary: "Statements of the workspace and of projects; with q, matches by relevance, then newest first.",
    group: "Documents",
    query: KnowledgeQuery,
    response: z.strictObject({ statements: z.array(Statement), total: z.int() }),
  },
  addKnowledge: {
    summary: "Add a statement to the workspace or a project. Duplicates are merged.",
    group: "Documents",
    body: StatementCreate,
    response: z.strictObject({
      ...success,
      statement: Statement,
      /** It was there already; it now has the newest date and all origins. */
      merged: z.boolean(),
    }),
    status: 201,
  },
  promoteKnowledge: {
    summary: "Copy a project's statement to the workspace, with its origin.",
    group: "Documents",
    body: StatementPromote,
    response: z.strictObject({ ...success, statement: Statement }),
  },
  acceptKnowledge: {
    summary: "Confirm an agent's statement, or restore a superseded one. Only with the person's token.",
    group: "Documents",
    params,
    query,
    body: z.strictObject({}),
    response: z.strictObject({ ...success, statement: Statement }),
  },
  supersedeKnowledge: {
    summary: "Mark a statement as superseded: it is kept, and agents no longer get it. Only with the person's token.",
    group: "Documents",
    params,
    query,
    body: z.strictObject({
      /** The statement that replaces it. */
      by: StatementId.optional(),
    }),
    response: z.strictObject({ ...success, statement: Statement }),
  },
  listContradictions: {
    summary: "Accepted decisions that answer the same question differently.",
    group: "Documents",
    query,
    response: z.strictObject({
      contradictions: z.array(z.strictObject({ question: z.string(), statements: z.array(Statement) })),
    }),
  },
  getKnowledgeUses: {
    summary: "Where a statement was used: in the prompts of the newest runs, and as a source of answers.",
    group: "Documents",
    params,
    query,
    response: z.strictObject({
      statement: Statement,
      runs: z.array(
        z.strictObject({
          id: z.string(),
          projectId: z.string(),
          taskId: z.string(),
          title: z.string(),
          status: RunStatus,
          createdAt: z.string(),
        }),
      ),
      escalations: z.array(
        z.strictObject({
          id: z.string(),
          projectId: z.string().optional(),
          question: z.string(),
          resolvedAt: Timestamp.nullable(),
        }),
      ),
      /** How many runs were looked at. */
      searchedRuns: z.int(),
    }),
  },
  updateKnowledge: {
    summary: "Reword a statement.",
    group: "Documents",
    params,
    query,
    body: z.strictObject({ text: StatementText }),
    response: z.strictObject({ ...success, statement: Statement }),
  },
  removeKnowledge: {
    summary: "Remove a statement from its file.",
    group: "Documents",
    params,
    query,
    response: z.strictObject(success),
  },
} as const;
