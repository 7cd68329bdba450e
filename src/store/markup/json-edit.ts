import { tokensOf } from "./json-text.ts";

interface Member {
  key: string;
  /** Where its key begins, its value begins, and its value ends. */
  at: number;
  value: number;
  end: number;
}

/**
 * Sets members of the object that a JSON text has, and leaves every other byte as it is; undefined removes a member. New ones
 * come last, in the order given. The text must be one that parseJsonText reads as an object.
 */
export function editJsonMembers(text: string, changes: Readonly<Record<string, unknown>>): string {
  const { members, open } = membersOf(text);
  const indent = indentOf(text, members[0]);
  let next = text;
  for (const member of members.toReversed()) {
    const value = changes[member.key];
    if (value !== undefined) next = next.slice(0, member.value) + rendered(value, indent) + next.slice(member.end);
  }
  const known = new Set(members.map(({ key }) => key));
  for (const key of known) if (key in changes && changes[key] === undefined) next = without(next, key);
  const added = Object.entries(changes).filter(([key, value]) => value !== undefined && !known.has(key));
  return added.length === 0 ? next : withAdded(next, added, { indent, open });
}

/** The members of the outermost object, in order. */
function membersOf(text: string): { members: Member[]; open: number } {
  const members: Member[] = [];
  let [depth, open, end] = [0, 0, 0];
  let latest = { token: "", at: 0 };
  let current: Omit<Member, "end"> | undefined;
  const close = () => {
    if (current !== undefined) members.push({ ...current, end });
    current = undefined;
  };
  for (const { token, at } of tokensOf(text)) {
    if (token === "\n") continue;
    if (depth === 1 && (token === "," || token === "}")) close();
    if (token === "{" || token === "[") {
      if (depth === 0) open = at;
      depth++;
    } else if (token === "}" || token === "]") depth--;
    if (current !== undefined && current.value === -1) current.value = at;
    if (depth === 1 && token === ":" && current === undefined)
      current = { key: String(JSON.parse(latest.token)), at: latest.at, value: -1 };
    latest = { token, at };
    end = at + token.length;
  }
  return { members, open };
}

function indentOf(text: string, first: Member | undefined): string {
  if (first === undefined) return "  ";
  const before = text.slice(text.lastIndexOf("\n", first.at) + 1, first.at);
  return /^[ \t]+$/.test(before) ? before : "  ";
}

function rendered(value: unknown, indent: string): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", `\n${indent}`);
}

/** With the comma that joined it to the others. */
function without(text: string, key: string): string {
  const { members } = membersOf(text);
  const place = members.findIndex((member) => member.key === key);
  const [before, member, after] = [members[place - 1], members[place], members[place + 1]];
  if (member === undefined) return text;
  if (after !== undefined) return text.slice(0, member.at) + text.slice(after.at);
  return text.slice(0, before?.end ?? member.at) + text.slice(member.end);
}

function withAdded(
  text: string,
  added: readonly [string, unknown][],
  { indent, open }: { indent: string; open: number },
): string {
  const lines = added.map(([key, value]) => `${indent}${JSON.stringify(key)}: ${rendered(value, indent)}`);
  const { members } = membersOf(text);
  const last = members.at(-1);
  const at = last?.end ?? open + 1;
  const rest = text.slice(at);
  return `${text.slice(0, at)}${last === undefined ? "" : ","}\n${lines.join(",\n")}${/^\s*\n/.test(rest) ? "" : "\n"}${rest}`;
}
