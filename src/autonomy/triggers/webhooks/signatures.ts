import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookForm } from "../../../contract/words/autonomy/trigger-words.ts";

/** How old a signed time may be, and how far ahead. */
const WINDOW_MS = 5 * 60_000;

export interface Delivery {
  /** The only value of a header; undefined when it is missing, sent more than once or not plain ASCII. */
  header: (name: string) => string | undefined;
  body: Uint8Array;
}

/** What is known of a delivery whose signature is right. */
export interface Verified {
  /** What must not count again. */
  keys: string[];
  /** What the sender calls it, such as `push`. */
  event?: string | undefined;
  /** For people. */
  id: string;
}

type Verify = (delivery: Delivery, secret: string, now: number) => Verified | undefined;

/** Undefined: the signature is missing, wrong or too old. */
export function verify(
  form: WebhookForm,
  delivery: Delivery,
  of: { secret: string; now: number },
): Verified | undefined {
  return FORMS[form](delivery, of.secret, of.now);
}

const FORMS: Record<WebhookForm, Verify> = {
  github: (delivery, secret) => {
    if (!isHmac(delivery.header("x-hub-signature-256"), "sha256=", { secret, signed: [delivery.body] }))
      return undefined;
    return verified(delivery, "x-github-delivery", { event: delivery.header("x-github-event"), content: true });
  },
  gitlab: (delivery, secret) => {
    if (!isSame(delivery.header("x-gitlab-token") ?? "", secret)) return undefined;
    const id = delivery.header("idempotency-key") === undefined ? "x-gitlab-event-uuid" : "idempotency-key";
    return verified(delivery, id, { event: delivery.header("x-gitlab-event"), content: false });
  },
  stripe: (delivery, secret, now) => {
    const parts = (delivery.header("stripe-signature") ?? "").split(",").map((part) => part.trim().split("=", 2));
    const time = parts.find(([name]) => name === "t")?.[1] ?? "";
    const signatures = parts.flatMap(([name, value]) => (name === "v1" && value !== undefined ? [value] : []));
    if (!isRecent(time, now)) return undefined;
    const of = { secret, signed: [`${time}.`, delivery.body] };
    // All of them are compared: which one is right shows in no time.
    if (signatures.slice(0, 10).filter((one) => isHmac(one, "", of)).length === 0) return undefined;
    const { id, type } = fieldsOf(delivery.body);
    const hash = digest(delivery.body);
    return {
      keys: [id === undefined ? `delivery ${hash}` : deliveryKey(id)],
      id: id ?? hash.slice(0, 12),
      event: type,
    };
  },
  plain: (delivery, secret, now) => {
    const time = delivery.header("x-timestamp");
    if (time === undefined ? hasTimeInFront(delivery.body) : !isRecent(time, now)) return undefined;
    const signed = time === undefined ? [delivery.body] : [`${time}.`, delivery.body];
    const given = delivery.header("x-signature-256") ?? delivery.header("x-signature");
    if (!isHmac(given, given?.startsWith("sha256=") ? "sha256=" : "", { secret, signed })) return undefined;
    const found = verified(delivery, "x-delivery-id", { event: delivery.header("x-event"), content: true });
    // The time is signed: the same body at another time is another delivery.
    return time === undefined
      ? found
      : { ...found, keys: found.keys.map((key) => (key.startsWith("content ") ? `${key} ${time}` : key)) };
  },
};

/** Ids in headers are not signed: what was signed counts once, too, where the sender signs it. */
function verified(
  { header, body }: Delivery,
  idHeader: string,
  { event, content }: { event: string | undefined; content: boolean },
): Verified {
  const id = header(idHeader)?.trim() || undefined;
  const hash = digest(body);
  const keys = [
    ...(id === undefined ? [] : [deliveryKey(id)]),
    ...(content || id === undefined ? [`content ${hash}`] : []),
  ];
  return { keys, id: id?.slice(0, 200) ?? hash.slice(0, 12), event };
}

/** Of an id that is too long to be kept, its hash: two that begin alike are two deliveries. */
function deliveryKey(id: string): string {
  return `delivery ${id.length > 200 ? digest(Buffer.from(id)) : id}`;
}

function digest(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** What was signed with a time could be sent once more without its header, as a body that begins with it, at any time. */
function hasTimeInFront(body: Uint8Array): boolean {
  return /^\d{9,12}\./.test(Buffer.from(body.subarray(0, 13)).toString("latin1"));
}

function isRecent(time: string, now: number): boolean {
  return /^\d{9,12}$/.test(time) && Math.abs(now - Number(time) * 1_000) <= WINDOW_MS;
}

function isHmac(
  given: string | undefined,
  prefix: string,
  of: { secret: string; signed: (string | Uint8Array)[] },
): boolean {
  const hmac = createHmac("sha256", of.secret);
  for (const part of of.signed) hmac.update(part);
  const right = `${prefix}${hmac.digest("hex")}`;
  return isSame((given ?? "").toLowerCase(), right);
}

/** Takes as long for any two texts of the same lengths. */
function isSame(given: string, right: string): boolean {
  const [left, other] = [given, right].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left as Buffer, other as Buffer) && given !== "";
}

/** Of a body that its signature covers. */
function fieldsOf(body: Uint8Array): { id?: string; type?: string } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const fields = typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
    const text = (value: unknown) =>
      typeof value === "string" && value !== "" && value.length <= 200 ? value : undefined;
    const [id, type] = [text(fields.id), text(fields.type)];
    return { ...(id === undefined ? {} : { id }), ...(type === undefined ? {} : { type }) };
  } catch {
    return {};
  }
}
