import type { MemberGate, TeamLessons } from "../../src/contract/documents/teams/team-lessons.ts";
import type { LessonDesk } from "../../src/server/handlers/lesson-handlers.ts";
import { NOON } from "./fake-hall.ts";

/** Knows one thing of each kind. */
export function fakeLessons(): LessonDesk {
  return { ofTeam: async () => sampleLessons, ofProject: async () => sampleLessons, gates: () => [sampleMemberGate] };
}

export const sampleLessons: TeamLessons = {
  at: NOON,
  kinds: [
    {
      kind: "react-vite",
      language: "typescript",
      folder: "web",
      evidence: "web/package.json: react ^19.0.0, vite ^7.0.0",
      skills: ["react-standards"],
    },
  ],
  unread: [{ file: "api/package.json", reason: "it is not a JSON object" }],
  gates: 9,
  weakStages: [{ stage: "errors", judged: 9, failed: 4, score: 61 }],
  repeated: [{ stage: "tests", code: "test-failed", tasks: 3, of: 5, example: "cart.test.js: adds two products" }],
  statements: [{ id: "patterns-0123456789", text: "Code in src came without tests.", confirmed: false }],
};

export const sampleMemberGate: MemberGate = {
  id: "gate-01m7p3p8ca",
  projectId: "shop",
  runId: "run-1",
  taskId: "TASK-002",
  teamId: "team-01m7p3p8ca0000aaaaaaaa",
  title: "Keep the cart",
  cycle: 1,
  state: "finished",
  verdict: "fail",
  score: 61,
  threshold: 70,
  base: "b",
  head: "h",
  tree: "t",
  files: 1,
  additions: 10,
  deletions: 0,
  stages: [{ name: "errors", verdict: "fail", score: 61 }],
  blocking: 1,
  costUsd: 0,
  startedAt: NOON,
  endedAt: NOON,
  member: "worker-lima",
  task: "store",
};
