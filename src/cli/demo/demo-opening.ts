import type { TableSpace } from "../text-table.ts";
import { wrapProse } from "../text-wrap.ts";
import type { DemoStep } from "./demo-step.ts";

/** What is said before anything happens. The link stays whole: it has to be copied or clicked. */
export function openingText(
  { link, folder }: Extract<DemoStep, { step: "hall" }>,
  { paint, width }: TableSpace,
): string {
  return wrapProse(
    [
      `${paint("bold", "Agents at work, without a key and without cost:")} the offline model plays them.`,
      `Watch it live: ${paint("cyan", link)}`,
      `The files: ${folder}`,
      "",
    ].join("\n"),
    width,
  );
}
