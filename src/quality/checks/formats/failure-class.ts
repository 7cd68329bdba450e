import type { TestCase } from "../local-checks.ts";

type Failure = NonNullable<TestCase["failure"]>;

/** What runners say when something that a test needs does not exist: the names of error classes, codes and fixed phrases. */
const MISSING = [
  /\b(?:ReferenceError|ModuleNotFoundError|ImportError|NameError|NotImplementedError|NoMethodError)\b/,
  /\b(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED|ERR_UNSUPPORTED_DIR_IMPORT)\b/,
  /\bCannot find (?:module|package)\b/,
  /\bFailed to (?:resolve import|load url)\b/,
  /\bdoes not provide an export named\b/,
  /\bTypeError\b.{0,300}\bis not a (?:function|constructor)\b/s,
  /\bTypeError\b.{0,300}\b(?:unexpected keyword argument|missing \d+ required positional argument|takes \d+ positional arguments?)\b/s,
  /\bAttributeError\b(?!.{0,20}'NoneType').{0,300}\bhas no attribute\b/s,
  // Go and Rust.
  /\bundefined: \w/,
  /\bundefined \(type .{1,200} has no field or method\b/,
  /\bno required module provides package\b/,
  /\bis not in std\b/,
  /\berror\[E0(?:405|412|422|423|424|425|432|433|531|560|599|609)\]/,
];

function isMissing(text: string): boolean {
  return MISSING.some((pattern) => pattern.test(text));
}

/** Of a test that ran: it saw something wrong, unless what it looks at is not there. */
export function bodyFailure(text: string): Failure {
  return isMissing(text) ? "missing" : "assertion";
}

/** Of something that kept tests from running. */
export function loadFailure(text: string): Failure {
  return isMissing(text) ? "missing" : "other";
}
