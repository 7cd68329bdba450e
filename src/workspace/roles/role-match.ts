import type { Role, RoleSuggestion } from "../../contract/documents/role.ts";

const WEIGHTS = { specialty: 3, name: 1, description: 0.5 } as const;
const SHORT_WORDS = new Set([
  "a",
  "an",
  "and",
  "as",
  "at",
  "be",
  "by",
  "for",
  "in",
  "is",
  "it",
  "of",
  "on",
  "or",
  "the",
  "to",
  "with",
]);

/** Ranks roles by how well their specialty, then their name and description, fit a text. Roles that fit nowhere are left out. */
export function suggestRoles(roles: readonly Role[], text: string, limit: number): RoleSuggestion[] {
  const asked = new Set(wordsOf(text));
  return roles
    .map((role) => score(role, asked))
    .filter((suggestion) => suggestion.score > 0)
    .sort((left, right) => right.score - left.score || left.roleId.localeCompare(right.roleId))
    .slice(0, limit);
}

function score(role: Role, asked: ReadonlySet<string>): RoleSuggestion {
  const matched = role.specialty.filter((keyword) => isWhole(wordsOf(keyword), asked));
  const partly = role.specialty.filter(
    (keyword) => !matched.includes(keyword) && wordsOf(keyword).some((word) => asked.has(word)),
  );
  const overlap = (words: string) => new Set(wordsOf(words).filter((word) => asked.has(word))).size;
  const total =
    matched.length * WEIGHTS.specialty +
    partly.length * WEIGHTS.name +
    overlap(role.name) * WEIGHTS.name +
    overlap(role.description) * WEIGHTS.description;
  return { roleId: role.id, score: total, matched: [...matched, ...partly] };
}

/** A keyword that is nothing but signs has no words and fits nothing. */
function isWhole(words: readonly string[], asked: ReadonlySet<string>): boolean {
  return words.length > 0 && words.every((word) => asked.has(word));
}

/** Words without their commonest endings, so that "tests", "tested" and "testing" meet. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}+#.]+/gu) ?? [];
  return words
    .map((word) => word.replace(/^\.+|\.+$/g, ""))
    .filter((word) => word !== "" && !SHORT_WORDS.has(word))
    .map(stem);
}

const ENDINGS = ["ations", "ation", "ings", "ing", "ers", "er", "ed", "es", "s"];

function stem(word: string): string {
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= 3) ?? "";
  const rest = word.slice(0, word.length - ending.length);
  return rest.length > 3 && rest.endsWith("e") ? rest.slice(0, -1) : rest;
}
