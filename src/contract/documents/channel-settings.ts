import { z } from "zod";

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;
const MOST_OWNERS = 100;

const isPlainAddress = (url: string) => {
  const { username, password, search, hash } = new URL(url);
  return username + password + search + hash === "";
};

/** The token never stands here: it comes from the environment or from .guildhall/secrets. */
const Telegram = z.strictObject({
  enabled: z.boolean().default(true),
  botTokenEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, "must be the name of an environment variable")
    .default("TELEGRAM_BOT_TOKEN"),
  /** The numbers of the users who are the person. Nobody else is listened to or written to. */
  owners: z.array(z.int().min(1, "must be a user ID")).max(MOST_OWNERS).default([]),
  /** The token goes there with every request. */
  apiUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
    .refine(isPlainAddress, "must not have a user name, password or query")
    .refine((url) => new URL(url).protocol === "https:" || LOOPBACK.test(new URL(url).hostname), {
      error: "must be https; http is allowed only for this machine",
    })
    .default("https://api.telegram.org"),
});
export type TelegramSettings = z.infer<typeof Telegram>;

/** The channels beside the CLI and HTTP, which are always there. */
export const ChannelSettings = z.strictObject({ telegram: Telegram.optional() });
