import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { unpackedChromium } from "./chromium.ts";

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await unpackedChromium();
  // Without its own sandbox, which a container does not allow; everything that keeps sites apart stays on.
  return chromium.launch({
    executablePath,
    env,
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

export interface Look {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
}

export function newContext(
  browser: Browser,
  { theme = "light", width = 1440, height = 900 }: Look = {},
): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce" });
}
