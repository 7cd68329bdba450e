import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { type Look, newContext } from "../../test/harness/chromium-browser.ts";

export const DESK: Look = { width: 1440, height: 900 };
export const PHONE: Look = { width: 390, height: 844 };

/** Longer pages are cut here. */
const LONGEST = 2_600;

export interface Subject {
  url: string;
  dashboardLink: () => string;
}

export interface Shot {
  path: string;
  /** What a person does before it is worth a picture. */
  before?: (page: Page) => Promise<void>;
}

export interface Camera {
  /** Of what is in sight, or of the whole page. Tells how wide the page is, if that is more than the screen. */
  shoot(shot: Shot, file: string, isWhole?: boolean): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A browser of its own, signed in with a link of its own. */
export async function camera(browser: Browser, subject: Subject, look: Look): Promise<Camera> {
  const context = await newContext(browser, look);
  const page = await context.newPage();
  const isQuiet = scriptsOf(page);
  await page.goto(subject.dashboardLink());
  await page.getByRole("main").waitFor();
  return {
    async shoot({ path, before }, file, isWhole = false) {
      await page.goto(subject.url + path);
      await isThere(page, isQuiet);
      await before?.(page);
      await isThere(page, isQuiet);
      mkdirSync(dirname(file), { recursive: true });
      await page.screenshot({ path: file, animations: "disabled", caret: "hide", ...(await cut(page, isWhole)) });
      const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
      return wide > (look.width ?? 0) ? `${path} is ${wide} wide` : undefined;
    },
    close: () => context.close(),
  };
}

/** Nothing is on its way any more: no words of waiting, fonts loaded, and two frames drawn. */
async function isThere(page: Page, isQuiet: () => Promise<void>): Promise<void> {
  await page.getByRole("main").locator("h1").first().waitFor();
  await page.locator("[role=status] > div.animate-pulse").first().waitFor({ state: "hidden", timeout: 20_000 });
  await isQuiet();
  await page.evaluate(
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))",
  );
}

/** Parts of a page that are loaded when they are needed say nothing while they are on their way. */
function scriptsOf(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on("request", (request) => request.url().endsWith(".js") && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return async () => {
    // What a page asked for that has been left is never told as finished.
    for (let looks = 0, quiet = 0; quiet < 3 && looks < 15; looks++) {
      await page.waitForTimeout(100);
      quiet = open.size === 0 ? quiet + 1 : 0;
    }
    open.clear();
  };
}

async function cut(page: Page, isWhole: boolean): Promise<object> {
  if (!isWhole) return {};
  const [width, height] = (await page.evaluate(
    "[innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]",
  )) as [number, number];
  return { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, LONGEST) } };
}
