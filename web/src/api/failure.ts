import { errorText } from "../../../src/contract/words/error-text.ts";
import type { Hint } from "../../../src/contract/words/hint.ts";

interface Said {
  code: string;
  message: string;
  hint?: Hint | undefined;
  status: number;
  /** Where in the workspace it is, if it is in a file. */
  file?: string;
  line?: number;
}

/** Why the daemon did not do what the page asked. `away`: it could not be reached. */
export class Failure extends Error {
  readonly code: string;
  readonly hint: Hint | undefined;
  readonly status: number;
  readonly file: string | undefined;
  readonly line: number | undefined;

  constructor({ code, message, hint, status, file, line }: Said) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.status = status;
    this.file = file;
    this.line = line;
  }
}

export function isAway(error: unknown): boolean {
  return error instanceof Failure && error.code === "away";
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = errorText(error);
  return new Failure({ code: "page", message: `This page hit an error: ${message}`, status: 0 });
}
