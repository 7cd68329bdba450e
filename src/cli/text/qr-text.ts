import type { QrCode } from "./qr-code.ts";

const QUIET = 2;
/** Two modules in one letter, by whether the upper and the lower one are dark. */
const DARK_INK = { none: " ", upper: "▀", lower: "▄", both: "█" } as const;
const LIGHT_INK = { none: "█", upper: "▄", lower: "▀", both: " " } as const;
const BLACK_ON_WHITE = "\u001b[38;5;16;48;5;231m";
const PLAIN = "\u001b[0m";

/**
 * A code to be scanned off a terminal. With colors it is black on white whatever the terminal's own are; without, the light
 * parts are drawn, as most terminals are dark and most readers take the other way round as well.
 */
export function qrText(code: QrCode, { colors }: { colors: boolean }): string {
  const ink = colors ? DARK_INK : LIGHT_INK;
  const at = (x: number, y: number) => code[y]?.[x] ?? false;
  const lines: string[] = [];
  for (let y = -QUIET; y < code.length + QUIET; y += 2) {
    let line = "";
    for (let x = -QUIET; x < code.length + QUIET; x++) {
      const [upper, lower] = [at(x, y), at(x, y + 1)];
      line += ink[upper ? (lower ? "both" : "upper") : lower ? "lower" : "none"];
    }
    lines.push(colors ? `${BLACK_ON_WHITE}${line}${PLAIN}` : line);
  }
  return lines.join("\n");
}
