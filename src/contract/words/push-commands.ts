import type { BranchDelivery } from "../runs/delivery.ts";

interface Pushed {
  remote: { name: string; branch: string };
  delivery: Pick<BranchDelivery, "name" | "target">;
  title: string;
}

/** What a person runs to open a pull request in place of an approval. */
export function pullRequestCommands({ remote, delivery, title }: Pushed): string[] {
  const { name } = delivery;
  return [
    `git push -u ${remote.name} ${quoted(name)}`,
    `gh pr create --base ${quoted(remote.branch)} --head ${quoted(name)} --title ${quoted(title)} --body ''`,
  ];
}

/** What a person runs to push what was merged. */
export function pushCommand({ remote, delivery: { target } }: Omit<Pushed, "title">): string {
  const there = remote.branch === target ? quoted(target) : quoted(`${target}:${remote.branch}`);
  return `git push ${remote.name} ${there}`;
}

/**
 * As a shell reads it as one word. Titles come from people and agents. In fish, unlike in other shells, a backslash before a
 * quote keeps it from closing the word, so it is left out there.
 */
function quoted(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .replaceAll(/\\+(?='|$)/g, "");
  return /^[\w./:-]+$/.test(line) && !line.startsWith("-") ? line : `'${line.replaceAll("'", "'\\''")}'`;
}
