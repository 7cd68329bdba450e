import { expect, it } from "vitest";
import { LatestRedactor } from "./latest-redactor.ts";
import { Redactor } from "./redaction.ts";

it("is the same redactor until the secrets change, and then hides the new ones", () => {
  const latest = new LatestRedactor((secrets) => new Redactor(secrets));
  const first = latest.of([{ name: "PASS", value: "tulips-and-roses" }]);
  expect(latest.of([{ name: "PASS", value: "tulips-and-roses" }])).toBe(first);
  const second = latest.of([{ name: "PASS", value: "daisies-and-oaks" }]);
  expect(second.text("say daisies-and-oaks")).toBe("say [secret: PASS]");
});
