import { expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";

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
