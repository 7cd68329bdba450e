import { testNamesIn } from "./test-names.ts";

const ID = "S[0-4]-[A-Z]+-\\d\\d";
const BRACKET = /\[([^\]]*)\]/g;
/** Other lists have ids, too. */
const MEANT = /^S\d/;
const ROW = new RegExp(`^\\| (${ID}) \\| (.*) \\| ([^|]*) \\|$`);
const ROW_START = /^\|\s*`?S\d/;
const UNPROVEN = "–";
/** A test that names more is too broad to show that it would fail without each of them. */
const MOST_IDS = 5;

/** The test files that name each id, sorted. */
export type Proofs = ReadonlyMap<string, readonly string[]>;

export interface Collected {
  proofs: Proofs;
  problems: string[];
}

export interface FilledTable {
  text: string;
  problems: string[];
  /** Proven and listed items, in the order of the page. */
  groups: { name: string; proven: number; total: number }[];
}

/** Reads `[S0-ROLE-17]`, `[S0-FS-01 S0-FS-02]` and the like from the names of the tests in these files. */
export function collectProofs(files: ReadonlyMap<string, string>): Collected {
  const proofs = new Map<string, string[]>();
  const problems: string[] = [];
  for (const [path, source] of files) {
    if (!path.endsWith(".test.ts")) continue;
    const claims = testNamesIn(path, source).map((name) => ({ name, ids: new Set(wordsInBrackets(name)) }));
    for (const { name, ids } of claims.filter(({ ids: named }) => named.size > MOST_IDS))
      problems.push(`${path}: one test names ${ids.size} items, at most ${MOST_IDS} are allowed: ${name}`);
    for (const id of new Set(claims.flatMap(({ ids }) => [...ids]))) {
      if (isId(id)) proofs.set(id, [...(proofs.get(id) ?? []), path].toSorted());
      else problems.push(`${path} names ${id}, which is not the form of an id`);
    }
  }
  return { proofs, problems };
}

/** Writes the Tests column of every row, and leaves every other byte as it is. After the dash of an unproven item may stand why. */
export function fillTable(page: string, proofs: Proofs): FilledTable {
  const problems: string[] = [];
  const listed = new Set<string>();
  const lines = page.split("\n").map((line) => {
    const [, id, what, before = ""] = ROW.exec(line) ?? [];
    if (id === undefined) {
      if (ROW_START.test(line)) problems.push(`not a row of the form | Id | What | Tests |: ${line}`);
      return line;
    }
    if (listed.has(id)) problems.push(`${id} is listed twice`);
    listed.add(id);
    const unproven = before.startsWith(`${UNPROVEN} `) ? before : UNPROVEN;
    return `| ${id} | ${what} | ${proofs.get(id)?.join("<br>") ?? unproven} |`;
  });
  for (const [id, paths] of proofs) {
    if (!listed.has(id)) problems.push(`${id} is not listed, but named by ${paths.join(", ")}`);
  }
  return { text: lines.join("\n"), problems, groups: groupsOf([...listed], proofs) };
}

/** Items that no test proves, and that don't say why. */
export function unexplained(page: string): string[] {
  return page.split("\n").flatMap((line) => {
    const [, id, , tests] = ROW.exec(line) ?? [];
    return id !== undefined && tests === UNPROVEN ? [`${id} has neither a test nor a reason`] : [];
  });
}

function groupsOf(ids: string[], proofs: Proofs): FilledTable["groups"] {
  const byName = Map.groupBy(ids, (id) => id.slice(0, id.lastIndexOf("-")));
  return [...byName].map(([name, members]) => ({
    name,
    proven: members.filter((id) => proofs.has(id)).length,
    total: members.length,
  }));
}

function wordsInBrackets(name: string): string[] {
  return [...name.matchAll(BRACKET)].flatMap(([, inside = ""]) =>
    inside.split(/[\s,]+/).filter((word) => MEANT.test(word)),
  );
}

function isId(word: string): boolean {
  return new RegExp(`^${ID}$`).test(word);
}
