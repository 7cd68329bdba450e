import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { answerQuestion } from "../../processes/hall-questions.ts";
import { knowledgeQuestions } from "../../processes/knowledge-questions.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { mainKnowledge } from "./main-knowledge.ts";

const BY_A_PERSON = { actor: { kind: "person" as const, via: "http" as const } };
const never = new AbortController().signal;

async function hallWith(...projects: string[]) {
  const workspace = join(temporaryFolder(), "workspace");
  let now = Date.parse("2026-11-15T12:00:00Z");
  const { hall, close } = await openHall({ workspace, clock: () => new Date(now), version: "0", warnings: [] });
  onTestFinished(close);
  for (const id of projects) await hall.projects.create({ id, name: id } as never, BY_A_PERSON);
  const { knowledge } = hall;
  const ask = answerQuestion(knowledgeQuestions({ knowledge, taskOf: (runId) => `TASK-of-${runId}` }));
  const read = (path: string) => readFileSync(join(workspace, path), "utf8");
  const nextDay = () => {
    now += 24 * 60 * 60 * 1_000;
  };
  const events = () => hall.events.head();
  return { workspace, knowledge, ask, read, nextDay, events };
}

describe("what a project's agents ask of the knowledge", () => {
  it("is theirs and the hall's, never another project's, and is written to their own project alone [S4-OWN-03]", async () => {
    const { knowledge, ask } = await hallWith("shop", "blog");
    await knowledge.add({ text: "Tests first (hall).", topic: "conventions" }, BY_A_PERSON);
    await knowledge.add({ text: "Tests last (blog).", topic: "patterns", project: "blog" }, BY_A_PERSON);
    const input = { text: "Tests twice (shop).", topic: "patterns", project: "blog", origin: "person" };
    expect(await ask({ what: "knowledge_add", input }, { projectId: "shop", runId: "run-1" })).toMatchObject({
      statement: { projectId: "shop", origins: ["TASK-of-run-1"] },
    });
    await ask({ what: "knowledge_add", input: { ...input, text: "Tests thrice (shop)." } }, { projectId: "shop" });
    const search = {
      what: "knowledge_search",
      input: { query: "tests", limit: 10, project: "blog", scope: "project" },
    };
    const found = (await ask(search, { projectId: "shop" })) as ReturnType<typeof knowledge.list>;
    expect(found.statements.map(({ text, origins }) => [text, ...origins])).toEqual([
      ["Tests first (hall).", "person"],
      ["Tests thrice (shop).", "project agent"],
      ["Tests twice (shop).", "TASK-of-run-1"],
    ]);
  });

  it("is refused where the hall has no answer, or the input is not what it should be", async () => {
    const { ask, events } = await hallWith("shop");
    const head = events();
    const asking = { projectId: "shop", runId: "run-1" };
    for (const [what, input, why] of [
      ["knowledge_promote", { project: "shop", id: "patterns-0123456789" }, "Unknown request"],
      ["constructor", {}, "Unknown request"],
      ["knowledge_add", { text: "Use pnpm.", topic: "preferences" }, "topic: must be one of conventions, decisions"],
      ["knowledge_add", { text: "one\ntwo", topic: "patterns" }, "text: must be one line"],
      ["knowledge_add", undefined, "input: is required."],
      ["knowledge_search", { query: "x", limit: 1_000_000 }, "limit: must be at most 50."],
    ] as const)
      await expect(ask({ what, input }, asking), what).rejects.toThrow(why);
    expect(events()).toBe(head);
  });

  it("is done once for one call, even on another day", async () => {
    const { ask, read, nextDay, events } = await hallWith("shop");
    const question = { what: "knowledge_add", input: { text: "Use pnpm.", topic: "patterns" } };
    const asking = { projectId: "shop", runId: "run-1", callId: "call-1" };
    await ask(question, asking);
    const [page, head] = [read("projects/shop/knowledge/patterns.md"), events()];
    nextDay();
    expect(await ask(question, asking)).toMatchObject({ statement: { text: "Use pnpm.", date: "2026-11-15" } });
    expect([read("projects/shop/knowledge/patterns.md"), events()]).toEqual([page, head]);
    await ask(question, { ...asking, callId: "call-2" });
    expect(read("projects/shop/knowledge/patterns.md")).toContain("- Use pnpm. (2026-11-16, TASK-of-run-1, pending)\n");
  });
});

describe("the main agent", () => {
  it("writes what holds for all, and promotes what a project found out, once [S4-KN-03 S4-KN-07]", async () => {
    const { knowledge, read, events } = await hallWith("shop", "blog");
    const port = mainKnowledge(knowledge);
    await port.add("call-1", { text: "Answers are short.", topic: "preferences" }, never);
    expect(read("knowledge/preferences.md")).toContain("\n- Answers are short. (2026-11-15, main agent)\n");
    await port.add("call-2", { text: "Builds are cached.", topic: "patterns", project: "shop" }, never);
    const found = await port.search({ query: "cached builds", limit: 5 }, never);
    if (typeof found === "string") throw new Error(found);
    const id = found.statements[0]?.id ?? "";
    expect(found.statements).toMatchObject([{ id, status: "pending" }]);
    const promotion = { project: "shop", id, topic: "decisions" as const };
    await port.promote("call-3", promotion, never);
    const head = events();
    expect(await port.promote("call-3", promotion, never)).toMatchObject({ origins: ["shop/main agent"] });
    expect(events()).toBe(head);
    expect(read("knowledge/decisions.md")).toContain("\n- Builds are cached. (2026-11-15, shop/main agent)\n");
    expect(await port.promote("call-4", { project: "none", id }, never)).toBe("There is no project 'none'.");
    expect(await port.add("call-5", { text: "x", topic: "patterns" }, never)).toMatch(/^topic: the workspace has/);
  });

  it("completes a promotion that an earlier version left between its two pages", async () => {
    const { workspace, knowledge, read } = await hallWith("shop");
    const { statement } = await knowledge.add({ text: "Use pnpm.", topic: "patterns", project: "shop" }, BY_A_PERSON);
    writeFileSync(join(workspace, "knowledge/conventions.md"), "- Use pnpm. (2026-11-15, shop/person)\n");
    await knowledge.promote({ project: "shop", id: statement.id }, BY_A_PERSON);
    expect(read("knowledge/conventions.md")).toBe("- Use pnpm. (2026-11-15, shop/person)\n");
    expect(read("projects/shop/knowledge/patterns.md")).toContain("- Use pnpm. (2026-11-15, person, promoted)\n");
  });
});

describe("the index of what is known", () => {
  it("has the newest first, as far as the tokens reach, and says how many are left out", async () => {
    const { workspace, knowledge } = await hallWith("shop", "blog");
    expect(knowledge.index("shop", 100)).toBe("");
    writeFileSync(join(workspace, "knowledge/decisions.md"), "- Old (2020-01-01)\n- Both (2026-01-01)\n");
    writeFileSync(
      join(workspace, "projects/shop/knowledge/patterns.md"),
      "- New (2026-11-01, TASK-1)\n- both!\n- Gone up (2026-11-02, promoted)\n- By hand\n",
    );
    const lines = [
      "- New (2026-11-01, TASK-1)",
      "- all projects: Both (2026-01-01)",
      "- all projects: Old (2020-01-01)",
      "- By hand",
    ];
    expect(knowledge.index("shop", 1_000)).toBe(lines.join("\n"));
    expect(knowledge.index("shop", 8)).toBe(`${lines[0]}\n(3 more: find them with knowledge_search)`);
    expect(knowledge.index("blog", 1_000)).toBe(lines.slice(1, 3).join("\n"));
    expect(knowledge.index(undefined, 1_000)).toBe(lines.slice(1, 3).join("\n"));
    expect(knowledge.index("shop", 0)).toBe("(4 more: find them with knowledge_search)");
  });
});
