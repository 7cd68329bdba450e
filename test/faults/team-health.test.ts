import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JournalEntry } from "../../src/contract/runs/journal.ts";
import type { TeamFact, TeamLine } from "../../src/teams/machine/team-facts.ts";
import { temporaryFolder } from "../harness/daemon.ts";
import type { PersonsRepository } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, teamHall, teamPlaybooks, untilTeam } from "../harness/team-hall.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CHANGES, CrashingHall } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

/** A step of the team's log about one issue, on disk or not quite. */
const fact = (text: string, when: CrashPoint["when"] = "after"): CrashPoint => ({
  ...{ victim: "daemon", file: CHANGES, when },
  text: `fact[^}]{0,12}type[^a-z]+${text}`,
});

const health = { checkSeconds: 0.2, stallSeconds: 1, modelSeconds: 1, debounceSeconds: 0.5 };
type Issue = Extract<TeamFact, { type: "health-issue" }>;

describe.skipIf(process.platform !== "linux")("help for a member, when the daemon is killed (needs Linux)", () => {
  const points: [name: string, point: CrashPoint][] = [
    ["when a restart is decided, before it is made", fact("health-issue[^}]*restart")],
    ["when a restart was made, before that is noted", fact("health-acted[^}]*number[^}]*2[^}]*done", "before")],
    ["when a nudge is decided, before it is sent", fact("health-issue[^}]*nudge")],
    ["when a nudge was sent, before that is noted", fact("health-acted", "before")],
    ["when the person is asked", fact("asked[^}]*member-stuck")],
  ];

  it("restarts no member twice, and tells it everything once", { timeout: 1_800_000 }, async () => {
    const folder = temporaryFolder();
    const crashing = new CrashingHall(folder);
    onTestFinished(() => crashing.end());
    mkdirSync(crashing.workspace, { recursive: true });
    writeFileSync(join(crashing.workspace, "config.yml"), JSON.stringify({ agentTeams: { health } }));
    const task = { key: "sum", requirement: "REQ-001", files: moduleFiles("sum", "REQ-001"), delayMs: 5_000 };
    const config = { qualityGates: { appliesTo: "off" } };
    let repo: PersonsRepository | undefined;
    for (const [name, point] of sampled(points, { every: 5 })) {
      const hall = await crashing.start();
      if (repo === undefined) repo = await teamHall(hall, teamPlaybooks([task]), { config });
      else {
        // Only tests that a team adds prove its criteria.
        repo.git("rm", "-rq", "sum");
        repo.git("commit", "-qm", "Start over");
      }
      crashing.arm(point);
      const { id } = await startTeam(hall, { approval: "none" });
      await crashing.struck(point, 60_000);
      await untilTeam(crashing.hall, id, "completed", 120_000);
      const lines = linesOf<TeamLine>(join(crashing.workspace, `projects/${PROJECT}/teams/${id}/state.jsonl`));
      const issues = lines.flatMap(({ fact: one }) => (one.type === "health-issue" ? [one] : []));
      expect(
        issues.map(({ number }) => number),
        name,
      ).toEqual(issues.map((_, at) => at + 1));
      expect(restartsOf(issues), name).toEqual([...new Set(restartsOf(issues))]);
      for (const runId of new Set(issues.map((issue) => issue.runId))) {
        const { entries } = (await crashing.hall.call("GET", `/api/runs/${runId}/transcript?limit=500`)).body;
        const told = (entries as JournalEntry[]).flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
        expect(told, name).toEqual([...new Set(told)]);
      }
      await crashing.end();
    }
  });
});

function restartsOf(issues: readonly Issue[]): string[] {
  return issues.filter(({ action }) => action === "restart").map(({ member, issue }) => `${member} ${issue}`);
}

function linesOf<Line>(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
