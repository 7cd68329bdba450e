import { expect, test } from "vitest";
import { END_CAUSES } from "../../../../src/contract/runs/end-cause.ts";
import { adviceFor, wantsTaskChanged } from "./advice.ts";

test("advises by the cause of a failure, whatever its text says", () => {
  const silent = adviceFor({ status: "failed", cause: "silent" });
  expect(wantsTaskChanged(silent)).toBe(true);
  expect(silent.place).not.toBe("settings");
  expect(adviceFor({ status: "failed", cause: "budget" }).place).toBe("costs");
  expect(adviceFor({ status: "failed", cause: "key" }).place).toBe("settings");
  expect(adviceFor({ status: "failed", cause: "folder" }).place).toBe("project");
});

test("has an advice of its own for every cause, and a general one for runs without a cause", () => {
  const general = adviceFor({ status: "failed" });
  for (const cause of END_CAUSES) expect(adviceFor({ status: "failed", cause })).not.toEqual(general);
  expect(wantsTaskChanged(general)).toBe(false);
});
