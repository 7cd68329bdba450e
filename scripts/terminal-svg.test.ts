import { expect, it } from "vitest";
import { terminalSvg } from "./terminal-svg.ts";

const about = { title: "a session", columns: 40 };

it("draws colours, bold and dim text as the terminal would", () => {
  const svg = terminalSvg(["\u001b[32mup\u001b[39m at \u001b[1mhome\u001b[22m, \u001b[2mquietly\u001b[22m"], about);
  expect(svg).toContain('<tspan fill="#7ee787">up</tspan><tspan> at </tspan><tspan font-weight="600">home</tspan>');
  expect(svg).toContain('<tspan fill-opacity="0.6">quietly</tspan>');
  expect(svg).not.toContain("\u001b");
});

it("keeps a colour that is still on at the end of a line", () => {
  expect(terminalSvg(["\u001b[31mone", "two\u001b[0m three"], about)).toContain(
    '<tspan fill="#ff7b72">two</tspan><tspan> three</tspan>',
  );
});

it("shows text that looks like markup as text", () => {
  expect(terminalSvg(["a <b> & c"], about)).toContain("<tspan>a &lt;b&gt; &amp; c</tspan>");
});

it("goes on in the next line where a line is too long", () => {
  const svg = terminalSvg(["\u001b[36mabcdef\u001b[39mgh"], { title: "narrow", columns: 4 });
  expect(svg.match(/<tspan[^>]*>\w+/g)).toEqual([
    '<tspan fill="#76d9e6">abcd',
    '<tspan fill="#76d9e6">ef',
    "<tspan>gh",
  ]);
  expect(svg.match(/<text /g)).toHaveLength(2);
});
