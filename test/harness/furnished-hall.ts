import { expect } from "vitest";
import type { Hall } from "./daemon.ts";
import { hallOver, repository, writing } from "./repository.ts";
import { PROJECT, SLOW, spawnRun, untilOver } from "./spawned-runs.ts";

export interface FurnishedHall {
  hall: Hall;
  /** A run that waits for review with a diff, one that failed, and one at work. */
  review: string;
  failed: string;
  running: string;
}

const FAILING = "turns:\n  - fail: {kind: refused, times: 9}\n";

/** A project over a repository with something of everything that pages show. */
export async function furnishedHall(empty: Hall): Promise<FurnishedHall> {
  const repo = repository({ "a.txt": "a\nb\nc\n", "README.md": "# Shop\n" });
  const playbooks = { play: writing({ "a.txt": "a\nB\nc\n", "n.txt": "new\n" }), failing: FAILING, slow: SLOW };
  const config = { constraints: { requireReview: true }, goals: ["Sell more"] };
  const hall = await hallOver(empty, { root: repo.root, config, playbooks });
  const at = `/api/projects/${PROJECT}`;
  const made = await Promise.all([
    hall.call("POST", `${at}/team`, { roleId: "worker" }),
    hall.call("POST", `${at}/tasks`, {
      title: "Count the stock",
      labels: ["stock"],
      acceptanceCriteria: ["It is counted"],
    }),
    hall.call("POST", `${at}/tasks`, { title: "Sell the rest", priority: "urgent", description: "Before **Monday**." }),
    hall.call("POST", `${at}/initiatives`, { title: "Autumn sale" }),
    hall.call("POST", "/api/knowledge", {
      project: PROJECT,
      topic: "patterns",
      text: "The shop is closed on Mondays.",
    }),
    hall.call("PUT", `${at}/memory/file`, {
      path: "facts/hours.md",
      content: "# Hours\n\n> Summary: when it is open\n",
    }),
    hall.call("PUT", `${at}/context`, { path: "rules.md", content: "# Rules\n\nBe kind.\n" }),
    hall.call("POST", `${at}/artifacts`, { name: "report.md", content: "# Report\n" }),
  ]);
  expect(made.map(({ status, body }) => (status < 300 ? "made" : body))).toEqual(made.map(() => "made"));
  const review = await spawnRun(hall, "play", "Mend the till");
  const failed = await spawnRun(hall, "failing", "Ask the oracle");
  await Promise.all([untilOver(hall, review), untilOver(hall, failed)]);
  const running = await spawnRun(hall, "slow", "Think for long");
  return { hall, review, failed, running };
}
