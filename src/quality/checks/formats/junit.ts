import type { TestCase } from "../local-checks.ts";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import { identified, MOST_CASES, type ParsedTests, type ReportPlace, repositoryPath, UNREADABLE } from "./parsed.ts";
import { xmlEvents } from "./xml.ts";

const DEEPEST = 200;
const MOST_TEXT = 8_000;
const FILE = /^[^\s:]+\.[cm]?[jt]sx?$/;

interface Open {
  name: string;
  file?: string | undefined;
  line?: number | undefined;
  status: TestCase["status"];
  /** `error`: something around the test failed. */
  how?: "failure" | "error" | undefined;
  message: string;
  text: string;
}

interface Options extends ReportPlace {
  /** pytest counts lines from 0. */
  firstLine?: 0 | 1;
}

/** JUnit XML as pytest, custom commands and many runners write it. */
export function parseJunit(source: string, options: Options): ParsedTests {
  const done: Open[] = [];
  let open: Open | undefined;
  let depth = 0;
  let isReport = false;
  for (const event of xmlEvents(source)) {
    if (event.type === "text") {
      if (open?.how !== undefined && open.text.length < MOST_TEXT) open.text += event.text.slice(0, MOST_TEXT);
      continue;
    }
    if (event.type === "close") {
      depth--;
      if (event.name === "testcase" && open !== undefined) {
        done.push(open);
        open = undefined;
      }
      if (done.length >= MOST_CASES) break;
      continue;
    }
    if (++depth > DEEPEST) return UNREADABLE;
    if (event.name === "testsuites" || event.name === "testsuite") isReport = true;
    else if (event.name === "testcase") open = begun(event.attributes, options);
    else if (open !== undefined) mark(open, event);
  }
  // A report that ends in the middle is none: what is missing may be what failed.
  if (!isReport || (depth !== 0 && done.length < MOST_CASES)) return UNREADABLE;
  return { tests: identified(done.map(caseOf)) };
}

function begun(attributes: Readonly<Record<string, string>>, options: Options): Open {
  const { name = "", classname: given = "", line } = attributes;
  // Runners of JavaScript put the file where Java has the class.
  const isFile = attributes.file === undefined && FILE.test(given);
  const [file, classname] = isFile ? [given, ""] : [attributes.file, given];
  const path = file === undefined ? undefined : repositoryPath(file, options);
  const number = line === undefined ? Number.NaN : Number(line) + (options.firstLine === 0 ? 1 : 0);
  return {
    name: classname === "" || classname === "test" ? name : `${classname} ${name}`,
    file: path === "" ? undefined : path,
    line: Number.isInteger(number) && number > 0 ? number : undefined,
    status: "passed",
    message: "",
    text: "",
  };
}

function mark(open: Open, { name, attributes }: { name: string; attributes: Readonly<Record<string, string>> }): void {
  if (name === "skipped") open.status = "skipped";
  if (name !== "failure" && name !== "error") return;
  open.status = "failed";
  open.how ??= name;
  open.message ||= [attributes.type, attributes.message].filter((part) => part !== undefined && part !== "").join(": ");
}

function caseOf({ how, message, text, ...open }: Open): Omit<TestCase, "id"> {
  if (open.status !== "failed") return open;
  const whole = `${message}\n${text}`;
  return {
    ...open,
    message: message.trim() || text.trim(),
    failure: how === "error" ? loadFailure(whole) : bodyFailure(whole),
  };
}
