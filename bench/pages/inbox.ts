import type { Browser, BrowserContext, Page } from "playwright-core";
import type { BusyProcess } from "../kit/busy-process.ts";
import { median, ms } from "../kit/figures.ts";
import { noteInteractive, timeUntilNoted } from "../kit/page-probes.ts";
import { atMost, type Line } from "../kit/report.ts";
import { signedIn, withoutCache } from "../kit/tabs.ts";

const GOAL_MS = 1_000;
/** What browsers call good is up to 0.1. */
const GOAL_SHIFT = 0.1;

/** The inbox with many open questions: how long until it answers a key, and how much moves while it loads. */
export async function inbox(
  browser: Browser,
  hall: BusyProcess,
  { quick, questions }: { quick: boolean; questions: number },
): Promise<Line[]> {
  const known = await signedIn(browser, hall.client);
  const url = `${hall.url}/inbox`;
  const cold: number[] = [];
  const shifts: number[] = [];
  for (let round = 0; round < (quick ? 3 : 11); round++) {
    const context = await withoutCache(browser, known);
    const found = await opened(context, url);
    cold.push(found.ms);
    shifts.push(found.shift);
    await context.close();
  }
  await known.close();
  const value = median(cold);
  const shift = Math.max(...shifts);
  const name = `Inbox with ${questions} questions`;
  return [
    {
      cells: [`${name} until it answers a key, nothing in the cache`, ms(value), "", ""],
      goal: atMost(GOAL_MS, value, "ms"),
    },
    { cells: [`${name}, layout shift while it loads`, shift.toFixed(3), "", ""], goal: atMost(GOAL_SHIFT, shift, "") },
  ];
}

async function opened(context: BrowserContext, url: string): Promise<{ ms: number; shift: number }> {
  const page = await context.newPage();
  await page.addInitScript(noteInteractive);
  await page.addInitScript(noteShifts);
  const found = await timeUntilNoted(page, url);
  await page.getByRole("article").waitFor();
  // What comes after it would move it: names of projects, counts, the code of Markdown.
  await page.waitForTimeout(1_000);
  return { ms: found, shift: await shiftOf(page) };
}

interface Shifted {
  shift: number;
}
declare class PerformanceObserver {
  constructor(callback: (list: { getEntries(): { value: number; hadRecentInput: boolean }[] }) => void);
  observe(options: { type: "layout-shift"; buffered: boolean }): void;
}

/** Runs in the page. */
function noteShifts(): void {
  const noted = globalThis as unknown as Shifted;
  noted.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) noted.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
}

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Shifted).shift);
}
