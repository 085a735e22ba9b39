import { readFile, writeFile } from 'node:fs/promises'

const page = new URL('../docs/benchmarks.md', import.meta.url)
const header = ['comparison', 'goal', 'median', 'middle half of the rounds', 'met']

/**
 * A comparison: `what` over what, the median ratio with its quartiles, and where there is a goal, `atLeast` or `atMost`.
 * Where there is no number, `note` says why. Rows that are no comparisons are records of their columns.
 */
const cells = (row) => ('what' in row ? [row.what, goal(row), row.note ?? number(row.median), spread(row), met(row)] : Object.values(row))
const headerOf = ([first]) => ('what' in first ? header : Object.keys(first))

/** Prints the comparisons as a table. */
export function printTable(rows) {
  const columns = headerOf(rows)
  const lines = [columns, ...rows.map(cells)]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const aligned = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column])).join('  '))
  console.log(aligned.join('\n'))
}

/** Puts the comparisons of a group between its markers in docs/benchmarks.md. */
export async function writePage(group, rows, date) {
  const [start, end] = [`<!-- ${group}: start -->`, `<!-- ${group}: end -->`]
  const before = await readFile(page, 'utf8')
  const [from, to] = [before.indexOf(start), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no place for ${group}`)
  const columns = headerOf(rows)
  const table = [columns, columns.map(() => '---'), ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`).join('\n')
  const origin = `\`npm run bench ${group}\`, ${date}, Node ${process.versions.node}:`
  await writeFile(page, `${before.slice(0, from + start.length)}\n${origin}\n\n${table}\n${before.slice(to)}`)
}

function goal({ atLeast, atMost }) {
  if (atLeast !== undefined) return `≥ ${atLeast}`
  return atMost === undefined ? '' : `≤ ${atMost}`
}

function spread({ low, high }) {
  return low === undefined ? '' : `${number(low)} … ${number(high)}`
}

function met(row) {
  const { median, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = row
  if (goal(row) === '') return ''
  return median >= atLeast && median <= atMost ? 'yes' : 'no'
}

/** Three digits, two from a hundred on: more would promise too much. What is more than nothing is not shown as 0.00. */
export function number(value) {
  if (value >= 100) return Number(value.toPrecision(2)).toLocaleString('en')
  if (value > 0 && value < 0.005) return value.toPrecision(1)
  return value.toFixed(value < 10 ? 2 : 1)
}
