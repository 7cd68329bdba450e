import { expect, it } from "vitest";
import { gateReport } from "../../../test/harness/gate-reports.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { gateKey } from "./gate-key.ts";
import type { GateOrder } from "./gate-order.ts";

const span = { base: "c", baseTree: "b", tree: "t" };
const order = {
  ...{ span, settings: QualityGates.parse({}), toolchain: "node 24", type: "feature", hasReview: true },
  task: { title: "Add", description: "Totals", acceptanceCriteria: [] },
} as unknown as GateOrder;
const task = (part: object) => ({ task: { ...order.task, ...part } });

it.each<[string, object]>([
  ["the base", { span: { ...span, baseTree: "other" } }],
  ["the tree", { span: { ...span, tree: "other" } }],
  ["a setting", { settings: QualityGates.parse({ enforceTDD: false }) }],
  ["the tools", { toolchain: "node 25" }],
  ["the kind of work", { type: "bug" }],
  ["the spec", { spec: "REQ-001" }],
  ["whether reviewers are asked", { hasReview: false }],
  ["the title of the task", task({ title: "Remove" })],
  ["its description", task({ description: "Taxes" })],
  ["its criteria", task({ acceptanceCriteria: [{ text: "Fast", done: false }] })],
  ["the report before", { before: gateReport("gate-1", {}) }],
  ["the review before", { reviewed: gateReport("gate-1", {}) }],
])("a verdict is not for another change: %s", (_, part) => {
  expect(gateKey({ ...order, ...part } as GateOrder)).not.toBe(gateKey(order));
});

it("without reviewers the texts of a task decide nothing, and a commit is the same by its tree", () => {
  const without = { ...order, hasReview: false };
  expect(gateKey({ ...without, ...task({ title: "Remove" }) } as GateOrder)).toBe(gateKey(without));
  expect(gateKey({ ...without, span: { ...span, base: "d", head: "e" } })).toBe(gateKey(without));
});
