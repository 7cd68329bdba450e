import { expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const RULE = { id: "rule-001", question: "Tabs or spaces?", answer: null, resolution: "Spaces.", scope: "hall" };

it("lists rules, and says how to add the first", async () => {
  expect((await runCli(["rule", "list"], () => ok({ rules: [] }))).out).toMatch(/^No answer rules\. Add one with/);
  const { out } = await runCli(["rule", "list"], () => ok({ rules: [RULE] }));
  expect(out).toMatch(/rule-001 +\(all\) +Tabs or spaces\? +Spaces\./);
});

it("adds a rule for a project or for all, and needs an answer", async () => {
  const made = () => ok({ success: true, rule: RULE });
  const bodyOf = async (...words: string[]) => (await runCli(["rule", "add", ...words], made)).requests[0]?.body;
  expect(await bodyOf("Tabs or spaces?", "--answer", "Spaces.", "-p", "shop")).toEqual({
    question: "Tabs or spaces?",
    resolution: "Spaces.",
    scope: "project",
    projectId: "shop",
  });
  expect(await bodyOf("Tabs?", "--answer", "No.", "--label", "No", "--hall")).toMatchObject({
    scope: "hall",
    answer: "No",
  });
  expect(await runCli(["rule", "add", "Tabs?"], made)).toMatchObject({ code: 2 });
  expect(await runCli(["rule", "add", "Tabs?", "--answer", "No.", "--hall", "-p", "shop"], made)).toMatchObject({
    code: 2,
  });
});

it("changes and removes a rule", async () => {
  const made = () => ok({ success: true, rule: RULE });
  const edit = await runCli(["rule", "edit", "rule-001", "--answer", "Tabs."], made);
  expect(edit.requests[0]).toMatchObject({
    method: "PUT",
    path: "/api/answer-rules/rule-001",
    body: { resolution: "Tabs." },
  });
  expect(await runCli(["rule", "edit", "rule-001"], made)).toMatchObject({ code: 2 });
  const removed = await runCli(["rule", "remove", "rule-001"], () => ok({ success: true }));
  expect([removed.requests[0]?.method, removed.out]).toEqual(["DELETE", expect.stringContaining("Removed: rule-001")]);
});
