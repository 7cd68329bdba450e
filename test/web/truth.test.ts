import { expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { repository } from "../harness/repository.ts";
import { held, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { untilDoing } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const DEAR = { input: 300_000, output: 20_000 };

const CODE = `/** Milliseconds in a unit. */\nexport function ms(text: string): number {\n  return text === "1s" ? 1000 : 0;\n}\n`;
const EDIT = {
  path: "src/ms.ts",
  oldText: '  return text === "1s" ? 1000 : 0;',
  newText: "  const units = { s: 1000, m: 60_000 };\n  return units[text.at(-1)] ?? 0; // <b>unknown</b>",
};

async function scripted(
  script: (seen: SeenRequest) => Turn | Promise<Turn>,
  config: object = {},
): Promise<ScriptedHall & { root: string }> {
  const repo = repository({ "src/ms.ts": CODE, "readme.md": "# ms\n" });
  const hall = await scriptedHall(script, { config });
  const { status } = await hall.hall.call("PUT", "/api/projects/shop", { workdir: repo.root });
  expect(status).toBe(200);
  return { ...hall, root: repo.root };
}

test("a run at work shows its edits in red and green, and its changes live with a count and colors", async () => {
  const gate = held();
  const { hall, provider, spawn } = await scripted(({ turns }) =>
    turns === 0
      ? {
          text: "I edit it.",
          calls: [
            { name: "edit", input: EDIT },
            { name: "write", input: { path: "notes 📎.md", content: "# Notes\n\nA new file.\n" } },
          ],
        }
      : gate.opened.then(() => ({ text: "Done." })),
  );
  const { sessionId } = (await spawn()).body;
  await provider.request(1);
  const page = await visit(browser(), hall, `/runs/${sessionId}`);
  const edit = page.getByRole("list", { name: "Changed lines of src/ms.ts" });
  await edit.getByText("removed:").waitFor();
  expect(await edit.textContent()).toContain("// <b>unknown</b>");
  expect(await edit.locator("b").count()).toBe(0);
  await edit.locator(".code-keyword", { hasText: "return" }).first().waitFor();
  const tab = page.getByRole("link", { name: /^Changes/ });
  await tab.getByText("2").waitFor();
  await tab.click();
  await page.getByText("No changes yet").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /src\/ms\.ts/ }).waitFor();
  await page.getByRole("button", { name: /notes 📎\.md/ }).waitFor();
  await page.locator(".code-comment", { hasText: "Milliseconds in a unit" }).waitFor();
});

test("money is one figure with estimates marked, and the price is set in place", async () => {
  const { hall, provider, spawn } = await scripted(
    ({ turns }) => ({ calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }], usage: DEAR }),
    { budget: { dayUsd: 4.5 } },
  );
  const { sessionId } = (await spawn()).body;
  await untilDoing(hall, sessionId, { kind: "waiting", for: "budget" });
  const page = await visit(browser(), hall);
  await page.getByText("1 needs you · 1 waiting").waitFor();
  const needs = page.getByRole("list", { name: "Needs you" });
  await needs.getByRole("link", { name: "Raise limit" }).waitFor();
  expect(await page.getByRole("main").textContent()).toMatch(/≈ \$4\.00\s*of \$4\.50/);
  await needs.getByRole("link", { name: "Raise limit" }).click();
  await page.getByRole("dialog").getByLabel("Daily limit, USD").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("≈ $0.50 left").waitFor();
  provider.play([{ text: "Done.", usage: DEAR }]);
  await page.getByText("No price for own/m.").waitFor();
  await page.getByRole("button", { name: "Set price" }).click();
  const dialog = page.getByRole("dialog", { name: "Set price" });
  await dialog.getByLabel("Input").fill("0");
  await dialog.getByLabel("Output").fill("0");
  await dialog.getByRole("button", { name: "Save price" }).click();
  await page.getByText("Price saved.").waitFor();
  await page.getByText("No price for own/m.").waitFor({ state: "detached" });
});

test("a rejected key offers to update it, and the chat keeps what the agent used", async () => {
  const { hall, spawn } = await scripted((seen) =>
    seen.system.includes("You are the main agent")
      ? seen.turns % 2 === 0
        ? {
            text: "Let me look.",
            calls: [
              { name: "needs_attention", input: {} },
              { name: "list_projects", input: {} },
            ],
          }
        : { text: "One task failed: its key was rejected." }
      : { status: 401, error: { type: "authentication_error", message: "invalid key" } },
  );
  const { body } = await spawn({ options: { waitForCompletion: true } });
  expect(body).toMatchObject({ status: "failed", cause: "key" });
  const page = await visit(browser(), hall);
  const link = page.getByRole("list", { name: "Needs you" }).getByRole("link", { name: "Update key" });
  expect(await link.getAttribute("href")).toBe("/settings?section=models&provider=own");
  await page.getByRole("main").getByRole("button", { name: "Talk" }).click();
  await page.getByRole("textbox", { name: /^Message/ }).fill("What needs me?");
  await page.keyboard.press("Enter");
  await page.getByText("One task failed: its key was rejected.").waitFor();
  const used = page.getByText("Used 2 tools");
  await used.click();
  await page.getByText("Checking what needs you").waitFor();
});
