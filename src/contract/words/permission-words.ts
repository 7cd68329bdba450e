import type { PermissionRule } from "../documents/permission.ts";
import { cutText } from "./cut-text.ts";

const LONGEST_INPUT = 2_000;
/** Characters that people don't see, or see in another order than they are in. Line breaks and tabs are visible. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\p{Noncharacter_Code_Point}]/gu;

/** Which calls a rule allows, for people to read. */
export function ruleText({ tool, commands, path, origin, input = "", digest }: PermissionRule): string {
  const said = () => {
    if (commands !== undefined)
      return commands.length === 1
        ? `${tool}: ${commands[0]}`
        : `${tool}: each of ${listed(commands)}, alone or together`;
    if (path !== undefined) return `${tool}: ${path}, any content`;
    if (origin !== undefined) return `${tool}: pages of ${origin}`;
    if (digest !== undefined) return `${tool}: exactly this input`;
    return `${tool} with the input ${cutText(input, LONGEST_INPUT)}`;
  };
  return visible(said());
}

/** The text with an escape in place of every character that a person can't see. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, (char) =>
      char === "\n" || char === "\t" ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
    );
}

function listed(commands: readonly string[]): string {
  return commands.map((command) => `\`${command}\``).join(", ");
}
