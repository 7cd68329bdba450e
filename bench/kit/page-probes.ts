import type { BrowserContext, Page } from "playwright-core";
import { clockOffset } from "./tabs.ts";

/** What the functions below use of the page that they are sent to; the rest of the program does not run in one. */
interface PageElement {
  textContent: string;
  scrollHeight: number;
  scrollTop: number;
  matches(selector: string): boolean;
  dispatchEvent(event: Event): boolean;
}
declare const document: {
  body: PageElement;
  activeElement: PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
declare class MutationObserver {
  constructor(callback: () => void);
  observe(target: PageElement, options: { subtree: boolean; childList: boolean; characterData: boolean }): void;
}
declare class PerformanceObserver {
  constructor(callback: (list: { getEntries(): { duration: number }[] }) => void);
  observe(options: { type: "longtask" }): void;
  disconnect(): void;
}
declare class KeyboardEvent extends Event {
  constructor(type: string, options: { key: string; bubbles: boolean });
}
declare function requestAnimationFrame(callback: () => void): void;

/** A moment of our clock, and what was then shown or told. */
export interface Sight {
  at: number;
  text: string;
}

interface Probed {
  sights: Sight[];
}

/** Notes what an element says whenever that changes, with the time at which the page's content had changed. */
export async function watchText(page: Page, selector: string): Promise<() => Promise<Sight[]>> {
  const offset = await clockOffset(page);
  await page.evaluate((wanted) => {
    const probed: Probed = { sights: [] };
    const look = () => {
      const text = document.querySelector(wanted)?.textContent ?? "";
      if (text === probed.sights.at(-1)?.text) return;
      probed.sights.push({ at: performance.timeOrigin + performance.now(), text });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
    (globalThis as unknown as { probed: Probed }).probed = probed;
  }, selector);
  return () => sightsIn(page, offset);
}

/** Notes when frames about something come to a tab that does nothing but read the stream. */
export async function watchStream(context: BrowserContext, url: string): Promise<() => Promise<Sight[]>> {
  const page = await context.newPage();
  await page.goto(`${url}/favicon.svg`);
  const offset = await clockOffset(page);
  await page.evaluate(async () => {
    const probed: Probed = { sights: [] };
    (globalThis as unknown as { probed: Probed }).probed = probed;
    const headers = { "x-guildhall-page": localStorage.getItem("guildhall.page-key") ?? "" };
    const answer = await fetch("/api/live", { headers });
    if (!answer.ok || answer.body === null) throw new Error(`the stream answered ${answer.status}`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const read = async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        probed.sights.push({ at: performance.timeOrigin + performance.now(), text: value });
      }
    };
    void read();
  });
  return () => sightsIn(page, offset);
}

async function sightsIn(page: Page, offset: number): Promise<Sight[]> {
  const sights = await page.evaluate(() => (globalThis as unknown as { probed: Probed }).probed.sights);
  return sights.map(({ at, text }) => ({ at: at + offset, text }));
}

export interface Smoothness {
  /** Of a screen with sixty frames a second. */
  dropped: number;
  longest: number;
  longTasks: number;
  /** Time in long tasks beyond the 50 ms that are forgiven. */
  blocked: number;
}

/** Frames while something goes on, scrolled through the longest column or not. */
export function smoothness(page: Page, { ms, scroll }: { ms: number; scroll: boolean }): Promise<Smoothness> {
  return page.evaluate(
    ({ ms: wanted, scroll: isScrolled }) =>
      new Promise<Smoothness>((resolve) => {
        const found: Smoothness = { dropped: 0, longest: 0, longTasks: 0, blocked: 0 };
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) {
            found.longTasks++;
            found.blocked += duration - 50;
          }
        });
        observer.observe({ type: "longtask" });
        const boxes = [...document.querySelectorAll("[data-column] > .overflow-y-auto")];
        const [box] = boxes.sort((left, right) => right.scrollHeight - left.scrollHeight);
        const began = performance.now();
        let last = began;
        const frame = () => {
          const now = performance.now();
          found.longest = Math.max(found.longest, now - last);
          found.dropped += Math.max(0, Math.round((now - last) / (1_000 / 60)) - 1);
          last = now;
          if (isScrolled && box !== undefined) box.scrollTop += 60;
          if (now - began < wanted) requestAnimationFrame(frame);
          else {
            observer.disconnect();
            resolve(found);
          }
        };
        requestAnimationFrame(frame);
      }),
    { ms, scroll },
  );
}

/** In the page before anything else: notes when rows are there and a key has moved to the first of them. */
export function noteInteractive(): void {
  const timer = setInterval(() => {
    const row = document.querySelector("[data-row]");
    if (row === null) return;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
    if (document.activeElement?.matches("[data-row]") !== true) return;
    clearInterval(timer);
    (globalThis as unknown as { interactive: number }).interactive = performance.now();
  }, 2);
}

/** As noteInteractive, for a board: notes when its first cards are there. */
export function noteCards(): void {
  const timer = setInterval(() => {
    if (document.querySelector("[data-task]") === null) return;
    clearInterval(timer);
    (globalThis as unknown as { interactive: number }).interactive = performance.now();
  }, 2);
}

/** Milliseconds from the navigation until what the page was told to note was there. */
export async function timeUntilNoted(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => "interactive" in globalThis);
  return page.evaluate(() => (globalThis as unknown as { interactive: number }).interactive);
}
