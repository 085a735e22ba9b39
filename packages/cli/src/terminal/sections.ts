import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { clip, table } from './text.ts'

/** A part of a report, whatever its format. */
export interface Section {
  readonly title: string
  readonly lines?: readonly string[]
  readonly head?: readonly string[]
  readonly rows?: readonly (readonly string[])[]
}

/** A report for a terminal. */
export function describeSections(sections: readonly Section[], paint: Paint): string {
  return `${sections.map((section) => textOf(section, paint)).join('\n\n')}\n`
}

function textOf({ title, lines = [], head = [], rows = [] }: Section, paint: Paint): string {
  const cells =
    rows.length > 0
      ? table(
          [head, ...rows].map((row) => row.map((cell) => clip(cell, 120))),
          '  ',
        )
      : []
  return [
    paint.bold(printable(title)),
    ...lines.map((line) => colour(`  ${clip(line)}`, paint)),
    ...cells.map((line, at) => (at === 0 ? paint.dim(line) : line)),
  ].join('\n')
}

function colour(line: string, paint: Paint): string {
  if (line.startsWith('  FAILED')) return paint.red(line)
  return line.startsWith('  passed') ? paint.green(line) : line
}
