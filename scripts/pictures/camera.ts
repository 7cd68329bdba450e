import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page } from "playwright-core";
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
  await page.goto(subject.dashboardLink());
  await page.getByRole("main").waitFor();
  return {
    async shoot({ path, before }, file, isWhole = false) {
      await page.goto(subject.url + path);
      await isThere(page);
      await before?.(page);
      await isThere(page);
      mkdirSync(dirname(file), { recursive: true });
      await page.screenshot({ path: file, animations: "disabled", caret: "hide", ...(await cut(page, isWhole)) });
      const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
      return wide > (look.width ?? 0) ? `${path} is ${wide} wide` : undefined;
    },
    close: () => context.close(),
  };
}

/** Nothing is on its way any more: no words of waiting, fonts loaded, and two frames drawn. */
async function isThere(page: Page): Promise<void> {
  await page.getByRole("main").locator("h1").first().waitFor();
  await page.locator("[role=status] > div.animate-pulse").first().waitFor({ state: "hidden", timeout: 20_000 });
  // Parts of a page that are loaded when they are needed say nothing while they are on their way.
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate(
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))",
  );
}

async function cut(page: Page, isWhole: boolean): Promise<object> {
  if (!isWhole) return {};
  const [width, height] = (await page.evaluate(
    "[innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]",
  )) as [number, number];
  return { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, LONGEST) } };
}
