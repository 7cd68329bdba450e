import { TriggerName } from "../../../contract/documents/autonomy/trigger.ts";
import { HallError } from "../../../contract/errors.ts";
import { cutText } from "../../../contract/words/cut-text.ts";
import type { Clock } from "../../../store/ids.ts";
import type { TriggerHistory } from "../history.ts";
import type { TriggerKeeper } from "../keeper.ts";
import type { TriggerDocument, TriggerFiles } from "../trigger-files.ts";
import { type Delivery, verify } from "./signatures.ts";

interface Parts {
  core: { clock: Clock };
  files: Pick<TriggerFiles, "find">;
  history: Pick<TriggerHistory, "of">;
  keeper: Pick<TriggerKeeper, "accept">;
  secretOf: (name: string) => string | undefined;
  token: string;
}

/** Deliveries with a right signature that one trigger takes in a row, and then per second. */
const BURST = 60;
const PER_SECOND = 1;
/** Characters of a body that an agent is given. */
const LONGEST_BODY = 20_000;

export type Received = { status: 200 | 202; is: "accepted" | "duplicate" | "ignored"; firing?: string };

/** Takes deliveries of webhooks. What it answers with 2xx is on disk. */
export class WebhookIntake {
  readonly #parts: Parts;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Why a webhook takes nothing; undefined of any other trigger. */
  problemOf({ on: { webhook } }: Pick<TriggerDocument, "on">): string | undefined {
    if (webhook === undefined) return undefined;
    const secret = this.#parts.secretOf(webhook.secretEnv) ?? "";
    if (secret === "") return `${webhook.secretEnv} is not set: every delivery is refused.`;
    if (secret === this.#parts.token)
      return `${webhook.secretEnv} is the token of this workspace: every delivery is refused.`;
    return undefined;
  }

  /** Throws trigger_not_found before a body is read. */
  assertWaiting(name: string): void {
    if (!TriggerName.safeParse(name).success)
      throw new HallError("malformed", "The path must be /hooks/ and the name of a trigger.", {
        hint: "Names have lower-case letters, digits and hyphens.",
      });
    this.#webhookOf(name);
  }

  async receive(name: string, delivery: Delivery): Promise<Received> {
    const { core, keeper } = this.#parts;
    const { trigger, webhook } = this.#webhookOf(name);
    const now = core.clock().getTime();
    const secret = this.problemOf(trigger) === undefined ? this.#parts.secretOf(webhook.secretEnv) : undefined;
    const found = secret === undefined ? undefined : verify(webhook.form, delivery, { secret, now });
    if (found === undefined) throw new HallError("signature_refused", "The signature is missing, wrong or too old.");
    if (this.#parts.history.of(name).keys.has(found.keys[0] ?? "")) return { status: 200, is: "duplicate" };
    if (webhook.events !== undefined && !webhook.events.includes(found.event ?? ""))
      return { status: 202, is: "ignored" };
    if (!this.#mayTake(name, now)) throw tooMany();
    const about = found.event === undefined ? "" : ` ${found.event}`;
    const accepted = await keeper.accept(name, {
      cause: `webhook${about} ${found.id}`.slice(0, 300),
      keys: found.keys.map((key) => key.slice(0, 300)),
      given: { outside: bodyText(delivery.body) },
    });
    if (accepted.is === "known") return { status: 200, is: "duplicate" };
    if (accepted.is === "accepted") return { status: 202, is: "accepted", firing: accepted.firing.id };
    if (accepted.reason === "queue-full") throw tooMany();
    throw new HallError(
      "trigger_refused",
      accepted.reason === "paused"
        ? `Trigger '${name}' is paused.`
        : `Trigger '${name}' can't fire: its project is not active, or its file is broken.`,
    );
  }

  #webhookOf(name: string) {
    const trigger = this.#parts.files.find(name);
    const webhook = trigger?.on.webhook;
    if (trigger === undefined || webhook === undefined)
      throw new HallError("trigger_not_found", `There is no webhook '${name.slice(0, 64)}'.`);
    return { trigger, webhook };
  }

  #mayTake(name: string, now: number): boolean {
    const bucket = this.#buckets.get(name) ?? { left: BURST, at: now };
    const left = Math.min(BURST, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * PER_SECOND);
    this.#buckets.set(name, { left: left >= 1 ? left - 1 : left, at: now });
    return left >= 1;
  }
}

function tooMany(): HallError {
  return new HallError("too_many_requests", "Too many deliveries are waiting or came in a row.");
}

/** What can be shown of a body, without characters that change how others are shown. */
function bodyText(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, 4 * LONGEST_BODY))
    .toString("utf8")
    .toWellFormed()
    .replaceAll("\0", "");
  return cutText(text, LONGEST_BODY, "\n(cut)");
}
