import { expect, test } from "vitest";
import { Activity } from "../runs/activity.ts";
import { activityOf, activityWords, callActivity, shownActivity } from "./activity-words.ts";

test.each<[Activity, string]>([
  [{ kind: "thinking" }, "thinking"],
  [{ kind: "summarizing" }, "summarizing the conversation so far"],
  [{ kind: "tool", name: "read", subject: "src/login.ts" }, "reading src/login.ts"],
  [{ kind: "tool", name: "reply", subject: "shop" }, "asking shop"],
  [{ kind: "tool", name: "reply" }, "answering"],
  [{ kind: "tool", name: "task_create", subject: "Fix it" }, "adding “Fix it” to the board"],
  [{ kind: "tool", name: "delegate", subject: "explore" }, "asking explore"],
  [{ kind: "tool", name: "constructor" }, "using constructor"],
  [{ kind: "tool", name: "send_mail", subject: "ada" }, "using send mail ada"],
  [{ kind: "retrying", seconds: 30, detail: "Slow down." }, "retrying in 30 s: Slow down."],
  [{ kind: "waiting", for: "disk" }, "waiting for the disk"],
  [{ kind: "waiting", for: "turn", run: "run-2", folder: "/src" }, "waiting for its turn: run-2 is working in /src"],
  [activityOf({ reason: "budget", text: "$1 of $2" }), "waiting for budget: $1 of $2"],
  [activityOf(undefined), "thinking"],
])("%j in words: %s", (activity, words) => {
  expect(Activity.parse(activity)).toEqual(activity);
  expect(activityWords(activity)).toBe(words);
});

test.each([
  ["reply", { channelType: "project", channelId: "shop", text: "How is it?" }, "shop"],
  ["reply", { channelType: "http", channelId: "default", text: "Well." }, undefined],
  ["exec", { command: 'npm "test"' }, 'npm "test"'],
  ["write", { path: "a.ts", content: '{"path":"evil"}' }, "a.ts"],
  ["search", { pattern: "login", path: "src" }, "login src"],
  ["task_update", { id: "TASK-001", title: "x" }, "TASK-001"],
  ["task_list", { query: "x" }, undefined],
  ["delegate", { to: "explore", question: "Where?" }, "explore"],
  ["team_msg", { op: "log", text: "x" }, undefined],
  ["send_mail", { title: "Hello" }, "Hello"],
  ["list", {}, undefined],
])("a call of %s with %j is about %s", (name, input, subject) => {
  expect(callActivity(name, JSON.stringify(input)).subject).toBe(subject);
});

test("what is shown is one short line without secrets, also of a secret that lies where it is cut", () => {
  const redact = (text: string) => text.replaceAll("hunter2", "***");
  for (const before of ["", "x".repeat(197), " ".repeat(19_990), "\n".repeat(1_997)]) {
    const shown = shownActivity(callActivity("exec", JSON.stringify({ command: `${before}hunter2 && ls` })), redact);
    expect(JSON.stringify(shown)).not.toContain("hun");
    expect(activityWords(shown).length).toBeLessThan(250);
  }
  const waiting = shownActivity({ kind: "waiting", for: "network", detail: "hunter2\nrefused" }, redact);
  expect(waiting).toEqual({ kind: "waiting", for: "network", detail: "*** refused" });
});
