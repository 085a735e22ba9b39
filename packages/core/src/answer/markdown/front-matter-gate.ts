import type { Line } from '../lines.ts'
import type { FrontMatter } from '../outline.ts'
import { BlockScanner } from './block-scanner.ts'

/** What happens to a line while a block that may be front matter is open. */
type GateVerdict =
  | { readonly kind: 'pending' }
  | { readonly kind: 'front-matter'; readonly block: FrontMatter }
  | { readonly kind: 'refuted'; readonly lines: readonly Line[] }

const pending: GateVerdict = { kind: 'pending' }

/** Collects the lines after a `---` until it is clear whether they are front matter. */
export class FrontMatterGate {
  readonly #lines: Line[]
  readonly #atStart: boolean
  #keySeen = false
  #blankSeen = false
  /** Whether a blank line comes first: a rule is followed by one, front matter seldom is. */
  #blankFirst = false

  constructor(opening: Line, atStart: boolean) {
    this.#lines = [opening]
    this.#atStart = atStart
  }

  /** Where the block starts. */
  get start(): number {
    return this.#lines[0]?.start ?? 0
  }

  /** Its first line with anything on it, after the rule. */
  get firstLine(): string {
    return this.#lines.slice(1).find(({ text }) => !isBlank(text))?.text ?? ''
  }

  /** Takes the next line; a refuted block gives its lines back, without this one. */
  take(text: string, start: number, next: number): GateVerdict {
    if (isRule(text)) return this.#close(text, start)
    if (!this.#isPlausible(text)) return this.refute()
    this.#lines.push({ text, start, next })
    return pending
  }

  /** Returns the lines: this is not front matter. */
  refute(): GateVerdict {
    return { kind: 'refuted', lines: this.#lines }
  }

  #close(text: string, start: number): GateVerdict {
    const isRead = this.#blankFirst ? this.#lines.some((line) => isFieldName(line.text)) : this.#keySeen || this.#atStart
    if (this.#lines.length === 1 || !isRead || this.#swallows(text)) return this.refute()
    const contentStart = this.#lines[0]?.next ?? 0
    const content = this.#lines
      .slice(1)
      .map((line) => line.text)
      .join('\n')
    const block: FrontMatter = {
      span: { start: this.start, end: start + text.length },
      contentSpan: { start: contentStart, end: start },
      content,
      atStart: this.#atStart,
    }
    return { kind: 'front-matter', block }
  }

  /** Whether a renderer without front matter would read on in code or HTML that opens in here. */
  #swallows(rule: string): boolean {
    const lines = this.#lines.slice(1)
    if (!lines.some(({ text }) => /[`~<]/.test(text))) return false
    const scanner = new BlockScanner()
    for (const { text } of lines) scanner.line(text, 0, 0)
    scanner.line(rule, 0, 0)
    return scanner.swallowing
  }

  #isPlausible(text: string): boolean {
    if (isBlank(text)) {
      this.#blankFirst ||= this.#lines.length === 1
      this.#blankSeen = true
      return true
    }
    if (!this.#keySeen && (this.#blankFirst || !isComment(text))) {
      this.#keySeen = isKey(text)
      if (!this.#keySeen && (this.#blankFirst || !this.#atStart)) return false
    }
    // After a blank line, anything at the margin must look like YAML; before it, broken YAML still counts as YAML.
    return !this.#blankSeen || looksLikeYaml(text)
  }
}

/** Whether a line is the `---` that opens and closes front matter. */
export function isRule(text: string): boolean {
  return text.startsWith('---') && isBlank(text.slice(3))
}

/** Whether a line has nothing visible. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 32 && code < 127) return false
    if (code !== 32 && code !== 9) return text.slice(at).trim() === ''
  }
  return true
}

function isComment(text: string): boolean {
  return text.trimStart().startsWith('#')
}

function isKey(text: string): boolean {
  return /^[ \t]*["']?[\p{L}_][\p{L}\p{N}_.$-]*["']?[ \t]*:(?:\s|$)/u.test(text)
}

/** Whether a line begins with a name that is not a word of prose, such as `adr_id:`. */
function isFieldName(text: string): boolean {
  return /^["']?[a-z][a-z0-9]*_[a-z0-9_]*["']?[ \t]*:(?:\s|$)/.test(text)
}

function looksLikeYaml(text: string): boolean {
  return /^(?:[ \t]|-(?:\s|$)|#(?!#)|[\]})?])/.test(text) || isKey(text)
}
