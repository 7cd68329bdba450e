import { expect, it } from "vitest";
import { call, tool } from "../../test/fakes/agent.ts";
import { linesOf, message, residentOver } from "../../test/fakes/resident.ts";
import { filesOver } from "../../test/harness/temporary-folder.ts";

it("takes messages one at a time, in the order in which they came, and remembers what was said", async () => {
  const { files } = filesOver();
  const { resident, session, asked, told } = residentOver({
    files,
    model: [{ text: "I look.", calls: [call("a", "look")] }, { text: "One." }, { text: "Two." }],
    tools: [tool("look", { run: () => "a file" })],
  });
  resident.deliver(message("first"));
  resident.deliver(message("second", { from: "project", channel: { type: "project", id: "shop" } }));
  resident.deliver(message("first"));
  expect(resident.isBusy).toBe(true);
  await resident.idle();
  expect(resident.isBusy).toBe(false);
  expect(told).toEqual([
    { id: "first", end: { outcome: "answered", text: "One." } },
    { id: "second", end: { outcome: "answered", text: "Two." } },
  ]);
  expect(asked.at(-1)?.texts).toEqual([
    "[from the person, cli/default]\nfirst",
    "I look.",
    "a file",
    "One.",
    "[from project shop]\nsecond",
  ]);
  await session.close();
  expect(linesOf(files).map(({ type }) => type)).toEqual([
    ...["message", "answer", "result", "answer", "ended"],
    ...["message", "answer", "ended"],
  ]);
});
