import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { AllowedRepairs } from '../../contract/validator.ts'
import { lenientText } from '../../repairs/json/lenient-text.ts'
import { type JsonEdit, type JsonRepair, repairJson } from '../../repairs/json/repair-json.ts'
import type { SchemaEdit } from '../../repairs/schema-guided/edit.ts'
import { repairBySchema } from '../../repairs/schema-guided/repair-by-schema.ts'
import type { GuidingSchema } from '../../schema/standard-json.ts'
import { locateJson, wrapperBefore } from '../shared/locate-json.ts'
import type { AcceptedKinds } from '../shared/prose-values.ts'
import type { RightPlace } from '../shared/read-json.ts'
import { dropAround, findBehindRight, isCutOff } from './inspect.ts'
import { ProseBefore } from './prose-before.ts'
import { findSecondValue, type SecondValue } from './second-value.ts'

/** How the JSON of an answer is repaired. */
interface JsonAnswerRepair {
  /** Complete what is cut off, for previews only. */
  readonly partial: boolean
  readonly allowed: AllowedRepairs
  /** What the schema accepts. */
  readonly accepts?: AcceptedKinds | undefined
  /** The JSON Schema that the value should match. */
  readonly json?: GuidingSchema
  /** Whether the value does not match, so that the schema may change it. */
  readonly mismatched: boolean
  /** Whether the answer should be the value alone. */
  readonly bare: boolean
}

/** Yields the changes that make the JSON of an answer valid, or a valid value what its schema wants. */
export function* repairJsonAnswer(
  answer: Answer,
  { partial, allowed, accepts, json, mismatched, bare }: JsonAnswerRepair,
): Generator<Certificate> {
  const place = locateJson(answer, accepts)
  if (place === undefined) return
  const { start, end } = place.region
  const text = answer.text.slice(start, end)
  if (!place.valid) {
    const read = repairJson(text, { partial })
    if (!read.ok || (!partial && isCutOff(answer, place.region, read))) return
    yield* repairSyntax(text, start, read, allowed.usual.includes('lossy'))
    yield* dropBefore(answer, start)
    return
  }
  const second = findSecondValue(answer, place, accepts)
  if (second) {
    yield* keepOne(answer, meantOne(place, second, json))
    return
  }
  if (bare && !answer.isBetween) yield* dropAround(answer, place.region)
  if (json === undefined || !mismatched) return
  for (const edit of schemaEdits(text, json, allowed)) {
    const { rule, before, after, path } = edit
    // A lone scalar is the whole answer: its type is what the model said.
    if (path.length === 0 && !/^[[{]/.test(text)) continue
    yield { rule, class: edit.class, span: { start: start + edit.start, end: start + edit.start + before.length }, before, after, path }
  }
}

/** Which of two values is meant is a guess: the first, unless only the other one matches the schema. */
function meantOne(place: RightPlace, second: SecondValue, json: JsonAnswerRepair['json']): TextSpan {
  const matches = ({ value }: { readonly value: unknown }): boolean => json?.compiled.validate(value).length === 0
  return json && second.read && !matches(place) && matches(second.read) ? second.region : place.region
}

/** repair: everything around one of several values but the prose before them */
function* keepOne({ text, bodyStart }: Answer, { start, end }: TextSpan): Generator<Certificate> {
  const prose = new ProseBefore()
  prose.push(text.slice(bodyStart, start))
  for (const span of [
    { start: bodyStart + prose.length, end: start },
    { start: end, end: text.length },
  ]) {
    if (span.end > span.start) yield { rule: 'choose-value', class: 'guess', span, before: text.slice(span.start, span.end), after: '' }
  }
}

/** What is always allowed; else what the last resort would change. */
function schemaEdits(text: string, { schema, compiled }: GuidingSchema, { usual, now }: AllowedRepairs): SchemaEdit[] {
  const options = { compiled, readLenient: lenientText }
  const sure = repairBySchema(text, schema, { ...options, allow: usual })
  return sure.length > 0 || now.length === usual.length ? sure : repairBySchema(text, schema, { ...options, allow: now })
}

function* repairSyntax(text: string, offset: number, read: JsonRepair & { ok: true }, mayLose: boolean): Generator<Certificate> {
  const edits = mayLose ? dropLastBreaks(text, read.edits) : read.edits
  // A text without its end may have been cut off: whatever is done about it is a guess.
  const isOpen = read.cut !== 'none'
  for (const { rule, class: kind, start, before, after } of edits)
    yield { rule, class: isOpen ? 'guess' : kind, span: { start: offset + start, end: offset + start + before.length }, before, after }
  const rest = text.slice(read.end)
  // repair: another value after the first
  if (findBehindRight(text, { start: 0, end: text.length }, read))
    yield { rule: 'choose-value', class: 'guess', span: { start: offset + read.end, end: offset + text.length }, before: rest, after: '' }
  // repair: brackets, commas and fences after the value that belong to nothing
  if (rest.trim() !== '' && /^[\s\]}),;`]+$/.test(rest))
    yield { rule: 'drop-behind', class: 'lossless', span: { start: offset + read.end, end: offset + text.length }, before: rest, after: '' }
}

/** repair: a line break of the layout, between the text of a string and its closing quote */
function dropLastBreaks(text: string, edits: readonly JsonEdit[]): JsonEdit[] {
  const inner = new Set(edits.filter(({ rule }) => rule === 'inner-quote').map(({ start }) => start))
  return edits.map((edit) => {
    const next = edit.start + edit.before.length
    const isLast = /^[\r\n]+$/.test(edit.before) && text[next] === '"' && !inner.has(next)
    return isLast ? { ...edit, rule: 'last-line-break', class: 'lossy', after: '' } : edit
  })
}

/** repair: the name of a function, a comment or backticks right before the value */
function* dropBefore({ text, bodyStart }: Answer, start: number): Generator<Certificate> {
  const before = text.slice(bodyStart, start)
  if (before !== '' && before === wrapperBefore(text, bodyStart))
    yield { rule: 'drop-before', class: 'lossless', span: { start: bodyStart, end: start }, before, after: '' }
}
