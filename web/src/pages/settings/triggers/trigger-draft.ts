import type { Trigger } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import type {
  LatePolicy,
  TriggerEvent,
  WebhookForm,
} from "../../../../../src/contract/words/autonomy/trigger-words.ts";

export const SOURCES = ["cron", "interval", "webhook", "files", "event"] as const;
export type Source = (typeof SOURCES)[number];
export type Action = "message" | "spawn" | "team" | "orchestrate";

/** What a person types, whether it makes sense or not: the daemon says what doesn't. */
export interface TriggerDraft {
  name: string;
  source: Source;
  cron: string;
  timezone: string;
  interval: string;
  secretEnv: string;
  form: WebhookForm;
  /** One per line, as `files`. */
  events: string;
  files: string;
  event: TriggerEvent;
  action: Action;
  message: string;
  roleId: string;
  title: string;
  goal: string;
  words: string;
  late: LatePolicy;
  within: string;
}

export const NEW_TRIGGER: TriggerDraft = {
  name: "",
  source: "cron",
  cron: "0 7 * * 1-5",
  timezone: "",
  interval: "30m",
  secretEnv: "",
  form: "github",
  events: "",
  files: "",
  event: "run.ended",
  action: "message",
  message: "",
  roleId: "",
  title: "",
  goal: "",
  words: "",
  late: "once",
  within: "1d",
};

export function draftOf({ name, on, do: action, late, words }: Trigger): TriggerDraft {
  const { message, spawn, team } = action;
  return {
    ...NEW_TRIGGER,
    name,
    source: SOURCES.find((one) => on[one] !== undefined) ?? "cron",
    cron: on.cron ?? NEW_TRIGGER.cron,
    timezone: on.timezone ?? "",
    interval: on.interval ?? NEW_TRIGGER.interval,
    secretEnv: on.webhook?.secretEnv ?? "",
    form: on.webhook?.form ?? NEW_TRIGGER.form,
    events: on.webhook?.events?.join("\n") ?? "",
    files: on.files?.join("\n") ?? "",
    event: on.event ?? NEW_TRIGGER.event,
    action:
      message !== undefined ? "message" : spawn !== undefined ? "spawn" : team !== undefined ? "team" : "orchestrate",
    message: typeof message === "string" ? message : "",
    roleId: spawn?.roleId ?? "",
    title: spawn?.title ?? "",
    goal: team?.goal ?? "",
    words,
    late: late.policy,
    within: late.within,
  };
}

/** What is sent. `before`: what the form does not show is kept. */
export function bodyOf(draft: TriggerDraft, before?: Trigger) {
  const { words, late: policy, within } = draft;
  return { on: sourceOf(draft), do: actionOf(draft, before), late: { policy, within: within.trim() }, words };
}

function sourceOf({ source, cron, timezone, interval, secretEnv, form, events, files, event }: TriggerDraft) {
  switch (source) {
    case "cron":
      return { cron: cron.trim(), ...(timezone.trim() === "" ? {} : { timezone: timezone.trim() }) };
    case "interval":
      return { interval: interval.trim() };
    case "webhook": {
      const counted = linesOf(events);
      return { webhook: { secretEnv: secretEnv.trim(), form, ...(counted.length === 0 ? {} : { events: counted }) } };
    }
    case "files":
      return { files: linesOf(files) };
    case "event":
      return { event };
  }
}

function actionOf({ action, message, roleId, title, goal, words }: TriggerDraft, before: Trigger | undefined) {
  const description = before?.do.spawn?.description;
  switch (action) {
    case "message":
      // Without a message of its own, its words are the message.
      return { message: message.trim() === "" && words.trim() !== "" ? (true as const) : message };
    case "spawn":
      return { spawn: { roleId, title: title.trim(), ...(description === undefined ? {} : { description }) } };
    case "team":
      return { team: { goal } };
    case "orchestrate":
      return { orchestrate: true as const };
  }
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
