import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import { untilOver } from "../harness/spawned-runs.ts";
import { refused, wanted } from "../harness/workspace.ts";

const TODAY = new Date().toISOString().slice(0, 10);
const PAGE = "projects/shop/knowledge/decisions.md";

const textOf = (hall: Hall, path: string) => readFileSync(join(hall.workspace, path), "utf8");

/** As a person answers in the file itself. */
function answer(hall: Hall, id: string, fields: object): void {
  const folder = join(hall.workspace, "escalations/resolved");
  mkdirSync(folder, { recursive: true });
  const file = { id, projectId: "shop", scope: "project", status: "resolved", ...fields };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify(file, null, 2));
}

const statements = async (hall: Hall, query = "?project=shop") =>
  (await wanted(200, hall.call("GET", `/api/knowledge${query}`))).statements;

const untilKnown = (hall: Hall, text: string) =>
  eventually(
    () => statements(hall, "?project=shop&status=all"),
    (found) => found.some((one) => one.text.includes(text)),
  );

describe("an answer", () => {
  it("is a decision that later runs get and cite, and a page shows where it was used [S4-GOAL-06 S4-KN-06]", async () => {
    const { hall, provider, spawn } = await scriptedHall(() => ({ text: "Done." }));
    answer(hall, "esc-001", { question: "Which payment provider?", resolution: "Stripe" });
    await untilKnown(hall, "Stripe");
    expect(textOf(hall, PAGE)).toContain(
      `\n- Which payment provider? → Stripe (${TODAY}, esc-001, answered by person)\n`,
    );
    const [statement] = await statements(hall);
    const { body } = await spawn({ task: { title: "Add the payment" }, overrides: { model: "own/m" } });
    await untilOver(hall, body.sessionId);
    expect(provider.requests.at(-1)?.text).toContain("\n- Which payment provider? → Stripe [esc-001]\n");
    answer(hall, "esc-002", {
      question: "Who takes the money?",
      resolution: "Stripe",
      resolvedBy: "main",
      sources: [{ kind: "escalation", id: "esc-001", projectId: "shop", text: "Stripe", fingerprint: "x" }],
    });
    await untilKnown(hall, "Who takes");
    const at = `/api/knowledge/${statement?.id}/uses?project=shop` as const;
    expect(await wanted(200, hall.call("GET", at))).toMatchObject({
      statement: { id: statement?.id },
      runs: [{ id: body.sessionId, title: "Add the payment", status: "completed" }],
      escalations: [{ id: "esc-002", question: "Who takes the money?" }],
    });
    // An agent gave it: it waits for a person.
    expect(await statements(hall, "?project=shop&status=pending")).toMatchObject([
      { origins: ["esc-002", expect.any(String)] },
    ]);
    await refused("statement_not_found", hall.call("GET", "/api/knowledge/decisions-0123456789/uses?project=shop"));
  });

  it("that replaces another leaves it superseded, two that differ are shown, and one is promoted with its origin [S4-KN-07]", async () => {
    const hall = await startHall();
    for (const id of ["shop", "blog"]) await wanted(201, hall.call("POST", "/api/projects", { id, name: id }));
    await wanted(201, hall.call("POST", "/api/roles", { template: "coder" }));
    answer(hall, "esc-001", { question: "Which payment provider should we use?", resolution: "Stripe" });
    await untilKnown(hall, "Stripe");
    answer(hall, "esc-002", { question: "Which payment provider do we use?", resolution: "Adyen" });
    answer(hall, "esc-003", { question: "Which payment provider do we use?", resolution: "Mollie", projectId: "blog" });
    await untilKnown(hall, "Adyen");
    const contradictions = async (project = "shop") =>
      (await wanted(200, hall.call("GET", `/api/knowledge/contradictions?project=${project}`))).contradictions;
    const [found, ...others] = await contradictions();
    expect(others).toEqual([]);
    expect(found?.statements.map(({ origins }) => origins[0]).sort()).toEqual(["esc-001", "esc-002"]);
    expect(await contradictions("blog")).toEqual([]);

    answer(hall, "esc-004", { question: "Payment provider, at last?", resolution: "Klarna", replaces: ["esc-001"] });
    await untilKnown(hall, "Klarna");
    expect(await contradictions()).toEqual([]);
    const old = await statements(hall, "?project=shop&status=superseded");
    expect(old).toMatchObject([{ text: expect.stringContaining("Stripe"), replacedBy: "esc-004" }]);
    expect(textOf(hall, PAGE)).toContain(`Stripe (${TODAY}, esc-001, answered by person, superseded by esc-004)\n`);
    const plan = { projectId: "shop", roleId: "coder", task: { title: "Payment provider" } };
    const { prompt } = (await wanted(200, hall.call("POST", "/api/team/spawn?dryRun=true", plan))).plan;
    expect(prompt).toContain("Klarna [esc-004]");
    expect(prompt).not.toContain("Stripe");

    // A person takes the answer back, in the folder: what it replaced counts again.
    mkdirSync(join(hall.workspace, "escalations/pending"), { recursive: true });
    const place = (folder: string) => join(hall.workspace, `escalations/${folder}/esc-004.json`);
    renameSync(place("resolved"), place("pending"));
    await eventually(
      () => statements(hall, "?project=shop&status=all"),
      (found) => found.every(({ text, status }) => !text.includes("Klarna") && status === "accepted"),
    );
    const id = old[0]?.id;
    expect(await contradictions()).toHaveLength(1);
    const by = { by: (await statements(hall, "?project=shop&q=Adyen"))[0]?.id };
    await wanted(200, hall.call("POST", `/api/knowledge/${id}/supersede?project=shop`, by));
    expect(await contradictions()).toEqual([]);

    const adyen = (await statements(hall, "?project=shop&q=Adyen"))[0]?.id;
    const { statement } = await wanted(
      200,
      hall.call("POST", "/api/knowledge/promote", { project: "shop", id: adyen }),
    );
    expect(statement).toMatchObject({
      file: "knowledge/decisions.md",
      origins: ["esc-002", "answered by person", "shop"],
    });
  });
});
