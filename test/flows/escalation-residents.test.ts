import { beforeAll, describe, expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { scriptedHall, waiting } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const ASK: Turn = { calls: [{ name: "escalate", input: { type: "decision", question: "Euros or dollars?" } }] };
const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");
const pending = (hall: Hall) =>
  eventually(
    async () => (await hall.call("GET", "/api/escalations?status=pending")).body.escalations,
    ({ length }) => length === 1,
  ).then(([one]) => one as Escalation);

it("a project's agent and the main agent ask, go on, and get the answer as a message, once [S4-GOAL-02]", async () => {
  const heard: string[] = [];
  const { hall } = await scriptedHall((seen) => {
    if (seen.text.includes("Answer (person)")) {
      heard.push(`${isMain(seen) ? "main" : "project"}: ${seen.text.split("\n").at(-1)}`);
      return { text: "Thanks." };
    }
    return seen.results.length > 0 ? { text: `Told: ${seen.results[0]?.output}` } : ASK;
  });
  const said = await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Set the prices." });
  expect(said.body.answers.map(({ text }) => text)).toEqual([
    "Told: Recorded as esc-001. Continue with other work; the answer arrives as a message.",
  ]);
  const first = await pending(hall);
  expect([first.escalatedBy, first.escalationPath]).toEqual(["project:shop", ["project:shop", "main", "person"]]);
  await hall.call("POST", `/api/escalations/${first.id}/resolve`, { resolution: "Euros", scope: "task" });
  await eventually(
    () => heard,
    ({ length }) => length === 1,
  );
  const chat = await hall.call("POST", "/api/chat?wait=20", { text: "Which currency do we take?" });
  expect(chat.body.answers.map(({ text }) => text)).toEqual([expect.stringContaining("Recorded as esc-002")]);
  const second = await pending(hall);
  expect(second.escalationPath).toEqual(["main", "person"]);
  await hall.call("POST", `/api/escalations/${second.id}/resolve`, { resolution: "Dollars" });
  await eventually(
    () => heard,
    ({ length }) => length === 2,
  );
  expect(heard).toEqual(["project: Answer (person): Euros", "main: Answer (person): Dollars"]);
  await eventually(
    async () => (await hall.call("GET", "/api/chat")).body.messages.at(-1),
    (last) => last?.from === "main" && last.to === "person" && last.text === "Thanks.",
  );
  const delivered = async () => (await hall.call("GET", `/api/escalations/${second.id}`)).body.escalation.askers;
  await eventually(delivered, ([asker]) => asker?.deliveredAt !== undefined);
});

describe("a run, a project's agent and the main agent are told", () => {
  const later = afterAllTests();
  let asked: string[];

  beforeAll(async () => {
    const { hall, provider, spawn } = await scriptedHall(() => ({ text: "Done." }), { later });
    await spawn(waiting);
    for (const place of ["/api/projects/shop/messages", "/api/chat"] as const)
      await hall.call("POST", `${place}?wait=20`, { text: "Hello." });
    asked = provider.requests.map(({ body }) => JSON.stringify(body));
  });

  const each = (text: string) => expect(asked.map((body) => body.includes(text))).toEqual([true, true, true]);

  it("what they decide themselves [S4-DM-01 S4-DM-02 S4-DM-03 S4-DM-04]", () =>
    each(
      "Decide yourself: naming, structure and patterns of the implementation; following recorded conventions; bug fixes with a clear root cause; test strategy within existing patterns.",
    ));

  it("what they escalate [S4-DM-05 S4-DM-06 S4-DM-07 S4-DM-08]", () =>
    each(
      "Escalate: new dependencies or tools; patterns that contradict conventions; work that affects other projects; scope questions.",
    ));

  it("what only the person decides [S4-DM-09 S4-DM-10 S4-DM-11 S4-DM-12]", () =>
    each(
      "Only the person decides: changes of direction; new initiatives or a much larger scope; trade-offs without a clear winner; access, credentials and accounts.",
    ));
});
