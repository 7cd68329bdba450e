import { expect, it } from "vitest";
import { repository } from "../../../test/harness/repository.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { checkAtRest } from "./gate-at-rest.ts";

it("is not judged, and no defect, when the person gives it up", { timeout: 60_000 }, async () => {
  const person = repository({ "a.txt": "a\n" });
  person.write("a.txt", "b\n");
  const controller = new AbortController();
  const report = await checkAtRest({
    ...{ folder: person.root, clock: () => new Date(), umask: 0o022, isDryRun: false, signal: controller.signal },
    settings: QualityGates.parse({ commands: { tests: "sleep 600" } }),
    onStage: () => controller.abort(),
  });
  expect(report).toMatchObject({ state: "finished", verdict: "unable", reason: { code: "cancelled" } });
});
