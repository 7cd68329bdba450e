interface Style {
  color: string | undefined;
  bold: boolean;
  dim: boolean;
}

interface Run extends Style {
  text: string;
}

const PLAIN: Style = { color: undefined, bold: false, dim: false };
const COLORS: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  36: "#76d9e6",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what a colour begins with
const SGR = /\u001b\[([\d;]*)m/;

const FONT_SIZE = 14;
const CHARACTER = 8.43;
const LINE = 20;
const MARGIN = 20;
const BAR = 34;

/** Draws what a terminal shows as a picture that needs no font, script or file of its own. */
export function terminalSvg(lines: readonly string[], about: { title: string; columns: number }): string {
  const width = Math.ceil(2 * MARGIN + about.columns * CHARACTER);
  const rows = rowsOf(lines).flatMap((runs) => wrapped(runs, about.columns));
  const height = BAR + MARGIN + rows.length * LINE;
  const texts = rows.map((runs, row) => textLine(runs, BAR + LINE * (row + 0.9)));
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, place) => `<circle cx="${MARGIN + 18 * place}" cy="18" r="5.5" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(about.title)}</title>
<rect width="${width}" height="${height}" rx="9" fill="#16181d"/>
${dots.join("")}
<g font-family="ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="#e4e4e0">
${texts.join("\n")}
</g>
</svg>
`;
}

/** A colour that is switched on in one line stays on in the next. */
function rowsOf(lines: readonly string[]): Run[][] {
  let style = PLAIN;
  return lines.map((line) => {
    const runs: Run[] = [];
    line.split(SGR).forEach((part, place) => {
      if (place % 2 === 1) style = part.split(";").map(Number).reduce(restyled, style);
      else if (part !== "") runs.push({ ...style, text: part });
    });
    return runs;
  });
}

/** A terminal goes on in the next line where a line is too long for it. */
function wrapped(runs: readonly Run[], columns: number): Run[][] {
  const rows: Run[][] = [[]];
  let room = columns;
  for (const run of runs) {
    let rest = run.text;
    while (rest !== "") {
      if (room === 0) {
        rows.push([]);
        room = columns;
      }
      const text = rest.slice(0, room);
      rows.at(-1)?.push({ ...run, text });
      rest = rest.slice(text.length);
      room -= text.length;
    }
  }
  return rows;
}

function restyled(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  return code === 39 || code in COLORS ? { ...style, color: COLORS[code] } : style;
}

function textLine(runs: readonly Run[], y: number): string {
  return `<text x="${MARGIN}" y="${y}" xml:space="preserve" style="white-space:pre">${runs.map(span).join("")}</text>`;
}

function span({ text, color, bold, dim }: Run): string {
  const fill = color === undefined ? "" : ` fill="${color}"`;
  const weight = bold ? ' font-weight="600"' : "";
  const opacity = dim ? ' fill-opacity="0.6"' : "";
  return `<tspan${fill}${weight}${opacity}>${escapeXml(text)}</tspan>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
