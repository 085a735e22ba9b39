import type { Answer } from '../../answer/answer.ts'
import { positionAt } from '../../answer/span.ts'
import { type Finding, fact, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { repairJson } from '../../repairs/json/repair-json.ts'
import { nodeAt, readJsonTree } from '../../schema/json-tree.ts'
import type { SchemaProblem } from '../../schema/problem.ts'
import { type JsonPlace, locateJson } from './locate.ts'
import { jsonMessages } from './messages.ts'
import type { ValueCheck } from './value-check.ts'

/** The codes of issues with JSON. */
export type JsonCode = 'MISSING_JSON' | 'INVALID_JSON' | 'SCHEMA_MISMATCH'

/** Yields what is wrong with the JSON of an answer, and its value when nothing is. */
export async function* inspectJson(answer: Answer, check: ValueCheck | undefined, locale: Locale): AsyncGenerator<Finding<JsonCode>> {
  const place = locateJson(answer)
  if (place === undefined) {
    const [message, hint] = jsonMessages[locale].missing
    yield issue('MISSING_JSON', message, { hint })
    return
  }
  if (!place.valid) {
    yield describeFault(answer.text, place, locale)
    return
  }
  const { start, end } = place.region
  const text = answer.text.slice(start, end)
  const checked = check ? await check.validate(text) : { problems: [], value: JSON.parse(text) as unknown }
  yield* describeProblems(checked.problems, text, start)
  yield fact('value', checked.value)
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
  const tree = problems.length > 0 ? readJsonTree(text) : undefined
  for (const { path, message } of problems) {
    const node = tree && nodeAt(tree, path)
    const span = node ? { span: { start: node.start + offset, end: node.end + offset } } : {}
    yield issue('SCHEMA_MISMATCH', message, { path, ...span })
  }
}
