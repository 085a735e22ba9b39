import { yamlText } from '../templates/yaml-text.ts'
import { safeJson } from '../terminal/printable.ts'
import type { SuggestedRule } from './rules.ts'

/** What a suggested contract is made from. */
export interface Suggestion {
  readonly rules: readonly SuggestedRule[]
  /** Answers that at least one of the rules rejects. */
  readonly rejected: number
  readonly answers: number
  /** What is said about them at the top, one comment for each line. */
  readonly notes: readonly string[]
}

/** A configuration with one contract, and for each rule what it rejects. */
export function writeContract({ rules, rejected, answers, notes }: Suggestion): string {
  const lines = [
    ...notes.map((note) => `# ${note}`),
    `# All rules together reject ${share(rejected, answers)}.`,
    'contracts:',
    '  suggested:',
    '    checks:',
    ...rules.flatMap(({ check, why, rejected: count }) => [`      # Rejects ${share(count, answers)}: ${why}.`, ...listItem(check)]),
  ]
  return `${lines.join('\n')}\n`
}

function share(count: number, all: number): string {
  return `${count} of ${all} answers (${((100 * count) / Math.max(1, all)).toFixed(1)} %)`
}

function listItem(check: unknown): readonly string[] {
  const [first = '', ...rest] = block(check, '        ')
  return [`      - ${first.trimStart()}`, ...rest]
}

/** Data as YAML in the block style; lists of plain values on one line. */
function block(value: unknown, indent: string): readonly string[] {
  return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([key, inner]) => {
    const name = `${indent}${/^[A-Za-z_$][\w$.-]*$/.test(key) ? yamlText(key, '') : safeJson(key)}:`
    if (Array.isArray(inner)) return [`${name} [${inner.map((item) => scalar(item)).join(', ')}]`]
    if (typeof inner !== 'object' || inner === null) return [`${name} ${scalar(inner)}`]
    return Object.keys(inner).length === 0 ? [`${name} {}`] : [name, ...block(inner, `${indent}  `)]
  })
}

function scalar(value: unknown): string {
  return typeof value === 'string' && !value.includes('\n') ? yamlText(value, '') : safeJson(value)
}
