import type { Config } from "../../contract/documents/config.ts";
import type { EventDraft, HallEvent } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Keys } from "../../models/providers.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import { rememberPosition, subscribe } from "../../workspace/events/event-subscriber.ts";
import type { Outcome, SubscriberPace } from "../../workspace/events/subscriber-parts.ts";
import { forgetSubscriber, SLACK, WEBHOOK } from "../../workspace/events/subscriber-state.ts";
import { briefingNotification } from "./briefing-notification.ts";
import { escalationNotification } from "./escalation-notification.ts";
import { slackForm } from "./slack-form.ts";
import { type Notification, Webhook, type WebhookForm } from "./webhook.ts";

interface Options {
  core: Pick<Core, "events" | "files" | "clock">;
  config: Config["notify"];
  keys: Keys;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<SubscriberPace>;
}

interface OpenNotifications {
  close(): Promise<void>;
  problems(): Problem[];
}

/** Sends notifications to the person's webhooks, where there are any; what goes wrong there shows as a problem. */
export async function openNotifications(options: Options): Promise<OpenNotifications> {
  const { url, secretEnv, slackUrl } = options.config;
  const open = [
    await openWebhook(options, { name: WEBHOOK, url, secretEnv }),
    await openWebhook(options, { name: SLACK, url: slackUrl, form: slackForm }),
  ];
  return {
    close: async () => void (await Promise.all(open.map((one) => one.close()))),
    problems: () => open.flatMap((one) => one.problems()),
  };
}

interface Receiver {
  /** Of its subscriber. */
  name: string;
  url: string | undefined;
  secretEnv?: string | undefined;
  form?: WebhookForm;
}

async function openWebhook(
  { core, keys, onTrouble, pace }: Options,
  { name, url, secretEnv, form }: Receiver,
): Promise<OpenNotifications> {
  const nothing = { close: async () => undefined, problems: () => [] };
  if (url === undefined) {
    // An address that is given later gets what happens from then on.
    forgetSubscriber(core.files, name);
    return nothing;
  }
  const secret = secretEnv === undefined ? undefined : keys[secretEnv];
  if (secretEnv !== undefined && secret === undefined) {
    await rememberPosition(core, name);
    return { ...nothing, problems: () => [missingSecret(secretEnv)] };
  }
  const webhook = new Webhook({ url, secret, clock: core.clock, form });
  return subscribe({
    core,
    name,
    words: { title: `The webhook ${webhook.origin}`, item: "notification" },
    wants: (event) => notificationOf(event) !== undefined,
    keyOf: ({ subject }) => `${subject.kind}/${subject.id}`,
    handle: (event, signal) => send(webhook, event, signal),
    record: (event, outcome) => core.events.append(outcomeOf(event, outcome, webhook.origin)),
    random: Math.random,
    onTrouble,
    pace,
  });
}

function missingSecret(secretEnv: string): Problem {
  const reason = `notify.secretEnv names ${secretEnv}, which is not set in the environment or in .guildhall/secrets; notifications wait until it is set`;
  return { file: CONFIG_FILE, kind: "config", severity: "warning", reason };
}

async function send(webhook: Webhook, event: HallEvent, signal: AbortSignal) {
  const notification = notificationOf(event);
  return notification === undefined ? { kind: "done" as const } : webhook.post(event.id, notification, signal);
}

/** Undefined: the person is not to be told of the event. */
function notificationOf(event: HallEvent): Notification | undefined {
  if (event.subject.kind === "escalation") return escalationNotification(event);
  return event.subject.kind === "briefing" ? briefingNotification(event) : runNotification(event);
}

function runNotification({ type, subject, projectId = "", after = {}, at }: HallEvent): Notification | undefined {
  const about = { run: subject.id, task: String(after.taskId ?? ""), project: projectId, at };
  if (type === "run.notified")
    return { event: type, ...about, summary: String(after.text ?? ""), saidBy: "agent", status: "running" };
  if (type === "budget.warned" || type === "provider.paused") {
    const run = subject.kind === "run" ? subject.id : "";
    return { event: type, ...about, run, summary: String(after.text ?? ""), saidBy: "hall", status: "warning" };
  }
  if (type !== "run.ended" || after.notify !== true) return undefined;
  const saidBy = after.summary ? "agent" : "hall";
  const summary = String(after.summary || after.error || "");
  const cause = typeof after.cause === "string" ? { cause: after.cause } : {};
  return { event: type, ...about, summary, saidBy, status: String(after.status), ...cause };
}

function outcomeOf({ projectId, subject, seq }: HallEvent, outcome: Outcome, to: string): EventDraft {
  const { attempts } = outcome;
  const about = { actor: BY_DAEMON, projectId, subject };
  return outcome.kind === "done"
    ? { type: "notification.delivered", ...about, after: { notification: seq, to, attempts, status: outcome.status } }
    : { type: "notification.failed", ...about, after: { notification: seq, to, attempts, reason: outcome.reason } };
}
