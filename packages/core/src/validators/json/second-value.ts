import type { Answer } from '../../answer/answer.ts'
import type { CodeBlock } from '../../answer/outline.ts'
import type { TextSpan } from '../../answer/span.ts'
import { readJsonTree } from '../../json/json-tree.ts'
import { endOfBrackets } from '../../json/json-walker.ts'
import { sameNode } from '../../json/same-node.ts'
import { isJsonLanguage } from '../shared/locate-json.ts'
import { type AcceptedKinds, nextBracket, noSchema, proseValues } from '../shared/prose-values.ts'
import { type RightPlace, readJson, trimmed } from '../shared/read-json.ts'
import { valueStart } from '../shared/value-start.ts'

/** Another value that an answer holds beside the one that was found. */
export interface SecondValue {
  readonly region: TextSpan
  /** Its value, where it is JSON. */
  readonly read: { readonly value: unknown } | undefined
}

/** Finds a second JSON value in an answer, which makes it ambiguous: one that is set off as well; equal values do no harm. */
export function findSecondValue(answer: Answer, place: RightPlace, accepts: AcceptedKinds = noSchema): SecondValue | undefined {
  const { text, bodyStart } = answer
  const { start, end } = place.region
  if (start === bodyStart && end === text.length) return undefined
  for (const other of otherValues(answer, place, accepts)) {
    if (!isSame(text, other, place)) return other
  }
  return text.slice(bodyStart, start).trim() === '' ? valueBehind(text, end) : undefined
}

/** Fences, and what is outside of them; beside a value in a fence, one that does not begin its line is only mentioned. */
function* otherValues(answer: Answer, { region: { start, end } }: RightPlace, accepts: AcceptedKinds): Generator<SecondValue> {
  const { text, bodyStart, codeBlocks } = answer
  for (const block of codeBlocks) {
    const isOther = block.span.start >= bodyStart && (block.span.end <= start || block.span.start >= end)
    const shown = isOther ? shownIn(text, block) : undefined
    if (shown) yield shown
  }
  const isFenced = answer.inFence(start)
  const isWeak = !isFenced && valueStart(text, start).kind === 'none'
  for (const bare of proseValues(answer, accepts)) {
    const isOther = bare.region.end <= start || bare.region.start >= end
    if (isOther && (bare.beginsLine || !isFenced) && (isWeak || !bare.isWeak)) yield bare
  }
}

/** A fence shows a value when its content is one, or is meant as one. */
function shownIn(text: string, { span, language, verbatim, content, contentSpan }: CodeBlock): SecondValue | undefined {
  if (!isJsonLanguage(language)) return undefined
  const region = verbatim ? trimmed(text, contentSpan) : span
  const inner = content.trim()
  const read = verbatim && (language !== '' || /^[[{]/.test(inner)) ? readJson(text, region) : undefined
  return read || (/^[[{]/.test(inner) && valueStart(inner, 0).kind !== 'none') ? { region, read } : undefined
}

function isSame(text: string, { read, region }: SecondValue, { region: found }: RightPlace): boolean {
  if (read === undefined) return false
  if (text.slice(region.start, region.end) === text.slice(found.start, found.end)) return true
  const [other, own] = [region, found].map(({ start, end }) => readJsonTree(text.slice(start, end), start))
  return other !== undefined && own !== undefined && sameNode(other, own, text)
}

/** Finds a second value in the rest of a piece of text whose first value ends at `from`. */
export function findValueBehind(text: string, from: number, end: number): SecondValue | undefined {
  const near = from + (/^[\s,;]*/.exec(text.slice(from, end))?.[0].length ?? 0)
  for (let at = nextBracket(text, from, end); at >= 0; ) {
    const { kind, next } = valueStart(text, at)
    if (kind !== 'none' || at === near) return describe(text, at, end)
    at = nextBracket(text, next, end)
  }
  return undefined
}

function describe(text: string, start: number, most: number): SecondValue {
  const end = endOfBrackets(text, start, most)
  const region = { start, end: end ?? most }
  return { region, read: end === undefined ? undefined : readJson(text, region) }
}

/** After a leading value: another one, such as a text or number, that is all the rest. */
function valueBehind(text: string, from: number): SecondValue | undefined {
  const rest = text.slice(from)
  const start = from + (rest.length - rest.trimStart().length)
  const region = { start, end: start + rest.trim().length }
  const read = region.start > from && region.end > region.start ? readJson(text, region) : undefined
  return read && { region, read }
}
