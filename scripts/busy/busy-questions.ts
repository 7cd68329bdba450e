import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface BusyQuestion {
  type: "decision" | "blocker" | "question" | "approval";
  projectId?: string;
  question: string;
  context?: string;
  answers?: readonly (readonly [label: string, description: string])[];
  priority?: "low" | "medium" | "high" | "urgent";
  blocksTask?: string;
  minutesAgo: number;
  /** Pending unless given. */
  status?: "draft" | "resolved";
  snoozedMinutes?: number;
  answer?: string;
  more?: object;
}

const QUESTIONS: readonly BusyQuestion[] = [
  {
    type: "decision",
    projectId: "web-shop",
    question: "Which provider should the new checkout use for card payments?",
    context:
      "Both have an SDK for our stack, and TASK-007 can't continue without a choice.\n\n| | Stripe | Adyen |\n|---|---|---|\n| Fee | 1.4 % + €0.25 | 1.1 % + €0.10 |\n| Countries | 46 | 37 |\n| Integration | 2 days | about a week |",
    answers: [
      ["Stripe", "Quicker to integrate, and the refund tool already uses it."],
      ["Adyen", "Cheaper above 50,000 € a month."],
      ["Both, behind one interface", "Twice the tests; either can be switched off."],
    ],
    priority: "high",
    blocksTask: "TASK-007",
    minutesAgo: 42,
    more: {
      sources: [
        {
          kind: "escalation",
          id: "esc-008",
          projectId: "payments",
          text: "Which provider handles refunds? → Stripe",
          fingerprint: "demo",
        },
      ],
    },
  },
  {
    type: "blocker",
    projectId: "infrastructure",
    question: "The staging server refuses the deploy key. Can you add the new one?",
    context:
      "`git push staging` fails with `Permission denied (publickey)` since this morning. The public key is in CONTEXT/deploy.md.",
    priority: "urgent",
    blocksTask: "TASK-005",
    minutesAgo: 190,
  },
  {
    type: "approval",
    projectId: "payments",
    question: "May I run the ledger migration against a copy of production data?",
    context: "It reads 2.1 million rows and writes to the copy only. It takes about 20 minutes.",
    answers: [
      ["Yes, on the copy", "Nothing in production changes."],
      ["No", "I test with generated data instead."],
    ],
    minutesAgo: 75,
  },
  {
    type: "question",
    projectId: "design-system",
    question: "Should the date picker start the week on Monday everywhere? 📅",
    answers: [
      ["By the user's locale", ""],
      ["Monday everywhere", ""],
    ],
    minutesAgo: 320,
  },
  {
    type: "question",
    projectId: "mobile-app",
    question: "How long should photos stay on the device after they were uploaded?",
    minutesAgo: 1_500,
    priority: "low",
  },
  {
    type: "decision",
    projectId: "data-pipeline",
    question: "Keep raw events for 90 days or for a year?",
    answers: [
      ["90 days", "About 400 GB."],
      ["1 year", "About 1.6 TB, $37 a month."],
    ],
    minutesAgo: 600,
    snoozedMinutes: 900,
  },
  {
    type: "question",
    projectId: "web-shop",
    question: "Do discount codes apply to shipping?",
    minutesAgo: 3,
    status: "draft",
  },
  {
    type: "decision",
    projectId: "payments",
    question: "Which provider handles refunds?",
    answers: [["Stripe", ""]],
    minutesAgo: 2_900,
    status: "resolved",
    answer: "Stripe",
    more: { resolution: "Stripe: the finance team reconciles it already.", scope: "project" },
  },
  {
    type: "question",
    projectId: "customer-support",
    question: "May answers be sent outside of opening hours?",
    minutesAgo: 4_300,
    status: "resolved",
    answer: "Yes, except on Sundays",
    more: { scope: "project" },
  },
];

const MINUTE_MS = 60_000;

/** Questions of agents in every status, and as many more of one project as wanted. The workspace must not be in use. */
export function writeBusyQuestions(workspace: string, more = 0): void {
  const now = Date.now();
  const many = Array.from({ length: more }, (_, at): BusyQuestion => {
    const question = `Should part ${at + 1} of the archive be kept?`;
    const answers = [["Keep it", "It is read once a year."] as const, ["Remove it", ""] as const];
    const context = "Nobody opened it this year. ".repeat(20);
    return { type: "decision", projectId: "research", question, answers, context, minutesAgo: 10 + at };
  });
  for (const [at, question] of [...QUESTIONS, ...many].entries()) {
    const id = `esc-${String(at + 1).padStart(3, "0")}`;
    const folder = join(workspace, "escalations", question.status ?? "pending");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.json`), `${JSON.stringify(fileOf(id, question, now), undefined, 2)}\n`);
  }
}

function fileOf(
  id: string,
  { answers = [], minutesAgo, snoozedMinutes, more, ...rest }: BusyQuestion,
  now: number,
): object {
  const createdAt = new Date(now - minutesAgo * MINUTE_MS).toISOString();
  const asker = rest.projectId === undefined ? "main" : `project:${rest.projectId}`;
  return {
    id,
    ...rest,
    escalatedBy: asker,
    escalationPath: [asker, "main", "person"],
    history: [
      { at: createdAt, by: asker, action: "asked" },
      { at: createdAt, by: "main", action: "passed", reason: "No recorded answer covers this." },
    ],
    suggestedAnswers: answers.map(([label, description]) => ({ label, description })),
    createdAt,
    updatedAt: createdAt,
    ...(rest.status === "resolved"
      ? {
          resolution: rest.answer,
          resolvedBy: "person",
          resolvedAt: new Date(now - minutesAgo * MINUTE_MS + 240_000).toISOString(),
        }
      : {}),
    ...(snoozedMinutes === undefined ? {} : { snoozedUntil: new Date(now + snoozedMinutes * MINUTE_MS).toISOString() }),
    ...more,
  };
}
