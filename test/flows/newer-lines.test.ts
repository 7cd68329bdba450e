import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMAT } from "../../src/contract/format.ts";
import { startHall } from "../harness/daemon.ts";
import { gateReport, placeReport } from "../harness/gate-reports.ts";
import { startWorkspace, wanted } from "../harness/workspace.ts";
import { writeTeam } from "../harness/written-team.ts";

const NEWER = { format: FORMAT + 1 };
const WORDS = `has format ${FORMAT + 1}; this version of Guildhall reads up to format ${FORMAT}`;
const AT = "2026-11-18T12:00:00.000Z";
const SHOP = "projects/shop";
const TEAM = (digit: number) => `${SHOP}/teams/team-01m7p3p8ca0000aaaaa${digit}`;
const GATE = "2026-11-17/gate-01m7p3p8ca0000aaaaa1.json";

const line = (entry: object) => `${JSON.stringify({ ...entry, ...NEWER })}\n`;

/** What stops working, each alone, and says where and why. */
const USES: readonly [what: string, file: string, line: number, text: string][] = [
  ["the facts of a team", `${TEAM(1)}/state.jsonl`, 2, line({ seq: 2, at: AT, fact: { type: "dreamed" } })],
  ["the lines of leads", `${SHOP}/plans/doors/leads.jsonl`, 1, line({ type: "dreamed", lead: "lead-x", at: AT })],
  ["the history of a trigger", "state/triggers/nightly.jsonl", 1, line({ type: "dreamed", at: AT })],
  ["the log of the orchestrator", "state/orchestrator.jsonl", 1, line({ type: "dreamed", at: AT })],
];

const STATE = ["reach", "proposals", "queue", "briefings", "heartbeat", "hooks"];

describe("what a newer program wrote, in a workspace that this one opens", () => {
  it("is named with file, line and formats for every log and document, and left as it is", async () => {
    const { hall, addProject, ...files } = await startWorkspace();
    await addProject({ id: "shop", name: "Shop" });
    await wanted(
      201,
      hall.call("POST", "/api/projects/shop/initiatives", { slug: "doors", title: "Doors", goals: ["A"] }),
    );
    await hall.stop();
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(hall.workspace, path)), { recursive: true });
      appendFileSync(join(hall.workspace, path), text);
    };
    files.write("triggers/nightly.md", "---\non:\n  cron: 0 3 * * *\ndo:\n  message: main\n---\n\nLook.\n");
    writeTeam(hall.workspace, { projectId: "shop" }, []);
    const readable = { projectId: "shop", id: TEAM(2).split("/").at(-1) ?? "" };
    writeTeam(hall.workspace, readable, []);
    writeTeam(hall.workspace, { projectId: "shop", id: TEAM(3).split("/").at(-1) ?? "" }, []);
    files.edit(`${TEAM(3)}/team.json`, /\n}\n$/, `,\n  "format": ${NEWER.format}\n}\n`);
    for (const [, path, , text] of USES) put(path, text);
    put(`${TEAM(2)}/messages.jsonl`, line({ line: "dreamed" }));
    placeReport(hall.workspace, { ...gateReport("gate-01m7p3p8ca0000aaaaa1"), ...NEWER });
    put(`${SHOP}/gates/reviews/review-1.json`, line({ id: "review-1", projectId: "shop" }));

    const again = await startHall(hall.workspace);
    const { problems } = (await again.call("GET", "/api/problems")).body;
    const told = problems.map(({ file, line, reason }) => ({ file, line, reason }));
    for (const [what, file, at] of USES)
      expect(told, what).toContainEqual({ file, line: at, reason: expect.stringContaining(WORDS) });
    for (const file of [`${TEAM(3)}/team.json`, `${SHOP}/gates/${GATE}`, `${SHOP}/gates/reviews/review-1.json`])
      expect(told, file).toContainEqual(expect.objectContaining({ file, reason: expect.stringContaining(WORDS) }));
    const messages = await again.call("GET", `/api/teams/${readable.id}/messages`);
    expect(messages.body).toMatchObject({
      error: { code: "newer_format", file: `${TEAM(2)}/messages.jsonl`, line: 1 },
    });
    const uses: [path: string, body?: object][] = [
      [`/api/teams/${TEAM(1).split("/").at(-1)}/pause`],
      [`/api/teams/${TEAM(3).split("/").at(-1)}/pause`],
      ["/api/projects/shop/initiatives/doors/lead", {}],
      ["/api/triggers/nightly/run"],
      ["/api/orchestrator/pause"],
    ];
    for (const [path, body] of uses) {
      const { error } = (await again.call("POST", path, body)).body;
      expect(error?.message ?? "carried out", path).toContain(WORDS);
    }
    await again.stop();
    for (const [, path, , text] of USES) expect(files.text(path).endsWith(text), path).toBe(true);
  });

  it.each(STATE)("stops the start when it is state/%s.json, which it would otherwise do without", async (name) => {
    const hall = await startHall();
    await hall.stop();
    const file = `state/${name}.json`;
    const text = line({ dreams: [] });
    writeFileSync(join(hall.workspace, file), text);
    await expect(startHall(hall.workspace)).rejects.toMatchObject({ code: "newer_format", file });
  });
});
