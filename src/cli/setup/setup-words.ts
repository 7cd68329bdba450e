import type { FirstLook } from "../../contract/first-look.ts";
import { oneLine } from "../plain-text.ts";
import type { Question } from "./setup-steps.ts";

const LABEL = 11;
const KEYS = "Enter takes the default, s skips the rest, Esc leaves. Nothing is made before the last answer.";
const offlineText = ({ secretsFile }: FirstLook) =>
  "No key and no local model was found. Agents rehearse with the offline model, which needs neither and costs nothing. " +
  "For real work set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment of the daemon, or put it as a line " +
  `ANTHROPIC_API_KEY=… into ${oneLine(secretsFile)}`;

/** What is there, before anything is asked. */
export function greeting(found: FirstLook, hasQuestions: boolean): string {
  const { workspace, isNew } = found;
  const where = isNew ? "will be made; --workspace DIR names another" : "is there";
  return [
    `This sets up Guildhall.${hasQuestions ? ` ${KEYS}` : ""}`,
    "",
    label("workspace", `${oneLine(workspace)} (${where})`),
    ...(isNew ? [] : [label("projects", String(found.projects)), label("budget", `${dollars(found.dayUsd)} a day`)]),
    ...keyLines(found),
    ...(found.clis.length === 0 ? [] : [label("programs", found.clis.map(({ name }) => name).join(", "))]),
    label("model", oneLine(found.defaultModel)),
    ...(found.isOffline ? ["", offlineText(found)] : []),
  ].join("\n");
}

export function questionText({ text, choices, offer, how }: Question): string {
  const listed = choices.map((choice, at) => `  ${at + 1}  ${oneLine(choice)}`);
  return [oneLine(text), ...listed, `Enter: ${oneLine(offer)}. Or type ${how}.`].join("\n");
}

function keyLines({ providers }: FirstLook): string[] {
  const keys = providers
    .filter(({ key }) => key)
    .map(({ name, keyNames = [] }) => `${name} (${keyNames.join(" or ")})`);
  const local = providers.filter(({ source }) => source === "local").map(({ name }) => name);
  return [
    ...(keys.length === 0 ? [] : [label("keys", oneLine(keys.join(", ")))]),
    ...(local.length === 0 ? [] : [label("local", oneLine(local.join(", ")))]),
  ];
}

export function dollars(usd: number | null): string {
  return usd === null ? "no limit" : `$${usd}`;
}

function label(name: string, text: string): string {
  return `${name.padEnd(LABEL)}${text}`;
}
