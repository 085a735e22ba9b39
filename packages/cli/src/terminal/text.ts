import { printable } from './printable.ts'

/** Rows as lines with aligned columns. */
export function table(rows: readonly (readonly string[])[], indent: string): string[] {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)), [])
  return rows.map((row) => `${indent}${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** A count with its noun, `1 error` or `3 errors`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

/** A text as one safe line of limited length; messages may contain model output. */
export function clip(text: string, longest = 1000): string {
  if (text.length <= longest) return printable(text)
  const splitsPair = /[\ud800-\udbff]$/.test(text.slice(0, longest))
  return `${printable(text.slice(0, splitsPair ? longest - 1 : longest))}…`
}
