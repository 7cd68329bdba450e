import { expect, test } from "vitest";
import { ErrorBody } from "../error-body.ts";
import { errorTable, HallError } from "../errors.ts";
import { advice, type HintAction, heardHint, hint, hintText, hintWords, toldHint } from "./hint.ts";
import { HINT_ACTIONS } from "./hint-actions.ts";
import { HintData } from "./hint-schema.ts";

const actions = Object.keys(HINT_ACTIONS) as HintAction[];

test("commands are said as the reader calls the program, those of other programs as they are", () => {
  const said = hint("merge-by-hand", { run: "run-1", branch: "b", target: "main" });
  expect(hintText(said)).toBe(
    "Merge it yourself with 'git merge b' on main, then approve it again; or request changes with 'guildhall run request-changes run-1'.",
  );
  expect(hintText(hint("daemon-start"), "/g/guildhall")).toBe("Start it with '/g/guildhall up'.");
});

test.each(actions)("%s is a whole sentence without args too, and what it says is data", (action) => {
  const said = hint(action, action === "advice" ? { text: "Retry." } : {});
  expect(HintData.parse(said)).toEqual(said);
  expect(hintText(said)).toMatch(/\.$/);
  expect(hintText(said)).not.toContain("undefined");
  // No sentence has a command in its words, where nobody can tell it apart.
  for (const part of hintWords(said).parts) if (typeof part === "string") expect(part).not.toContain("guildhall ");
});

test("a page is named only with what it needs", () => {
  expect(hintWords(hint("run-diff")).page).toBeUndefined();
  expect(hintWords(hint("run-diff", { run: "run-1" })).page).toMatchObject({
    path: "/runs/run-1",
    search: { view: "changes" },
  });
});

test("a hint comes back from an answer as it was, and one of an unknown action in its words", () => {
  const said = hint("project-resume", { project: "shop", run: undefined });
  const told = JSON.parse(JSON.stringify(toldHint(said)));
  expect(heardHint(told)).toEqual({ action: "project-resume", args: { project: "shop" } });
  expect(heardHint({ ...told, hintAction: { action: "toString", args: {} } })).toEqual(advice(told.hint));
  expect(heardHint({})).toBeUndefined();
});

test("an error has the hint of its code, a plain sentence or an action", () => {
  expect(new HallError("run_ended", "It ended.").hint).toBe(errorTable.run_ended.hint);
  expect(new HallError("invalid", "No.", { hint: "Shorten it." }).hint).toEqual(advice("Shorten it."));
  const error = new HallError("run_ended", "It ended.", { hint: hint("run-retry", { run: "run-1" }) });
  const body = { error: { code: error.code, message: error.message, ...toldHint(error.hint), requestId: "r" } };
  expect(ErrorBody.parse(body).error.hintAction).toEqual({ action: "run-retry", args: { run: "run-1" } });
});
