import type { CodeError, TestCase } from "../local-checks.ts";

/** What a runner reported. `isUnreadable`: it reported nothing that can be read. */
export interface ParsedTests {
  tests: TestCase[];
  isUnreadable?: true | undefined;
}

/** What a compiler refused. */
export interface ParsedErrors {
  errors: CodeError[];
  isUnreadable?: true | undefined;
}

export const UNREADABLE = { tests: [], isUnreadable: true } as const satisfies ParsedTests;

/** More is kept of no report: nobody reads on. */
export const MOST_CASES = 200_000;
export const MOST_ERRORS = 5_000;
const LONGEST_MESSAGE = 4_000;
const LONGEST_NAME = 1_000;

/** The root of the checkout, which reports name in full, and the folder in it where the command ran. */
export interface ReportPlace {
  root: string;
  folder: string;
}

/** Relative to the root of the repository; undefined where it leads out of it. */
export function repositoryPath(path: string, { root, folder }: ReportPlace): string | undefined {
  const plain = path.replace(/^file:\/\//, "").replaceAll("\\", "/");
  if (plain.startsWith(`${root}/`)) return plain.slice(root.length + 1);
  if (plain.startsWith("/") || plain === "") return undefined;
  const parts: string[] = folder === "" ? [] : folder.split("/");
  for (const part of plain.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

export function cutMessage(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE).toWellFormed()}…`;
}

export type Draft = Omit<TestCase, "id">;

/** Gives each test an id that is the same in another tree; tests of one name are told apart by their order. */
export function identified(drafts: readonly Draft[]): TestCase[] {
  const seen = new Map<string, number>();
  return drafts.slice(0, MOST_CASES).map((draft) => {
    const name = draft.name.slice(0, LONGEST_NAME).toWellFormed();
    const plain = draft.file === undefined ? name : `${draft.file} > ${name}`;
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    const message = draft.message === undefined ? undefined : cutMessage(draft.message);
    return { ...draft, name, message, id: count === 1 ? plain : `${plain} #${count}` };
  });
}

/** As identified, for runners that name a file only where a test failed: it is then no part of the id. */
export function identifiedByName(drafts: readonly Draft[]): TestCase[] {
  const plain = identified(drafts.map((draft) => ({ ...draft, file: undefined })));
  return plain.map((test, at) => ({ ...test, file: drafts[at]?.file }));
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
