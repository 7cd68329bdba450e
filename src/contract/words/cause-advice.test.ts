import { expect, test } from "vitest";
import { END_CAUSES, type EndCause } from "../runs/end-cause.ts";
import { adviceFor } from "./cause-advice.ts";
import { hintText, hintWords } from "./hint.ts";

const run = (cause?: EndCause) => ({ id: "run-1", projectId: "shop", taskId: "TASK-001", model: "work/m", cause });

/** Cause, and the button that fixes it; undefined where a retry is all there is to do. */
const TABLE: Record<EndCause, string | undefined> = {
  turns: "Edit task",
  tokens: "Edit task",
  time: "Edit task",
  repeats: "Edit task",
  calls_refused: "Open Hooks",
  result_refused: "Open Hooks",
  nothing_submitted: undefined,
  length: "Edit task",
  silent: "Edit task",
  refused: "Edit task",
  context: "Edit task",
  memory: "Edit task",
  budget: "Raise limit",
  quota: "Check provider",
  key: "Update key",
  model: "Check provider",
  provider: "Check provider",
  network: "Check provider",
  folder: "Check folder",
  repository: "Check repository",
  setup: "Open the settings",
  project: "Open project",
  task: undefined,
  journal: undefined,
  crashed: undefined,
  internal: undefined,
  cancelled: undefined,
};

test.each(END_CAUSES)("%s has advice of its own, and the button that fixes it", (cause) => {
  const { text, fix } = adviceFor(run(cause));
  expect(text).toMatch(/^[A-Z].*\.$/);
  expect(text).not.toBe(adviceFor(run()).text);
  expect(fix && hintWords(fix).page?.label).toBe(TABLE[cause]);
  if (fix !== undefined) expect(hintText(fix)).toContain("guildhall ");
});

test("names the task, the provider and the page", () => {
  const { fix: task } = adviceFor(run("repeats"));
  expect(task && hintWords(task).page).toMatchObject({
    path: "/projects/shop/board",
    search: { task: "TASK-001", edit: "description" },
  });
  const { fix: key } = adviceFor(run("key"));
  expect(key && hintWords(key).page).toMatchObject({
    path: "/settings",
    search: { section: "models", provider: "work" },
  });
  expect(key && hintText(key)).toBe("Update it with 'guildhall key set work'.");
});
