import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { unpackedChromium } from "../../test/harness/chromium.ts";
import { wallClock } from "./bench-hall.ts";
import type { Client } from "./client.ts";

export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await unpackedChromium();
  const args = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath, env, args });
}

/** A browser of its own, signed in to the hall by a link; what it has in its cache is what the sign-in page needs. */
export async function signedIn(browser: Browser, client: Client): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const { url } = (await client.call("POST", "/api/browser/links")) as { url: string };
  await page.goto(url);
  await page.getByRole("main").waitFor();
  await page.close();
  return context;
}

/** The same sign-in in a browser that has nothing in its cache. */
export async function withoutCache(browser: Browser, signedIn: BrowserContext): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: await signedIn.storageState(),
  });
}

/** What has to be added to times of the page's clock to get times of ours. */
export async function clockOffset(page: Page): Promise<number> {
  let best = { round: Number.POSITIVE_INFINITY, offset: 0 };
  for (let at = 0; at < 30; at++) {
    const sent = wallClock();
    const theirs = await page.evaluate(() => performance.timeOrigin + performance.now());
    const round = wallClock() - sent;
    if (round < best.round) best = { round, offset: sent + round / 2 - theirs };
  }
  return best.offset;
}

/** What the page's scripts hold after tidying up, in MB. */
export async function heapOf(page: Page): Promise<number> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}
