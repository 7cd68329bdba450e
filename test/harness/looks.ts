import type { Page } from "playwright-core";
import { barriers } from "./browser.ts";

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** The narrowest phone in use. */
const NARROW = { width: 360, height: 740 };

/** Only colors depend on the theme, and the bright ones are the same at both widths. */
const LOOKS = [
  { size: DESK, theme: "light" },
  { size: PHONE, theme: "dark" },
  { size: DESK, theme: "dark" },
];
const turns = new WeakMap<Page, number>();

/** Whether `npm run test:pages` asks for full depth. */
export const seesEveryLook = process.env.GUILDHALL_EVERY_LOOK !== undefined;

/** All of them at full depth; otherwise one, each time the next. */
function nextLooks(page: Page): typeof LOOKS {
  if (seesEveryLook) return LOOKS;
  const turn = turns.get(page) ?? 0;
  turns.set(page, turn + 1);
  return LOOKS.filter((_, at) => at === turn % LOOKS.length);
}

/** What is wrong with what a page shows now, for people who cannot see it well, use no mouse, or have a phone. */
export async function complaintsAbout(page: Page, name = page.url()): Promise<string[]> {
  const found: string[] = [];
  for (const { size, theme } of nextLooks(page)) {
    await page.setViewportSize(size);
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    found.push(...(await barriers(page)).map((barrier) => `${size.width}, ${theme}: ${barrier}`));
  }
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
  for (const size of [NARROW, PHONE, DESK]) found.push(...(await tooWide(page, size)));
  return found.map((complaint) => `${name} ${complaint}`);
}

async function tooWide(page: Page, size: typeof DESK): Promise<string[]> {
  await page.setViewportSize(size);
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  return width > size.width ? [`is ${width} wide on a screen of ${size.width}`] : [];
}
