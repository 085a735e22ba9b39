import type { Answer } from '../../answer/answer.ts'
import { isDigit, isLetter } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'
import { endOfBrackets } from '../../json/json-walker.ts'
import { repairJson } from '../../repairs/json/repair-json.ts'
import { type RightPlace, readJson, trimmed } from './read-json.ts'
import { startsPlainList, type ValueStart, valueStart } from './value-start.ts'

/** Whether a character opens an object or a list. */
export function isBracket(text: string, at: number): boolean {
  return text.charCodeAt(at) === 123 || text.charCodeAt(at) === 91
}

/** Finds the brackets that open something, asked for in text order: to search is faster than to look at each character, and prose has few of them. */
class OpenBrackets {
  readonly #text: string
  #list = -1
  #object = -1

  constructor(text: string) {
    this.#text = text
  }

  /** Where the next one is; infinite when there is none. */
  next(from: number): number {
    if (this.#list < from) this.#list = this.#find('[', from)
    if (this.#object < from) this.#object = this.#find('{', from)
    return Math.min(this.#list, this.#object)
  }

  #find(bracket: string, from: number): number {
    const found = this.#text.indexOf(bracket, from)
    return found < 0 ? Number.POSITIVE_INFINITY : found
  }
}

/** The next bracket that opens something, or -1. */
export function nextBracket(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (isBracket(text, at)) return at
  }
  return -1
}

/** Whether the schema of a value accepts arrays and objects; without a schema it is not known to. */
export interface AcceptedKinds {
  readonly array: boolean
  readonly object: boolean
}

/** What is known without a schema. */
export const noSchema: AcceptedKinds = { array: false, object: false }

/** Something outside of code that is written as JSON is. */
export interface ProseValue {
  /** From its bracket to the one that closes it, or to the end of the body. */
  readonly region: TextSpan
  readonly read: RightPlace | undefined
  /** Whether it is alone on its lines; one that is not quite right, whether it begins a line. */
  readonly isOwnLine: boolean
  readonly beginsLine: boolean
  /** Whether prose, if any, keeps its distance before it, and behind it. */
  readonly isApart: { readonly before: boolean; readonly behind: boolean }
  /** Whether its first key lacks quotes: amid prose it is then not meant as JSON. */
  readonly hasBareKey: boolean
  /** Whether only the schema makes it a value: a list such as `[1, 2]`, or an empty object. */
  readonly isWeak: boolean
}

/** Reading in vain costs at most this many times the length of the text, so that time stays linear. */
const mostPasses = 32

/**
 * Finds what is written as JSON outside of code, in text order: objects with a key, lists of objects or texts on lines of their own,
 * and where the schema accepts them, other lists and empty objects. Neither `[1]`, `[ ]`, `[Name]`, `[0, 1)` nor `{name}` is among them.
 */
export function* proseValues(answer: Answer, accepts: AcceptedKinds): Generator<ProseValue> {
  const { text } = answer
  const body = trimmed(text, { start: answer.bodyStart, end: text.length })
  const around = new ProseContext(answer, body, accepts)
  let budget = mostPasses * (body.end - body.start)
  let next = body.start
  const brackets = new OpenBrackets(text)
  for (let at = brackets.next(next); at < body.end && budget > 0; at = brackets.next(next)) {
    const block = around.endOfBlock(at)
    if (block === undefined && startsPlainList(text, at) && isAttached(text, at)) {
      next = at + 1
      continue
    }
    const start = block === undefined ? valueStart(text, at) : undefined
    next = block ?? start?.next ?? at + 1
    if (start === undefined || !around.mayBegin(at, start)) continue
    const close = endOfBrackets(text, at, body.end)
    const found = around.judge({ start: at, end: close ?? body.end }, close !== undefined, start)
    if (found) yield found
    // What is inside of a value, or of brackets that only look like one, is a part of it.
    if (found || close !== undefined) next = close ?? body.end
    else budget -= body.end - at
  }
}

/** What is around the values of an answer, asked for in text order. */
class ProseContext {
  readonly #answer: Answer
  readonly #text: string
  readonly #body: TextSpan
  readonly #accepts: AcceptedKinds
  #firstLetter: number | undefined
  #lastProseCharacter: number | undefined
  #code: readonly TextSpan[] | undefined
  #codeAt = 0
  #block = 0
  #lastEnd = 0
  #open: readonly TextSpan[] | undefined
  #openAt = 0

  constructor(answer: Answer, body: TextSpan, accepts: AcceptedKinds) {
    this.#answer = answer
    this.#text = answer.text
    this.#body = body
    this.#accepts = accepts
  }

  /** Where the code block ends that an offset is in. */
  endOfBlock(at: number): number | undefined {
    const { codeBlocks } = this.#answer
    while ((codeBlocks[this.#block]?.span.end ?? Number.POSITIVE_INFINITY) <= at) this.#block++
    const block = codeBlocks[this.#block]
    return block && block.span.start <= at ? Math.max(block.span.end, at + 1) : undefined
  }

  /** Whether a bracket may begin a value, or something over several lines that holds none. */
  mayBegin(at: number, { kind }: ValueStart): boolean {
    const text = this.#text
    if (isAttached(text, at)) return false
    if (kind !== 'none') return true
    const isPlaced = this.#begins(at) || endsLine(text, at + 1) || (this.#accepted(at) && followsColon(text, at))
    return isPlaced && !interval.test(text.slice(at, at + longestInterval))
  }

  /** The value in a region, which ends with its own bracket where it is closed. */
  judge(region: TextSpan, isClosed: boolean, { kind, hasBareKey }: ValueStart): ProseValue | undefined {
    const text = this.#text
    const { start, end } = region
    const read = isClosed ? readJson(text, region) : undefined
    const begins = this.#begins(start)
    const isAlone = begins && endsLine(text, end)
    const isApart = { before: this.#isApartBefore(start), behind: this.#isApartBehind(end) }
    const accepted = this.#accepted(start)
    let isMeant = !hasBareKey || (begins && this.#isQuiteJson(region))
    if (kind === 'none') isMeant = accepted && read !== undefined && isApart.behind && (isAlone || endsSentence(text, region))
    // What only looks like a list is a link, or a word in brackets.
    else if (kind === 'texts' || (kind === 'objects' && !begins))
      isMeant &&= isAlone || (accepted && isApart.behind) || (begins && !isClosed)
    if (!isMeant || this.#isQuoted(region)) return undefined
    this.#lastEnd = end
    return { region, read, isOwnLine: read ? isAlone : begins, beginsLine: begins, isApart, hasBareKey, isWeak: kind === 'none' }
  }

  /** Whether only keys lack quotes; declarations in CSS and types begin with a key as well. */
  #isQuiteJson({ start, end }: TextSpan): boolean {
    if (start === this.#body.start) return true
    const read = repairJson(this.#text.slice(start, end))
    return read.ok && !read.edits.some(({ rule }) => rule === 'quote-text')
  }

  #begins(at: number): boolean {
    return at === this.#body.start || beginsLine(this.#text, at)
  }

  #accepted(at: number): boolean {
    return this.#text[at] === '[' ? this.#accepts.array : this.#accepts.object
  }

  #isApartBefore(at: number): boolean {
    if (this.#isItem(at)) return false
    this.#firstLetter ??= firstLetter(this.#text, this.#body)
    return this.#begins(at) || (this.#firstLetter < at && /[\s:>]/.test(this.#text.charAt(at - 1)))
  }

  /** Whether a value is in a list that is cut off: a part of a value is not the answer. */
  #isItem(at: number): boolean {
    this.#open ??= openLists(this.#text, this.#body)
    while ((this.#open[this.#openAt]?.end ?? Number.POSITIVE_INFINITY) <= at) this.#openAt++
    return (this.#open[this.#openAt]?.start ?? at) < at
  }

  #isApartBehind(end: number): boolean {
    const after = /[.,!?]/.test(this.#text.charAt(end)) ? end + 1 : end
    this.#lastProseCharacter ??= lastProseCharacter(this.#text, this.#body)
    return after >= this.#body.end || (/\s/.test(this.#text.charAt(after)) && this.#lastProseCharacter >= after)
  }

  /** Backticks around a value quote it; those inside of a value are a part of it. */
  #isQuoted({ start, end }: TextSpan): boolean {
    this.#code ??= this.#text.includes('`') ? this.#answer.inlineCode : []
    let span = this.#code[this.#codeAt]
    while (span && (span.end <= start || span.start < this.#lastEnd)) span = this.#code[++this.#codeAt]
    return span !== undefined && span.start <= start && end <= span.end
  }
}

const longestInterval = 80
/** Such as `[0, 1)`. */
const interval = /^\[[^()[\]\n]*\)/

function firstLetter(text: string, { start, end }: TextSpan): number {
  const found = text.slice(start, end).search(/\p{L}/u)
  return found < 0 ? Number.POSITIVE_INFINITY : start + found
}

/** The last character that is more than the closers, commas and quotes of a value. */
function lastProseCharacter(text: string, { start, end }: TextSpan): number {
  let at = end - 1
  while (at >= start && /[\s\]}),;`"']/.test(text.charAt(at))) at--
  return at
}

/** An index such as `plan["city"]`, the argument of a call, or the tail of another bracket or of code. */
function isAttached(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (before === 40) return isWord(text.charCodeAt(at - 2))
  return isWord(before) || (at > 0 && (text[at] === '{' ? '])}`.' : '$])}`\\.').includes(text.charAt(at - 1)))
}

/** A letter, a digit or a low line, as in names. */
function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 95
}

function followsColon(text: string, at: number): boolean {
  return text[beforeBlanks(text, at)] === ':'
}

/** From each bracket that opens a list to the end of its paragraph, which does not close it; intervals such as `[0, 1)` aside. */
function openLists(text: string, { start, end }: TextSpan): readonly TextSpan[] {
  const found: TextSpan[] = []
  let open: number[] = []
  let isBlank = false
  for (let at = start; at <= end; at++) {
    const char = text[at]
    if (at === end || (char === '\n' && isBlank)) {
      for (const one of open) if (!interval.test(text.slice(one, one + longestInterval))) found.push({ start: one, end: at })
      open = []
    }
    if (char === '[') open.push(at)
    else if (char === ']') open.pop()
    isBlank = char === '\n' || (isBlank && /\s/.test(char ?? ''))
  }
  return found
}

function beforeBlanks(text: string, at: number): number {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before--
  return before
}

/** Whether a value follows a colon and ends its line, or the sentence there. */
function endsSentence(text: string, { start, end }: TextSpan): boolean {
  return followsColon(text, start) && endsLine(text, text[end] === '.' ? end + 1 : end)
}

function endsLine(text: string, from: number): boolean {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at >= text.length || text[at] === '\n' || text[at] === '\r'
}

function beginsLine(text: string, at: number): boolean {
  const before = beforeBlanks(text, at)
  return before < 0 || text[before] === '\n' || text[before] === '\r'
}
