export interface Goal {
  text: string;
  isMet: boolean;
}

export interface Line {
  cells: string[];
  goal?: Goal | undefined;
}

export interface Table {
  title: string;
  columns: string[];
  lines: Line[];
}

export function atMost(limit: number, value: number, unit: string): Goal {
  return { text: `≤ ${limit.toLocaleString("en")} ${unit}`, isMet: value <= limit };
}

export function printTable(table: Table): void {
  const rows = [[...table.columns, "goal"], ...table.lines.map(({ cells, goal }) => [...cells, goalText(goal)])];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const [head = "", ...body] = rows.map((row) =>
    row.map((cell, column) => aligned(cell, widths[column] ?? 0, column)).join("  "),
  );
  console.log(`\n${table.title}\n${head.trimEnd()}\n${"-".repeat(head.length)}`);
  for (const line of body) console.log(line.trimEnd());
}

function goalText(goal: Goal | undefined): string {
  return goal === undefined ? "" : `${goal.text} ${goal.isMet ? "met" : "MISSED"}`;
}

function aligned(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
