import { openToken, type TemplateToken, tokensIn } from './template-tokens.ts'
import { TurnWatch } from './user-turns.ts'

/** A place where a template shows in an answer: a token, or the start of another turn. */
export interface Leak extends TemplateToken {
  readonly code: 'TEMPLATE_TOKEN' | 'FOREIGN_TURN'
  readonly text: string
}

/** The codes of what is found. */
export type LeakCode = Leak['code'] | 'PROMPT_ECHO'

/** Labels are no longer; of a line that is, its end decides what may follow. */
const longestLabel = 40
const longestEnd = 80

/** Finds tokens and turns in text that comes in pieces, in text order and code included. */
export class LeakScanner {
  /** What has been found and not been taken yet. */
  readonly found: Leak[] = []
  /** Where the last character was that can be seen and is not part of a token. */
  lastVisible: number
  /** A turn that is an item of a list if another label follows. */
  undecided: Leak | undefined
  readonly #turns = new TurnWatch()
  #rest = ''
  /** Where what is not read yet starts. */
  #at: number
  #lineStart: number
  #lineText = ''
  /** Whether the line may still turn out to be the start of a turn. */
  #isOpen = true

  constructor(start: number) {
    this.#at = start
    this.#lineStart = start
    this.lastVisible = start
  }

  /** From where on the text may become a token or a turn. */
  get open(): number {
    return this.#isOpen && this.#lineText !== '' && this.#turns.mayStart ? this.#lineStart : this.#at
  }

  /** Whether nothing is open or waits to be taken, so that only a new token or line can bring something. */
  get isQuiet(): boolean {
    return !this.#isOpen && this.#rest === '' && this.undecided === undefined && this.found.length === 0
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    const text = this.#rest + chunk
    const end = openToken(text)
    this.#rest = text.slice(end)
    this.#read(end === text.length ? text : text.slice(0, end))
  }

  /** Ends the text. */
  end(): void {
    this.#read(this.#rest)
    this.#rest = ''
    this.#lookAtLine(true)
    this.undecided = undefined
  }

  #read(text: string): void {
    // Tokens start with one of these; most pieces have none.
    if (!text.includes('<') && !text.includes('[')) {
      this.#readPlain(text)
      return
    }
    const start = this.#at
    let read = 0
    for (const token of tokensIn(text, start)) {
      this.#readPlain(text.slice(read, token.start - start))
      read = token.end - start
      this.#addToken({ code: 'TEMPLATE_TOKEN', ...token })
      this.#at = token.end
    }
    this.#readPlain(text.slice(read))
  }

  /** Beside another token, what people write too is one as well. */
  #addToken(token: Leak): void {
    const previous = this.found.at(-1)
    const isBeside = previous?.code === 'TEMPLATE_TOKEN' && previous.end >= this.lastVisible
    if (isBeside && previous.onlyAtEnd && !token.onlyAtEnd) this.found.push({ ...(this.found.pop() as Leak), onlyAtEnd: false })
    this.found.push(isBeside && !previous.onlyAtEnd ? { ...token, onlyAtEnd: false } : token)
  }

  #readPlain(text: string): void {
    const visible = text.trimEnd().length
    if (visible > 0) this.lastVisible = this.#at + visible
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#extend(text.slice(from, end))
      this.#lookAtLine(true)
      this.#turns.end(this.#lineText)
      // Items of lists ask nothing.
      if (this.undecided?.start === this.#lineStart && /[?？]\s*$/.test(this.#lineText)) this.undecided = undefined
      from = end + 1
      this.#lineStart = this.#at + from
      this.#lineText = ''
      this.#isOpen = true
    }
    this.#extend(text.slice(from))
    this.#lookAtLine(false)
    this.#at += text.length
  }

  #extend(text: string): void {
    const line = this.#lineText + text
    this.#lineText = line.length <= longestLabel + longestEnd ? line : line.slice(0, longestLabel) + line.slice(-longestEnd)
  }

  #lookAtLine(isEnded: boolean): void {
    const isWhole = isEnded || this.#lineText.length > longestLabel
    if (this.undecided && this.undecided.start < this.#lineStart) this.#compare(this.undecided, isWhole)
    if (!this.#isOpen) return
    const label = this.#turns.starts(this.#lineText, isWhole)
    if (label === undefined) return
    this.#isOpen = false
    if (label === '') return
    const start = this.#lineStart
    const end = start + label.length
    const turn: Leak = { code: 'FOREIGN_TURN', start, end, endsTurn: true, onlyAtEnd: false, text: label }
    this.found.push(turn)
    if (!label.startsWith('#')) this.undecided = turn
  }

  /** Decides by the next line whether a label is that of a turn. */
  #compare(turn: Leak, isWhole: boolean): void {
    const isSibling = this.#turns.isSibling(this.#lineText.slice(0, longestLabel), isWhole)
    if (isSibling === undefined) return
    this.undecided = undefined
    const at = this.found.indexOf(turn)
    if (isSibling && at >= 0) this.found.splice(at, 1)
  }
}
