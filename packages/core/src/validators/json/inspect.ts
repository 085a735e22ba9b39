import type { Answer } from '../../answer/answer.ts'
import { positionAt } from '../../answer/span.ts'
import { type Finding, fact, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { repairJson } from '../../repairs/json/repair-json.ts'
import { nodeAt, readJsonTree } from '../../schema/json-tree.ts'
import type { SchemaProblem } from '../../schema/problem.ts'
import { type JsonPlace, locateJson } from './locate.ts'
import { jsonMessages } from './messages.ts'
import type { CheckedValue, ValueCheck } from './value-check.ts'

/** The codes of issues with JSON. */
export type JsonCode = 'MISSING_JSON' | 'INVALID_JSON' | 'SCHEMA_MISMATCH'

/** What is wrong with the JSON of an answer, and its value when nothing is; at once unless the schema takes its time. */
export function inspectJson(
  answer: Answer,
  check: ValueCheck | undefined,
  locale: Locale,
): Iterable<Finding<JsonCode>> | AsyncIterable<Finding<JsonCode>> {
  const place = locateJson(answer)
  if (place === undefined) {
    const [message, hint] = jsonMessages[locale].missing
    return [issue('MISSING_JSON', message, { hint })]
  }
  if (!place.valid) return [describeFault(answer.text, place, locale)]
  if (check === undefined) return [fact('value', place.value)]
  const { start, end } = place.region
  const text = answer.text.slice(start, end)
  const checked = check.validate(place.value, text)
  return checked instanceof Promise ? describeLater(checked, text, start) : describeChecked(checked, text, start)
}

async function* describeLater(checked: Promise<CheckedValue>, text: string, start: number): AsyncGenerator<Finding<JsonCode>> {
  yield* describeChecked(await checked, text, start)
}

function describeChecked({ problems, value }: CheckedValue, text: string, start: number): Finding<JsonCode>[] {
  return problems.length === 0 ? [fact('value', value)] : [...describeProblems(problems, text, start), fact('value', value)]
}

function describeFault(text: string, { region }: JsonPlace, locale: Locale): Finding<JsonCode> {
  const piece = text.slice(region.start, region.end)
  const read = repairJson(piece)
  const at = region.start + (read.ok ? (read.edits[0]?.start ?? read.end) : read.at)
  const reason = read.ok ? (read.edits[0]?.rule.replaceAll('-', ' ') ?? 'something stands behind the value') : read.reason
  const { line, column } = positionAt(text, at)
  const [message, hint] = jsonMessages[locale].invalid(reason, line, column)
  return issue('INVALID_JSON', message, { hint, span: { start: at, end: Math.min(text.length, at + 1) } })
}

function* describeProblems(problems: readonly SchemaProblem[], text: string, offset: number): Generator<Finding<JsonCode>> {
  const tree = readJsonTree(text)
  for (const { path, message } of problems) {
    const node = tree && nodeAt(tree, path)
    const span = node ? { span: { start: node.start + offset, end: node.end + offset } } : {}
    yield issue('SCHEMA_MISMATCH', message, { path, ...span })
  }
}
