import { z } from "zod";
import { DeliveryState } from "../../runs/delivery.ts";
import { RUN_STATUSES } from "../../runs/run-status.ts";
import { BRIEFING_SECTIONS, RISK_KINDS } from "../../words/autonomy/briefing-words.ts";
import { GATE_VERDICTS } from "../../words/gate-words.ts";
import { TEAM_STATUSES } from "../../words/teams/team-words.ts";
import { Timestamp } from "../../words/text.ts";
import { ESCALATION_TYPES } from "../escalation-status.ts";

/** Everything in a briefing names the record that it comes from: `id`, and the page that shows it. */
const record = {
  id: z.string(),
  projectId: z.string().optional(),
  /** The page of the dashboard. */
  link: z.string(),
};

const money = { costUsd: z.number(), costKnown: z.boolean() };

/** A run that ended, as it ended. */
const BriefRun = z.strictObject({
  ...record,
  taskId: z.string().optional(),
  roleId: z.string().optional(),
  teamId: z.string().optional(),
  title: z.string(),
  status: z.enum(RUN_STATUSES),
  endedAt: Timestamp,
  costUsd: z.number(),
  /** Why it did not complete. */
  reason: z.string().optional(),
  delivery: DeliveryState.optional(),
});

const BriefTask = z.strictObject({ ...record, title: z.string(), doneAt: Timestamp });

const BriefTeam = z.strictObject({ ...record, name: z.string(), status: z.enum(TEAM_STATUSES), endedAt: Timestamp });

/** A result that reached its target. `commit` is absent where the folder has no git repository. */
const BriefMerge = z.strictObject({
  ...record,
  taskId: z.string().optional(),
  title: z.string(),
  target: z.string().optional(),
  commit: z.string().optional(),
  files: z.int().optional(),
  /** `person`, or `hall` where the project merges automatically. */
  by: z.enum(["person", "hall"]),
  at: Timestamp,
});

const BriefGate = z.strictObject({
  ...record,
  title: z.string(),
  verdict: z.enum(GATE_VERDICTS),
  score: z.number().nullable(),
  at: Timestamp,
});

const BriefLesson = z.strictObject({ ...record, text: z.string() });

/** What needs a decision. It is answered like any escalation, by its id. */
export const BriefItem = z.strictObject({
  ...record,
  type: z.enum(ESCALATION_TYPES),
  initiative: z.string().optional(),
  /** `[shop / checkout]`. */
  tag: z.string(),
  question: z.string(),
  /** The first of the suggested answers. */
  suggested: z.strictObject({ label: z.string(), reason: z.string() }).optional(),
  answers: z.array(z.string()),
  /** What can't continue without the answer. */
  blocks: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("task"), taskId: z.string(), title: z.string() }),
      z.strictObject({ kind: z.literal("initiative") }),
    ])
    .optional(),
  /** The page with the plan, the result or the file that is to be approved. */
  details: z.string().optional(),
  askedAt: Timestamp,
});
export type BriefItem = z.infer<typeof BriefItem>;

/** `count` is of all; `items` are the most urgent. */
const section = z.strictObject({ count: z.int(), items: z.array(BriefItem) });

const BriefRisk = z.strictObject({ ...record, kind: z.enum(RISK_KINDS), text: z.string() });
export type BriefRisk = z.infer<typeof BriefRisk>;

const open = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ count: z.int(), items: z.array(z.strictObject({ ...record, ...shape })) });

/** One day in facts. Every one of them comes from a record of the workspace. */
export const Briefing = z.strictObject({
  day: z.iso.date(),
  timezone: z.string(),
  /** The period that it covers. */
  from: Timestamp,
  until: Timestamp,
  /** Whether anything happened or is open. */
  isEmpty: z.boolean(),
  /** A model's sentences. They cite ids of this briefing only. */
  summary: z.string().optional(),
  done: z.strictObject({
    counts: z.strictObject({
      completed: z.int(),
      failed: z.int(),
      stopped: z.int(),
      tasks: z.int(),
      merges: z.int(),
      gatesPassed: z.int(),
      gatesFailed: z.int(),
      asked: z.int(),
      answered: z.int(),
    }),
    runs: z.array(BriefRun),
    tasks: z.array(BriefTask),
    teams: z.array(BriefTeam),
    merges: z.array(BriefMerge),
    gates: z.array(BriefGate),
  }),
  learned: z.array(BriefLesson),
  spent: z.strictObject({
    ...money,
    calls: z.int(),
    tokens: z.int(),
    byProject: z.array(z.strictObject({ projectId: z.string(), ...money })),
  }),
  risks: z.array(BriefRisk),
  needs: z.strictObject(
    Object.fromEntries(BRIEFING_SECTIONS.map((name) => [name, section])) as Record<
      (typeof BRIEFING_SECTIONS)[number],
      typeof section
    >,
  ),
  stillTrue: z.strictObject({
    grants: open({ text: z.string(), scope: z.string(), expiresAt: Timestamp.optional() }),
    running: open({ title: z.string(), since: Timestamp, waitingFor: z.string().optional() }),
    branches: open({ title: z.string(), branch: z.string(), state: DeliveryState }),
    skipped: open({ text: z.string(), at: Timestamp }),
  }),
});
export type Briefing = z.infer<typeof Briefing>;
