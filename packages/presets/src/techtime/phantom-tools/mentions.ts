import type { Answer, TextSpan } from '@stickler/core'

/** A word in prose that could be the name of a tool. */
export interface Mention {
  readonly name: string
  readonly span: TextSpan
  /** `name(…)`, `name` in code font, or the bare word. */
  readonly form: 'call' | 'code' | 'plain'
  /** The text right before it, without quotes and emphasis. */
  readonly before: string
  /** The text right after it, likewise. */
  readonly after: string
}

/** Longer words are not names of tools. */
const longestName = 64
/** With the marks of emphasis around it. */
export const longestRun = longestName + 2
/** What names of tools look like. */
export const snakeCase = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$/
/** The most characters around a mention that decide what it is. */
const reach = 60
const longestArguments = 200

// A path, an option, an attribute, a variable of a shell or an address goes on to the left or to the right of the word.
const joinedBefore = /[\p{L}\p{N}/\\.\-@#$%&=~+]$|::$|->$/u
const joinedAfter = /^(?:[\p{L}\p{N}/\\@=[{$-]|\.[\p{L}\p{N}_]|::|->|\]\()/u

/** A line of a block quote, or words in quotation marks: what somebody else has said, such as a line of a log. */
const quotation =
  // backtracks: from each mark no further than to the next one of its kind, so that every character is read once for each kind
  /^[ \t\d.)*+-]*>.*$|"[^"\n]*"|“[^„“”\n]*”|„[^„“”"\n]*[“”"]|«[^«»\n]*»|»[^«»\n]*«|‘[^‘’\n]*’|\B'[^'\n]*'\B/gm

/** Finds the snake-case words of the body, outside of code fences and quotations, that are alone or a call. */
export function* findMentions(answer: Answer): Generator<Mention> {
  const code = new SpanCursor(answer.inlineCode)
  const { text } = answer
  const quotations = new SpanCursor(
    Array.from(text.matchAll(quotation), ({ index, 0: { length } }) => ({ start: index, end: index + length })),
  )
  const pattern = /\w+/g
  pattern.lastIndex = answer.bodyStart
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const mention = readWord(text, found[0], found.index, code)
    if (!mention || answer.inFence(mention.span.start)) continue
    const quoted = quotations.at(mention.span.start)
    if (!quoted || isAlone(text, mention.name, quoted)) yield mention
  }
}

/** Whether a quotation is nothing but the name or its call, which is then in quotation marks for emphasis. */
function isAlone(text: string, name: string, { start, end }: TextSpan): boolean {
  if (end - start > name.length + longestArguments || text.slice(start, end).includes('>')) return false
  // backtracks: the quotation is hardly longer than a name and its arguments
  const content = text.slice(start, end).replace(/^\W+|[^\w)]+$/g, '')
  return content === name || (content.startsWith(`${name}(`) && content.endsWith(')'))
}

function readWord(text: string, run: string, at: number, code: SpanCursor): Mention | undefined {
  const name = withoutEmphasis(run)
  if (name.length > longestName || !snakeCase.test(name)) return undefined
  const start = at + run.indexOf(name)
  const inside = code.at(start)
  return inside ? readCode(text, name, start, inside) : readPlain(text, name, start)
}

/** Emphasis may be written with the same character that parts the words of a name. */
export function withoutEmphasis(run: string): string {
  return /^_[^_].*[^_]_$/.test(run) ? run.slice(1, -1) : run
}

/** A piece of code is a mention only when it is nothing but the name or its call. */
function readCode(text: string, name: string, start: number, span: TextSpan): Mention | undefined {
  if (span.end - span.start > name.length + longestArguments) return undefined
  // backtracks: the code is hardly longer than a name and its arguments
  const content = text.slice(span.start, span.end).replace(/^`+\s*|\s*`+$/g, '')
  const form = content === name ? 'code' : content.startsWith(`${name}(`) && content.endsWith(')') ? 'call' : undefined
  return form && mentionOf(text, name, start, form, span)
}

function readPlain(text: string, name: string, start: number): Mention | undefined {
  const end = start + name.length
  if (joinedBefore.test(text.slice(Math.max(0, start - 2), start)) || joinedAfter.test(text.slice(end, end + 3))) return undefined
  if (isInAddress(text.slice(Math.max(0, start - reach), start))) return undefined
  const isCall = text[end] === '(' && /^\([^()\n]*\)/.test(text.slice(end, end + longestArguments))
  return mentionOf(text, name, start, isCall ? 'call' : 'plain', { start, end })
}

/** Inside a web address or an HTML tag. */
function isInAddress(before: string): boolean {
  // backtracks: the text before a word is cut to its last characters
  return /(?:\w:\/\/|www\.)[^\s<>]*$|<\/?[a-z][^<>]*$/i.test(before)
}

function mentionOf(text: string, name: string, start: number, form: Mention['form'], around: TextSpan): Mention {
  // backtracks: the text before a word is cut to its last characters
  const before = text.slice(Math.max(0, around.start - reach), around.start).replace(/["'*_“”„«»]+$/, '')
  const behind = text.slice(around.end, around.end + reach).replace(/^\([^()\n]*\)/, '')
  return { name, span: { start, end: start + name.length }, form, before, after: behind.replace(/^["'*_“”«»]+/, '') }
}

/** Finds the span that holds an offset, for offsets that only grow. */
class SpanCursor {
  readonly #spans: readonly TextSpan[]
  #next = 0

  constructor(spans: readonly TextSpan[]) {
    this.#spans = spans
  }

  at(offset: number): TextSpan | undefined {
    while ((this.#spans[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#next++
    const span = this.#spans[this.#next]
    return span && span.start <= offset ? span : undefined
  }
}
