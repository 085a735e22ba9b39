import { escapeCell } from '../../reports/step-summary.ts'
import type { Evaluation } from '../evaluation.ts'
import { type Section, sectionsOf } from './sections.ts'

/** GitHub takes comments of 65 536 characters, and nobody reads as much. */
const longest = 60_000

/** An evaluation as Markdown, for a comment or a step summary; ids and codes cannot become markup. */
export function markdownReport(evaluation: Evaluation): string {
  let text = ''
  for (const [at, section] of sectionsOf(evaluation).entries()) {
    const part = describe(section, at === 0 ? '###' : '####')
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > longest) return `${text}… cut at ${longest} bytes\n`
    text += part
  }
  return text
}

function describe({ title, lines = [], head = [], rows = [] }: Section, level: string): string {
  const list = lines.map((line) => `- ${escapeCell(line.trim())}\n`).join('')
  const table = rows.length === 0 ? '' : `${[head, head.map(() => '---'), ...rows].map((row) => rowOf(row, head.length)).join('')}`
  return `${level} ${escapeCell(title)}\n\n${list}${list !== '' && table !== '' ? '\n' : ''}${table}\n`
}

function rowOf(cells: readonly string[], width: number): string {
  return `|${Array.from({ length: width }, (_, at) => ` ${cells[at] === '---' ? '---' : escapeCell(cells[at] ?? '')} |`).join('')}\n`
}
