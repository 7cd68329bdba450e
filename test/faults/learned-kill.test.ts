import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { wanted } from "../harness/workspace.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 1);
const PAGE = "projects/shop/knowledge/decisions.md";
const NAMES = ["anvil", "bellows", "chisel", "drill", "easel"];

it("SIGKILL while answers become statements loses none and writes none twice, and an undo leaves none", {
  timeout: 300_000,
}, async () => {
  const workspace = join(temporaryFolder(), "workspace");
  let daemon = await killableDaemon(workspace);
  await wanted(201, daemon.hall.call("POST", "/api/projects", { id: "shop", name: "shop" }));
  const random = numbersFrom(16);
  const answered = new Map<string, string>();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const names = NAMES.slice(0, 1 + Math.floor(random() * NAMES.length));
    for (const name of names) await answer(daemon.hall, { name, cycle, answered });
    // The last ones were acknowledged, and perhaps not yet learned.
    await daemon.kill();
    daemon = await killableDaemon(workspace);
  }
  const { hall } = daemon;
  const lines = await eventually(
    () => readFileSync(join(workspace, PAGE), "utf8").split("\n"),
    (all) => [...answered.keys()].every((id) => all.some((line) => line.includes(`, ${id}, `))),
    30_000,
  );
  for (const [id, text] of answered) {
    const own = lines.filter((line) => line.includes(text));
    expect(own, id).toEqual([
      expect.stringMatching(new RegExp(`^- .* → ${text} \\(.*, ${id}, answered by person\\)$`)),
    ]);
    const { escalation } = (await hall.call("GET", `/api/escalations/${id}`)).body;
    expect(escalation.statementId, id).toMatch(/^decisions-/);
  }
  const [last = ""] = [...answered.keys()].slice(-1);
  await wanted(200, hall.call("POST", `/api/escalations/${last}/undo`, {}));
  await eventually(
    () => readFileSync(join(workspace, PAGE), "utf8"),
    (page) => !page.includes(`, ${last}, `),
  );
});

async function answer(
  hall: Hall,
  { name, cycle, answered }: { name: string; cycle: number; answered: Map<string, string> },
): Promise<void> {
  const question = `Which supplier delivers the ${name} of hall ${cycle + 1}?`;
  const body = { type: "question", question, projectId: "shop" };
  const { escalation } = await wanted(201, hall.call("POST", "/api/escalations", body));
  const resolution = `Supplier-${cycle}-${name}`;
  const id = escalation?.id ?? "";
  await wanted(200, hall.call("POST", `/api/escalations/${id}/resolve`, { resolution }));
  answered.set(id, resolution);
}
