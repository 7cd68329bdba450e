import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { storedEscalation } from "../../../bench/known/recorded.ts";
import { afterAllTests, temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { ProjectCreate } from "../../contract/documents/project.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import { type OpenHall, openHall } from "../../workspace/hall/open-hall.ts";
import { learn } from "../learning/open-learning.ts";
import { askOnce, knownText } from "./ask-once.ts";
import type { AskedQuestion, Lookup } from "./known-answers.ts";
import { openKnown } from "./open-known.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

const person = { actor: { kind: "person" as const, via: "http" as const } };
const agent = { actor: { kind: "agent" as const, id: "run-1", via: "daemon" as const } };

describe("recorded answers", () => {
  let open: OpenHall;
  let known: RecordedAnswers;
  const later = afterAllTests();
  beforeAll(async () => {
    let seconds = 0;
    const clock = () => new Date(Date.parse("2026-11-16T12:00:00.000Z") + 1_000 * seconds++);
    open = await openHall({ workspace: temporaryFolder(later), clock, version: "0" });
    for (const id of ["shop", "blog"]) await open.hall.projects.create(ProjectCreate.parse({ id, name: id }), person);
    known = openKnown(open);
    later(async () => {
      known.close();
      await open.close();
    });
  });

  /** An answered escalation, as it becomes one; `distil`: with its statement. */
  async function answered(
    question: string,
    resolution: string,
    more: Partial<EscalationFields> & { distil?: boolean } = {},
  ) {
    const { distil = false, ...fields } = more;
    const base = { id: "x", question, answer: resolution, projectId: "shop", scope: "project" as const, options: [] };
    const { id: _id, path: _path, etag: _etag, ...stored } = storedEscalation({ ...base, type: "decision" });
    const at = open.core.clock().toISOString();
    const { id } = await open.hall.escalations.create({ ...stored, resolvedAt: at, ...fields }, person);
    if (distil) await learn(open.hall, id);
    return id;
  }

  const ask = (text: string, more: Partial<AskedQuestion> = {}) =>
    known.lookup({ text, projectId: "shop", type: "decision", ...more });
  const brief = (found: Lookup | undefined) =>
    found === undefined
      ? undefined
      : found.kind === "known"
        ? ["known", found.citation.id, found.resolution]
        : [found.reason, ...found.answers.map(({ citation }) => citation.id)];

  it("are found in other words, in their project only, and cited [S4-ESC-18]", async () => {
    const id = await answered("Should the product cache use Redis or Memcached?", "Redis", { distil: true });
    const found = await ask("For caching products: Memcached or Redis?");
    expect(brief(found)).toEqual(["known", id, "Redis"]);
    expect(brief(await ask("For caching products: Memcached or Redis?", { projectId: "blog" }))).toBeUndefined();
    expect(brief(await ask("For caching products: Memcached or Redis?", { projectId: undefined }))).toBeUndefined();
    expect(found?.kind === "known" && knownText(found)).toContain(`[${id}]: Redis\n`);
    expect(found?.kind === "known" && knownText(found)).toContain("AGENTS.md take precedence");
  });

  it("hold for all projects, or for one task, where the person said so", async () => {
    const hall = await answered("Which license header do new files get?", "MIT", { scope: "hall", distil: true });
    expect(brief(await ask("What license header do new files get?", { projectId: "blog" }))).toEqual([
      "known",
      hall,
      "MIT",
    ]);
    const task = await answered("Is tax rounded per line or per order?", "Per line", {
      scope: "task",
      blocksTask: "TASK-001",
    });
    expect(brief(await ask("Do we round tax per order or per line?", { taskId: "TASK-001" }))?.[1]).toBe(task);
    expect(brief(await ask("Do we round tax per order or per line?", { taskId: "TASK-002" }))).toBeUndefined();
    await answered("Which mascot does this project have?", "BSD", { scope: "hall" });
    expect(brief(await ask("Which mascot does this project have?", { projectId: "blog" }))).toBeUndefined();
  });

  it("come from the project first, then from all projects", async () => {
    await answered("How long do we keep logs?", "30 days", { scope: "hall" });
    const own = await answered("How long do we keep logs?", "90 days");
    expect(brief(await ask("For how long should logs be kept?"))).toEqual(["known", own, "90 days"]);
    expect(brief(await ask("For how long should logs be kept?", { projectId: "blog" }))?.[2]).toBe("30 days");
  });

  it("are only suggested when their statement was reworded or removed by hand", async () => {
    const id = await answered("Do we sign release tags?", "Yes", { distil: true });
    const file = join(open.core.files.root, "projects/shop/knowledge/decisions.md");
    expect(brief(await ask("Should release tags be signed?"))?.[0]).toBe("known");
    const before = readFileSync(file, "utf8");
    writeFileSync(
      file,
      before.replace("Do we sign release tags? → Yes", "Do we sign release tags? → Only stable ones"),
    );
    const reworded = await ask("Should release tags be signed?");
    expect(reworded).toMatchObject({ kind: "suggested", reason: "changed" });
    expect(brief(reworded)).toContain(id);
    writeFileSync(
      file,
      before
        .split("\n")
        .filter((line) => !line.includes("release tags"))
        .join("\n"),
    );
    expect(brief(await ask("Should release tags be signed?"))).toEqual(["changed", id]);
    writeFileSync(file, before);
    expect(brief(await ask("Should release tags be signed?"))?.[0]).toBe("known");
  });

  it("are only suggested when what they cite changed, or a later answer replaced them", async () => {
    const first = await answered("Which queue do we use for invoices?", "RabbitMQ");
    const [fact] = await known.facts({ text: "Which queue for invoices?", projectId: "shop" }, 1);
    expect(fact).toMatchObject({ kind: "escalation", id: first });
    const cited = await answered("Which queue do we use for refunds?", "RabbitMQ", { sources: fact ? [fact] : [] });
    expect(brief(await ask("Which queue is used for refunds?"))?.[0]).toBe("known");
    const second = await answered("Which queue do we use for all billing?", "SQS", { replaces: [first] });
    expect(brief(await ask("Which queue do we use for invoices?"))).toEqual(["changed", second, first]);
    expect(brief(await ask("Which queue is used for refunds?"))).toEqual(["changed", cited]);
    expect(await known.facts({ text: "Which queue for invoices?", projectId: "shop" }, 9)).not.toContainEqual(fact);
  });

  it("that contradict each other are both suggested, and neither is reused", async () => {
    const one = await answered("Is the banner shown to guests?", "Yes");
    const other = await answered("Do we show guests the banner?", "No");
    expect(brief(await ask("Should the banner be shown to guests?"))).toEqual(["contradicting", other, one]);
  });

  it("of agents, approvals and blockers are never reused by themselves", async () => {
    const byAgent = await answered("Which port does the admin page use?", "8080", { resolvedBy: "main", distil: true });
    expect(brief(await ask("What port is used by the admin page?"))).toEqual(["unconfirmed", byAgent]);
    const [pending] = open.hall.knowledge.list({
      project: "shop",
      scope: "project",
      status: "pending",
      limit: 9,
    }).statements;
    await open.hall.knowledge.accept({ id: pending?.id ?? "", project: "shop" }, person);
    expect(brief(await ask("What port is used by the admin page?"))?.[0]).toBe("known");
    const approval = await answered("May we drop the legacy tables?", "Yes", { type: "approval", distil: true });
    expect(brief(await ask("Can we drop legacy tables?"))).toEqual(["once", approval]);
    await answered("What is the password of the build server?", "hunter2", { distil: true });
    expect(await ask("What is the build server's password?")).toBeUndefined();
    await answered("Which registry token is missing?", "Added: npm_abc", { type: "blocker", distil: true });
    expect(await ask("Which registry token is missing?")).toBeUndefined();
    await answered("Do we ship on Fridays?", "No");
    expect(brief(await ask("Do we ship on Fridays?", { type: "approval" }))?.[0]).toBe("once");
  });

  it("are never an agent's own statement, whatever it says, until a person accepts it", async () => {
    const text = "May agents push to main directly? → Yes, always";
    const { statement } = await open.hall.knowledge.add(
      { text, topic: "decisions", project: "shop", origin: "TASK-001" },
      agent,
    );
    expect(await ask("Can agents push directly to main?")).toBeUndefined();
    expect(await known.facts({ text: "Can agents push directly to main?", projectId: "shop" }, 9)).not.toContainEqual(
      expect.objectContaining({ id: statement.id }),
    );
    await open.hall.knowledge.accept({ id: statement.id, project: "shop" }, person);
    expect(brief(await ask("Can agents push directly to main?"))).toEqual(["known", statement.id, "Yes, always"]);
  });

  it("give way to a rule, which also holds for approvals, until it is removed", async () => {
    const id = await answered("May we deploy on Mondays?", "No");
    const rule = await open.hall.answerRules.add(
      { question: "Can we deploy on Mondays?", answer: null, resolution: "Before noon.", scope: "hall" },
      person,
    );
    expect(brief(await ask("Is it okay to deploy on Mondays?", { type: "approval" }))).toEqual([
      "known",
      rule.id,
      "Before noon.",
    ]);
    await open.hall.answerRules.remove(rule.id, person);
    expect(brief(await ask("Is it okay to deploy on Mondays?"))).toEqual(["known", id, "No"]);
  });

  it("are suggested once each, also where one replaced the other", async () => {
    const first = await answered("May we archive the old invoices?", "No", { type: "approval", distil: true });
    const second = await answered("May we archive the old invoices?", "Yes", { type: "approval", replaces: [first] });
    expect(brief(await ask("May we archive the old invoices?"))).toEqual(["once", second, first]);
    expect(brief(await ask("Can we archive the old invoices?", { type: "approval" }))?.slice(1)).toHaveLength(2);
  });

  it("are forgotten when they are taken back or their file is removed", async () => {
    const id = await answered("Do we support dark mode?", "Yes");
    const { path } = await open.hall.escalations.get(id);
    expect(brief(await ask("Should we support dark mode?"))?.[0]).toBe("known");
    rmSync(join(open.core.files.root, path));
    await expect.poll(() => ask("Should we support dark mode?")).toBeUndefined();
  });

  it("of an earlier project with the same name are only suggested", async () => {
    const at = "2026-11-01T12:00:00.000Z";
    const id = await answered("Do we mirror the archive?", "Yes", { resolvedAt: at });
    expect(brief(await ask("Should we mirror the archive?"))).toEqual(["changed", id]);
  });

  it("become the first suggested answers of a new escalation, or the question joins an open one", async () => {
    await answered("Do we cache avatars for 5 days?", "Yes", { resolvedBy: "main" });
    const body = { question: "Should avatars be cached for 5 days?", type: "decision" as const, projectId: "shop" };
    const rest = { context: "", priority: "medium" as const, blocksInitiative: false, origin: "agent" as const };
    const own = [{ label: "No", description: "Mine" }];
    const asked = await askOnce(known, { ...body, ...rest, suggestedAnswers: own });
    expect(asked).toMatchObject({
      outcome: "asked",
      suggestedAnswers: [
        { label: "Yes", description: expect.stringContaining("Given by an agent. Recorded [esc-") },
        own[0],
      ],
    });
    const pending = { status: "pending" as const, resolution: null, resolvedBy: null, resolvedAt: null };
    const id = await answered("Who translates the imprint?", "", { ...pending });
    const same = { ...body, ...rest, suggestedAnswers: [], question: "Who should translate the imprint?" };
    expect(await askOnce(known, same)).toMatchObject({ outcome: "joined", escalation: { id } });
    expect((await askOnce(known, { ...same, projectId: "blog" })).outcome).toBe("asked");
    expect((await askOnce(known, { ...same, type: "question" })).outcome).toBe("asked");
  });
});
