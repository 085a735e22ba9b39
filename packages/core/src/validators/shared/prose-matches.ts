import type { Answer } from '../../answer/answer.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { InlineCodeWatch, KeptText } from './kept-text.ts'
import { matchesFrom } from './rewritten-text.ts'

/** A match in prose, and what is around it. */
export interface ProseMatch {
  readonly found: string
  readonly span: TextSpan
  /** The characters before it on its line, as far as they are looked at. */
  readonly before: string
  /** The rest of its line, likewise. */
  readonly after: string
}

/** What is searched for in prose. */
export interface ProseRules<Code extends string> {
  /** Global, and never empty; it looks at most at one character before a match and one behind it. */
  readonly pattern: RegExp
  /** What a match may begin with: these signs anywhere, and these letters at the start of a word. */
  readonly begins: Beginnings
  /** The end of a text that the next characters may turn into a match. */
  readonly unfinished: RegExp
  /** How many characters such an end has at most. */
  readonly reach: number
  /** Whether code is searched as well. */
  readonly code: boolean
  judge(match: ProseMatch): IssueDraft<Code> | undefined
  /** Whether a match is none whatever follows the next two characters of its line, which `after` has. */
  dismisses?(match: ProseMatch): boolean
}

/** By the code of a character below 128, whether a match may begin with it: never, anywhere, or at the start of a word. */
export type Beginnings = Uint8Array
const anywhere = 1
const atWordStart = 2

/** Signs and letters with which matches begin. */
export function beginnings(signs: string, letters: string): Beginnings {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return signs.includes(character) ? anywhere : letters.includes(character) ? atWordStart : 0
  })
}

/** Where in a text a match may begin first, behind a character; -1 when none can. */
function firstBeginning(text: string, begins: Beginnings, before: number): number {
  let last = before
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? (begins[code] as number) : 0
    if (kind === anywhere || (kind === atWordStart && !isLetterOrDigit(last))) return at
    last = code
  }
  return -1
}

/** Whether a character is part of a word for certain. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** How many characters around a match are looked at. */
const around = 400

/** Text that is not needed is dropped when there is so much more: the outline need not be read with every chunk. */
const mostKept = 4096

function matchAt(text: string, offset: number, { start, end }: TextSpan): ProseMatch {
  const at = start - offset
  const before = text.slice(Math.max(0, at - around), at)
  const after = text.slice(end - offset, end - offset + around)
  const line = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  const next = after.search(/[\r\n]/)
  return {
    found: text.slice(at, end - offset),
    span: { start, end },
    before: before.slice(line),
    after: next < 0 ? after : after.slice(0, next),
  }
}

/** The issues in the prose of a whole answer, in text order. */
export function* searchProse<Code extends string>(answer: Answer, rules: ProseRules<Code>): Generator<IssueDraft<Code>, void, undefined> {
  const { text, bodyStart } = answer
  const body = text.slice(bodyStart)
  for (const found of matchesFrom(rules.pattern, body, 0)) {
    const start = bodyStart + found.index
    if (!rules.code && answer.inCode(start)) continue
    const issue = rules.judge(matchAt(body, bodyStart, { start, end: start + found[0].length }))
    if (issue) yield issue
  }
}

/** Finds the same in a stream: holds what may become a match, and a match until its paragraph is read, then fails. */
export class ProseStream<Code extends string> implements IncrementalCheck<Code> {
  readonly #rules: ProseRules<Code>
  readonly #reasoning = new ReasoningSkipper()
  readonly #kept = new KeptText()
  readonly #inline = new InlineCodeWatch(this.#kept)
  #matches: TextSpan[] = []
  /** How many of them were looked at, and may still be wrong. */
  #doubtful = 0
  #length = 0
  /** The end of the text that is not searched for good, with the character before it. */
  #tail = ''
  #context = 0
  /** How long the text was when some of it was dropped. */
  #dropped = 0
  #failed: Progress<Code> | undefined

  constructor(rules: ProseRules<Code>) {
    this.#rules = rules
  }

  push(chunk: string, reader: AnswerReader): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    this.#kept.push(chunk)
    const body = this.#reasoning.push(chunk)
    if (body !== '') this.#take(body)
    if (this.#matches.length > 0) this.#judge(reader)
    if (this.#failed) return this.#failed
    if (this.#rules.dismisses) this.#dismiss(this.#rules.dismisses, reader)
    const safe = this.#matches[0]?.start ?? this.#length - this.#tail.length + this.#context
    if (this.#length - this.#dropped > mostKept) {
      this.#dropped = this.#length
      this.#kept.dropTo(Math.min(safe, reader.closed) - around)
    }
    return { safe }
  }

  #take(body: string): void {
    // Nearly always: nothing is open, and nothing begins.
    if (this.#tail.length === this.#context && firstBeginning(body, this.#rules.begins, this.#tail.charCodeAt(0)) < 0) {
      this.#context = 1
      this.#tail = body.length === 1 ? body : body.charAt(body.length - 1)
    } else this.#search(this.#tail + body)
  }

  #search(text: string): void {
    const { pattern } = this.#rules
    const offset = this.#length - text.length
    let at = this.#context
    let open = this.#openFrom(text, at)
    pattern.lastIndex = at
    // Not `matchAll`, which compiles the pattern again for every chunk.
    for (let found = pattern.exec(text); found && found.index <= open; found = pattern.exec(text)) {
      const end = found.index + found[0].length
      // The next character may still make it longer, or none.
      if (end === text.length) {
        open = found.index
        break
      }
      at = end
      this.#matches.push({ start: offset + found.index, end: offset + at })
      if (open < at) open = this.#openFrom(text, at)
    }
    this.#context = open > 0 ? 1 : 0
    this.#tail = text.slice(open - this.#context)
  }

  /** Where the end of a text begins that may become a match: one that starts in it may be part of that. */
  #openFrom(text: string, at: number): number {
    const { unfinished, reach } = this.#rules
    const from = Math.max(at, text.length - reach)
    const open = text.slice(from).search(unfinished)
    return open < 0 ? text.length : from + open
  }

  /** Forgets the matches that the characters behind them show to be something else, such as a link. */
  #dismiss(dismisses: (match: ProseMatch) => boolean, { bodyStart }: AnswerReader): void {
    for (let span = this.#matches[this.#doubtful]; span && span.end + 2 <= this.#length; span = this.#matches[this.#doubtful]) {
      const start = Math.max(span.start - around, bodyStart)
      if (dismisses(matchAt(this.#kept.slice({ start, end: span.end + 2 }), start, span))) this.#matches.splice(this.#doubtful, 1)
      else this.#doubtful++
    }
  }

  /** Judges the matches whose paragraphs are read: only then it is known what is code. */
  #judge(reader: AnswerReader): void {
    const { code, judge } = this.#rules
    const undecided = this.#matches.findIndex(({ end }) => end >= reader.closed)
    const decided = this.#matches.splice(0, undecided < 0 ? this.#matches.length : undecided)
    this.#doubtful = Math.max(0, this.#doubtful - decided.length)
    if (decided.length === 0) return
    const start = Math.max(0, (decided[0]?.start ?? 0) - around, reader.bodyStart)
    const text = this.#kept.slice({ start, end: this.#length })
    for (const span of decided) {
      if (!code && (reader.inFence(span.start) || this.#inline.holds(span.start, reader))) continue
      const issue = judge(matchAt(text, start, span))
      if (issue === undefined) continue
      this.#failed = { safe: span.start, failure: { at: span.end, issues: [issue], final: true } }
      return
    }
  }
}
