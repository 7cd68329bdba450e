import { expect, it } from "vitest";
import { Locks } from "../workspace/locks.ts";
import { ProjectAgents } from "./project-agents.ts";

it("keeps an answer only after the one before it, however fast they come", async () => {
  const kept: string[] = [];
  const troubles: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const exchange = {
    channels: { of: () => ({ find: (id: string) => ({ id, to: "project", from: "hall" }), open: () => [] }) },
    outcomeOf: () => "answered",
    dealtWith: async ({ message: { id } }: { message: { id: string } }) => {
      // The disk is slow.
      if (id === "one") await first.promise;
      if (id === "two" && !kept.includes("one")) throw new Error("Message 'one' comes before 'two'.");
      kept.push(id);
    },
  };
  const core = { locks: new Locks(), projects: { status: () => "active" }, shown: { isLost: false } };
  const sessions = { rest: () => undefined };
  const parts = { core, exchange, sessions, onTrouble: (_: string, error: unknown) => troubles.push(error) };
  const agents = new ProjectAgents(parts as unknown as ConstructorParameters<typeof ProjectAgents>[0]);
  for (const messageId of ["one", "two"])
    agents.hear("shop", { type: "answered", messageId, outcome: "answered", text: "Done." } as never);
  const settled = agents.settle();
  first.resolve();
  await settled;
  expect(kept).toEqual(["one", "two"]);
  expect(troubles).toEqual([]);
});
