import axe, { type Result } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import { type Look, launchBrowser, newContext } from "./chromium-browser.ts";
import type { Hall } from "./daemon.ts";

/** A request that the page may lose: the daemon was stopped, or the page went elsewhere. */
const EXPECTED = /net::ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|ABORTED|EMPTY_RESPONSE)/;

/** What a daemon answers that was asked to stop and has not yet gone. */
const STOPPING = /status of 503/;

let launched: Promise<Browser> | undefined;

/** One browser for all files of tests that share their process, which it ends with; each test opens pages of its own. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    launched ??= launchBrowser();
    browser = await launched;
  });
  return () => {
    if (browser === undefined) throw new Error("the browser is not up yet");
    return browser;
  };
}

/**
 * A browser of its own that is signed in to the hall, with the page at a path. Whatever it complains about fails the test, but for
 * what is expected: a browser says of every request that was refused that it was.
 */
export async function visit(
  browser: Browser,
  hall: Hall,
  path = "/",
  { expects, ...look }: Look & { expects?: RegExp } = {},
): Promise<Page> {
  const context = await newContext(browser, look);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  onTestFinished(async () => {
    await context.close();
    const others = complaints.filter((text) => expects === undefined || !expects.test(text));
    expect(others, "the page complained").toEqual([]);
  });
  await signIn(page, hall, path);
  return page;
}

/** With a one-time link, as a person does. Its code works at every path, so that the dashboard is loaded only once. */
export async function signIn(page: Page, hall: Hall, path = "/"): Promise<void> {
  const { body } = await hall.call("POST", "/api/browser/links");
  await page.goto(body.url.replace("/#", `${path}#`));
  await page.getByRole("main").waitFor();
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !EXPECTED.test(text) && !STOPPING.test(text))
      complaints.push(`${text} (${message.location().url})`);
  });
  return complaints;
}

/**
 * To another page of the dashboard without loading it anew. By way of nowhere, so that nothing of the page before is taken for
 * the one that comes.
 */
export async function go(page: Page, path: string): Promise<void> {
  const to = (address: string) => page.evaluate(`history.pushState({}, "", ${JSON.stringify(address)})`);
  await to("/nowhere");
  await page.getByText("This page doesn't exist.").waitFor();
  await to(path);
}

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds against WCAG 2.2 AA and good practice, or against single rules, in words. */
export async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  // Once for each document: reading its half megabyte takes as long as a look at the page.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const runOnly = rules === undefined ? { type: "tag", values: TAGS } : { type: "rule", values: rules };
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const violations = await unscrolled(page, () =>
    page.evaluate<Result[]>(`axe.run(document, ${options}).then(({ violations }) => violations)`),
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
}

/** In a window that is taller than the page, and than it grows meanwhile: what sticks to an edge covers nothing by half. */
async function unscrolled<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const size = page.viewportSize();
  if (size === null) return look();
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) + 600 });
  const seen = await look();
  await page.setViewportSize(size);
  return seen;
}
