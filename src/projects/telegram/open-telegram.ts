import type { Config } from "../../contract/documents/config.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Keys } from "../../models/providers.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";
import type { Core } from "../../workspace/core.ts";
import type { Channels } from "../channels/channels.ts";
import type { AnswerDesk } from "../questions.ts";
import type { Talk } from "../talk.ts";
import { Telegram } from "./telegram.ts";
import { isBotToken, secretPart, TelegramApi } from "./telegram-api.ts";
import { TelegramNotes } from "./telegram-notes.ts";

interface Options {
  core: Core;
  config: Config;
  keys: Keys;
  channels: Channels;
  talk: () => Talk;
  questions: () => AnswerDesk;
  onTrouble: (what: string, error: unknown) => void;
}

interface OpenTelegram {
  bot: Telegram | undefined;
  problems: () => Problem[];
}

/** The bot that config.yml tells of, if there is one and its token is known. */
export function openTelegram({ core, config, keys, ...parts }: Options): OpenTelegram {
  const settings = config.channels.telegram;
  if (settings?.enabled !== true) return { bot: undefined, problems: () => [] };
  const { botTokenEnv, apiUrl } = settings;
  const token = (keys[botTokenEnv] ?? "").trim();
  if (!isBotToken(token)) {
    const fault =
      token === ""
        ? `channels.telegram needs ${botTokenEnv}, which is not set in the environment or in .guildhall/secrets`
        : `${botTokenEnv} is not a Telegram bot token`;
    const problem = configProblem(`${fault}: Telegram is off`);
    return { bot: undefined, problems: () => [problem] };
  }
  const api = new TelegramApi({ apiUrl, token });
  const telegram = new Telegram({ settings, api, clock: core.clock, notes: new TelegramNotes(core.files), ...parts });
  return { bot: telegram, problems: () => telegram.problems().map(configProblem) };
}

/** What has to be hidden everywhere, whatever the variable is called. */
export function telegramSecrets({ channels: { telegram } }: Config, keys: Keys): { name: string; value: string }[] {
  const value = telegram === undefined ? "" : (keys[telegram.botTokenEnv] ?? "").trim();
  if (telegram === undefined || value === "") return [];
  return [value, secretPart(value)].map((part) => ({ name: telegram.botTokenEnv, value: part }));
}

function configProblem(reason: string): Problem {
  return { file: CONFIG_FILE, kind: "config", severity: "warning", reason };
}
