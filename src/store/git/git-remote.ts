import { join } from "node:path";
import { readRegular } from "../files/regular-file.ts";
import { settingsIn } from "./git-config.ts";

/** What can be written into a command without surprises; anything else is not offered. */
const PLAIN = /^[A-Za-z0-9][\w./-]{0,199}$/;

/** The remote that a branch is pushed to, by the repository's own settings, and the branch there. */
export function trackedRemote(repository: string, branch: string): { name: string; branch: string } | undefined {
  const settings = settingsIn(configOf(repository)) ?? [];
  const remotes = settings.flatMap(({ section, subsection }) => (section === "remote" ? [subsection ?? ""] : []));
  const known = [...new Set(remotes)];
  const own = (name: string) =>
    settings.findLast((one) => one.section === "branch" && one.subsection === branch && one.name === name)?.value;
  const name = own("remote") ?? (known.includes("origin") ? "origin" : known.length === 1 ? known[0] : undefined);
  const there = own("merge")?.replace(/^refs\/heads\//, "") ?? branch;
  if (name === undefined || !known.includes(name) || !PLAIN.test(name) || !PLAIN.test(there)) return undefined;
  return { name, branch: there };
}

function configOf(repository: string): string {
  try {
    return readRegular(join(repository, "config"), "config").toString("utf8");
  } catch {
    return "";
  }
}
