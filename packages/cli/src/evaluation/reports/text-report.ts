import type { Paint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { clip, table } from '../../terminal/text.ts'
import type { Evaluation } from '../evaluation.ts'
import { type Section, sectionsOf } from './sections.ts'

/** An evaluation for a terminal. */
export function textReport(evaluation: Evaluation, paint: Paint): string {
  return `${sectionsOf(evaluation)
    .map((section) => describe(section, paint))
    .join('\n\n')}\n`
}

function describe({ title, lines = [], head = [], rows = [] }: Section, paint: Paint): string {
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
