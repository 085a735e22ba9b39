/** Rows as lines with aligned columns. */
export function table(rows: readonly (readonly string[])[], indent: string): string[] {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)), [])
  return rows.map((row) => `${indent}${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}
