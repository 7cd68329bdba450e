import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { WebhookForm } from "../../../contract/words/autonomy/trigger-words.ts";
import { verify } from "./signatures.ts";

const SECRET = "a secret of this webhook";
const NOW = Date.parse("2026-03-01T12:00:00Z");
const TIME = String(NOW / 1_000);

const hmac = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");

function keysOf(form: WebhookForm, body: string, headers: Record<string, string>): string[] | undefined {
  const delivery = { header: (name: string) => headers[name], body: Buffer.from(body) };
  return verify(form, delivery, { secret: SECRET, now: NOW })?.keys;
}

const github = (body: string, id: string) =>
  keysOf("github", body, { "x-hub-signature-256": `sha256=${hmac(body)}`, "x-github-delivery": id });
const stripe = (body: string, ...more: string[]) =>
  keysOf("stripe", body, {
    "stripe-signature": [`t=${TIME}`, ...more.map((one) => `v1=${one}`), `v1=${hmac(`${TIME}.${body}`)}`].join(),
  });

describe("deliveries", () => {
  it("with an empty id are told apart by what was signed", () => {
    expect(github("one", "")).toEqual(github("one", " "));
    expect(github("one", "")).not.toEqual(github("two", ""));
    expect(github("one", "")).toHaveLength(1);
    expect(stripe('{"id":"","n":1}')).not.toEqual(stripe('{"id":"","n":2}'));
  });

  it("with long ids that begin alike are two", () => {
    const id = "x".repeat(1_000);
    const [first, second] = [github("one", `${id}1`), github("two", `${id}2`)];
    expect(first?.filter((key) => second?.includes(key))).toEqual([]);
    expect(github("two", `${id}1`)).toContain(first?.[0]);
    for (const key of first ?? []) expect(key.length).toBeLessThan(300);
  });

  it("that were signed with a time are not taken without it, as a body that begins with it", () => {
    const right = `sha256=${hmac(`${TIME}.{}`)}`;
    expect(keysOf("plain", "{}", { "x-timestamp": TIME, "x-signature-256": right })).toHaveLength(1);
    expect(keysOf("plain", `${TIME}.{}`, { "x-signature-256": right })).toBeUndefined();
    expect(keysOf("plain", "12.5", { "x-signature-256": `sha256=${hmac("12.5")}` })).toHaveLength(1);
  });

  it("may carry several signatures, in any case of letters, of which ten are looked at", () => {
    expect(stripe('{"id":"e"}', "00", "zz", hmac("other"))).toEqual(["delivery e"]);
    expect(stripe('{"id":"e"}', ...Array.from({ length: 10 }, () => "00"))).toBeUndefined();
    const upper = { "x-hub-signature-256": `sha256=${hmac("one").toUpperCase()}` };
    expect(keysOf("github", "one", upper)).toEqual(github("one", ""));
  });
});
