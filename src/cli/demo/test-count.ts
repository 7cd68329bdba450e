import { spawn } from "node:child_process";

export interface TestCount {
  passed: number;
  failed: number;
}

/** What `node --test` says at its end, in whatever form; undefined when it is not that. */
export function testCountIn(output: string): TestCount | undefined {
  const of = (what: string) => new RegExp(`^(?:#|ℹ) ${what} (\\d+)$`, "m").exec(output)?.[1];
  const [passed, failed] = [of("pass"), of("fail")];
  return passed === undefined || failed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
}

/** Runs the tests of a repository as a person would, outside of the hall. */
export function runTests(repository: string, signal?: AbortSignal): Promise<TestCount | undefined> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--test"], {
    cwd: repository,
    env,
    signal,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(undefined));
    child.on("close", () => resolve(testCountIn(output)));
  });
}
