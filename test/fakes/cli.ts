import { runCommandLine } from "../../src/cli/run.ts";
import { type ApiAnswer, type ApiRequest, type FakeApi, fakeApi } from "./api.ts";
import { type FakeHost, type FakeHostChoice, fakeHost } from "./cli-host.ts";

export interface CliRun {
  code: number;
  out: string;
  err: string;
  host: FakeHost;
  requests: ApiRequest[];
  api: FakeApi;
}

/** Runs one command line against a server that gives these answers, in this very process. */
export async function runCli(
  words: string[],
  answer: (request: ApiRequest, count: number) => ApiAnswer | undefined = () => undefined,
  choice: FakeHostChoice = {},
): Promise<CliRun> {
  const api = await fakeApi(answer);
  const host = fakeHost({ ...choice, env: { GUILDHALL_WORKSPACE: api.workspace, ...choice.env } });
  try {
    const code = await runCommandLine(words, host);
    return { code, out: host.printed.out, err: host.printed.err, host, requests: api.requests, api };
  } finally {
    await api.close();
  }
}
