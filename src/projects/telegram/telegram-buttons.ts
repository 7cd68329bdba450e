import { createHash } from "node:crypto";
import { cutText } from "../../contract/words/cut-text.ts";
import type { ShownQuestion } from "../questions.ts";

const LONGEST_LABEL = 40;
const MOST_SHOWN = 8;
const IN_ROW = 4;

/** What a button does: gives the suggested answer of that number, snoozes for hours, or shows the question. */
export type Press = { kind: "answer"; at: number } | { kind: "snooze"; hours: number } | { kind: "show" };

/** The data of a button: which question, in which version, and what to do. Telegram allows 64 bytes. */
export interface ButtonData {
  idHash: string;
  fingerprint: string;
  press: Press;
}

type Button = { text: string; callback_data: string } | { text: string; url: string };
export interface Keyboard {
  inline_keyboard: Button[][];
}

const SNOOZES = [
  { text: "Snooze 1 hour", hours: 1 },
  { text: "Snooze 1 day", hours: 24 },
];

/** One row for each suggested answer, then what else can be done. */
export function questionKeyboard(question: ShownQuestion): Keyboard {
  const data = (press: Press) => buttonData(question, press);
  return {
    inline_keyboard: [
      ...question.suggestedAnswers.map(({ label }, at) => [
        { text: `${at + 1}. ${oneLine(label)}`, callback_data: data({ kind: "answer", at }) },
      ]),
      SNOOZES.map(({ text, hours }) => ({ text, callback_data: data({ kind: "snooze", hours }) })),
      ...(question.link === undefined ? [] : [[{ text: "Open", url: question.link }]]),
    ],
  };
}

/** A button for each of the first questions, by its number in the list. */
export function summaryKeyboard(questions: readonly { question: ShownQuestion; at: number }[]): Keyboard {
  const buttons = questions.slice(0, MOST_SHOWN).map(({ question, at }) => ({
    text: `Show ${at + 1}`,
    callback_data: buttonData(question, { kind: "show" }),
  }));
  const rows = Array.from({ length: Math.ceil(buttons.length / IN_ROW) }, (_, row) =>
    buttons.slice(row * IN_ROW, (row + 1) * IN_ROW),
  );
  return { inline_keyboard: rows };
}

/** An id of any length fits: the question is found by the hash of its id. */
export function idHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 16);
}

export function pressIn(data: string): ButtonData | undefined {
  const [, hash = "", fingerprint = "", code = "", number = ""] =
    /^([0-9a-f]{16}):([0-9a-f]{1,16}):([asv])(\d{0,3})$/.exec(data) ?? [];
  const press = pressOf(code, number);
  return press === undefined ? undefined : { idHash: hash, fingerprint, press };
}

function pressOf(code: string, number: string): Press | undefined {
  if (code === "v" && number === "") return { kind: "show" };
  if (number === "") return undefined;
  if (code === "a") return { kind: "answer", at: Number(number) };
  const isOffered = SNOOZES.some(({ hours }) => hours === Number(number));
  return code === "s" && isOffered ? { kind: "snooze", hours: Number(number) } : undefined;
}

function buttonData({ id, fingerprint }: ShownQuestion, press: Press): string {
  return `${idHash(id)}:${fingerprint}:${codeOf(press)}`;
}

function codeOf(press: Press): string {
  switch (press.kind) {
    case "answer":
      return `a${press.at}`;
    case "snooze":
      return `s${press.hours}`;
    case "show":
      return "v";
  }
}

function oneLine(label: string): string {
  return cutText(label.replaceAll(/\s+/g, " ").trim(), LONGEST_LABEL);
}
