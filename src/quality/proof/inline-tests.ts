import { maskCode } from "./languages.ts";

const TEST_MODULE = /^[ \t]*#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?mod\s+\w+\s*\{/m;

/** Tests of Rust stand in the files of the code that they test. */
export function hasInlineTests(path: string): boolean {
  return path.endsWith(".rs");
}

/** The code of a file and its test module, which ends the file by convention. */
export function splitInlineTests(text: string): { code: string; tests: string } {
  const at = TEST_MODULE.exec(maskCode(text, "rust"))?.index ?? text.length;
  return { code: text.slice(0, at), tests: text.slice(at) };
}
