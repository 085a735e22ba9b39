import type { Answer } from '../../answer/answer.ts'
import type { CodeBlock } from '../../answer/outline.ts'
import type { TextSpan } from '../../answer/span.ts'
import { readJsonTree } from '../../schema/values/json-tree.ts'
import { sameNode } from '../../schema/values/same-node.ts'
import { endOfBrackets } from '../shared/brackets.ts'
import { isJson, isJsonLanguage, nextBracket, type RightPlace, readJson, trimmed } from '../shared/locate-json.ts'
import { valueStart } from '../shared/value-start.ts'

/** Another value that an answer holds beside the one that was found. */
export interface SecondValue {
  readonly region: TextSpan
  /** Its value, where it is JSON. */
  readonly read: { readonly value: unknown } | undefined
}

/** What a list begins with that may be a value: not `[1]` and `[^1]`, of which prose may have many. */
const promising = /[\s"{[]/
/** Beyond this many pieces that look like values, they are not compared. */
const mostTries = 32

/** Finds a second JSON value in an answer, which makes it ambiguous; equal values do no harm. */
export function findSecondValue(answer: Answer, place: RightPlace): SecondValue | undefined {
  const { text, bodyStart } = answer
  const { start, end } = place.region
  if (start === bodyStart && end === text.length) return undefined
  const search = new Search(answer, place)
  return search.inFences() ?? search.within(bodyStart, start) ?? search.within(end, text.length) ?? scalarBehind(text, end)
}

/** Finds a second value in the rest of a piece of text whose first value ends at `from`. */
export function findValueBehind(text: string, from: number, end: number): SecondValue | undefined {
  const near = from + (/^[\s,;]*/.exec(text.slice(from, end))?.[0].length ?? 0)
  for (let at = nextBracket(text, from, end); at >= 0; ) {
    const { kind, next } = valueStart(text, at, true)
    if (kind !== 'none' || at === near) return describe(text, at, end)
    at = nextBracket(text, next, end)
  }
  return undefined
}

class Search {
  readonly #answer: Answer
  readonly #found: RightPlace
  /** The fence that the value was found in. */
  readonly #home: CodeBlock | undefined
  readonly #isList: boolean
  #code: readonly TextSpan[] | undefined
  #codeAt = 0
  #block = 0
  #tries = 0

  constructor(answer: Answer, found: RightPlace) {
    this.#answer = answer
    this.#found = found
    const { start } = found.region
    this.#home = answer.inFence(start) ? answer.codeBlocks.find(({ span }) => span.start <= start && start < span.end) : undefined
    this.#isList = Array.isArray(found.value)
  }

  inFences(): SecondValue | undefined {
    const { codeBlocks, bodyStart } = this.#answer
    const { start, end } = this.#found.region
    for (const block of codeBlocks) {
      if (block.span.start < bodyStart || (block.span.start < end && start < block.span.end)) continue
      const candidate = this.#fenced(block)
      if (candidate && !this.#isSame(candidate)) return candidate
    }
    return undefined
  }

  /** Outside of fences. */
  within(from: number, end: number): SecondValue | undefined {
    const { text } = this.#answer
    let brace = -1
    let bracket = -1
    for (let at = from; at < end; ) {
      if (brace < at) brace = found(text.indexOf('{', at))
      if (bracket < at) bracket = found(this.#nextList(at))
      const start = Math.min(brace, bracket)
      if (start >= end) return undefined
      const around = this.#blockAt(start)
      // Beside a value that is only a part of its fence, all of that fence is text.
      const block = around === this.#home ? undefined : around
      const candidate = block ? undefined : this.#bare(start, end, around !== undefined)
      if (candidate && !this.#isSame(candidate)) return candidate
      at = Math.max(block?.span.end ?? candidate?.region.end ?? valueStart(text, start, false).next, start + 1)
    }
    return undefined
  }

  #nextList(from: number): number {
    const { text } = this.#answer
    let at = text.indexOf('[', from)
    while (at >= 0 && !this.#isList && !promising.test(text.charAt(at + 1))) at = text.indexOf('[', at + 1)
    return at
  }

  /** A fence shows a value when its content is one, or is meant as one. */
  #fenced({ span, language, verbatim, content, contentSpan }: CodeBlock): SecondValue | undefined {
    const isProgram = !isJsonLanguage(language)
    if (isProgram && !this.#isInProgram()) return undefined
    const region = verbatim ? trimmed(this.#answer.text, contentSpan) : span
    const inner = content.trim()
    if (isProgram && !isBracketed(inner)) return undefined
    const read = verbatim && (language !== '' || /^[[{]/.test(inner)) ? readJson(this.#answer.text, region) : undefined
    return read || valueStart(inner, 0, true).kind !== 'none' ? { region, read } : undefined
  }

  /** Amid prose: an object with keys, or a list on lines of its own; beside a list any other list. */
  #bare(at: number, end: number, isAtHome: boolean): SecondValue | undefined {
    const { text } = this.#answer
    const isOwnLine = beginsLine(text, at)
    const { kind } = valueStart(text, at, isOwnLine)
    if (kind === 'none' && !(this.#isList && text[at] === '[')) return undefined
    // Text beside a fence is separate from it, unless it is set off as well.
    if (this.#home && !isAtHome && !isOwnLine) return undefined
    if ((text[at] === '{' ? /[\w\])}`.]/ : /[\w$\])}`\\.]/).test(text[at - 1] ?? '')) return undefined
    if (kind === 'object') return this.#unlessCode(describe(text, at, end))
    if (this.#tries++ >= mostTries) return { region: { start: at, end }, read: undefined }
    const list = describe(text, at, end)
    // What only looks like a list is a link, or a word in brackets.
    return list.read && (this.#isList || (isOwnLine && endsLine(text, list.region.end))) ? this.#unlessCode(list) : undefined
  }

  /** A value from a fence in another language is worth no more than those in others like it. */
  #isInProgram(): boolean {
    return this.#home !== undefined && !isJsonLanguage(this.#home.language)
  }

  #blockAt(at: number): CodeBlock | undefined {
    const { codeBlocks } = this.#answer
    while ((codeBlocks[this.#block]?.span.end ?? Number.POSITIVE_INFINITY) <= at) this.#block++
    const block = codeBlocks[this.#block]
    return block && block.span.start <= at ? block : undefined
  }

  /** Backticks around a value quote it; those inside of a value are a part of it. */
  #unlessCode(candidate: SecondValue): SecondValue | undefined {
    const { region: found } = this.#found
    const { start, end } = candidate.region
    this.#code ??= this.#answer.inlineCode.filter((span) => span.end <= found.start || span.start >= found.end)
    while ((this.#code[this.#codeAt]?.end ?? Number.POSITIVE_INFINITY) <= start) this.#codeAt++
    const span = this.#code[this.#codeAt]
    return span && span.start <= start && end <= span.end ? undefined : candidate
  }

  #isSame({ read, region }: SecondValue): boolean {
    if (read === undefined) return false
    const { text } = this.#answer
    const [other, own] = [region, this.#found.region].map(({ start, end }) => readJsonTree(text.slice(start, end), start))
    return other !== undefined && own !== undefined && sameNode(other, own, text)
  }
}

/** Whether all of a text is a JSON object or list. */
function isBracketed(text: string): boolean {
  return /^[[{]/.test(text) && isJson(text, { start: 0, end: text.length })
}

function describe(text: string, start: number, most: number): SecondValue {
  const end = endOfBrackets(text, start, most)
  const region = { start, end: end ?? most }
  return { region, read: end === undefined ? undefined : readJson(text, region) }
}

/** After a leading value: a text, number or literal that is all the rest. */
function scalarBehind(text: string, from: number): SecondValue | undefined {
  const rest = text.slice(from)
  const start = from + (rest.length - rest.trimStart().length)
  const region = { start, end: start + rest.trim().length }
  const read = region.start > from && region.end > region.start ? readJson(text, region) : undefined
  return read && { region, read }
}

function found(at: number): number {
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

function endsLine(text: string, at: number): boolean {
  const end = text.indexOf('\n', at)
  return text.slice(at, end < 0 ? text.length : end).trim() === ''
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before--
  return before < 0 || text[before] === '\n' || text[before] === '\r'
}
