import { positionAt } from '@stickler/core/internal'
import { endOfText } from '../fault-at.ts'
import { quoted } from '../quoted.ts'
import { BashLexer, type BashToken, redirections, reservedWords } from './lexer.ts'
import { BashProblem } from './problem.ts'
import type { WordContext, WordReading } from './word.ts'

/** What is open while its inside is read. */
interface Open {
  readonly opening: BashToken
  readonly close: string
}

/** The place in a script: looks one token ahead, and knows what is still open. */
export class BashCursor {
  readonly lexer: BashLexer
  #ahead: { readonly token: BashToken; readonly context: WordContext } | undefined
  readonly #open: Open[] = []

  constructor(text: string, reading: WordReading) {
    this.lexer = new BashLexer(text, reading)
  }

  /** The next token, which stays where it is. */
  peek(context: WordContext): BashToken {
    if (this.#ahead !== undefined && this.#ahead.context !== context && this.#ahead.token.kind === 'word') {
      this.lexer.at = this.#ahead.token.start
      this.#ahead = undefined
    }
    this.#ahead ??= { token: this.lexer.next(context), context }
    return this.#ahead.token
  }

  /** Takes the next token. */
  next(context: WordContext): BashToken {
    const token = this.peek(context)
    this.#ahead = undefined
    return token
  }

  /** Reads something else from an offset on, then continues where it was. */
  elsewhere<T>(at: number, read: () => T): T {
    const saved = { ahead: this.#ahead, at: this.lexer.at }
    this.#ahead = undefined
    this.lexer.at = at
    const result = read()
    this.#ahead = saved.ahead
    this.lexer.at = saved.at
    return result
  }

  /** Goes on at an offset. */
  jump(at: number): void {
    this.#ahead = undefined
    this.lexer.at = at
  }

  /** Where what was read last ends. */
  get end(): number {
    return this.#ahead?.token.start ?? this.lexer.at
  }

  /** Reads what is between an opening word, which was taken, and the one that closes it. */
  within(opening: BashToken, close: string, read: () => void): void {
    this.#open.push({ opening, close })
    read()
    this.expect(close)
    this.#open.pop()
  }

  /** Takes a reserved word or an operator, which must come next. */
  expect(text: string): void {
    const token = this.peek('command')
    if (!isSign(token, text)) throw this.unexpected(token, text)
    this.next('command')
  }

  /** Takes an operator or a reserved word when it comes next. */
  take(text: string): boolean {
    const isNext = isSign(this.peek('command'), text)
    if (isNext) this.next('command')
    return isNext
  }

  /** Takes a word, which must come next. */
  word(context: WordContext, what: string): BashToken {
    const token = this.peek(context)
    if (token.kind !== 'word') throw this.unexpected(token, what)
    return this.next(context)
  }

  skipNewlines(): void {
    while (this.peek('command').kind === 'newline') this.next('command')
  }

  /** What is wrong with a token that cannot come here. */
  unexpected(token: BashToken, wanted?: string): BashProblem {
    const { text } = this.lexer
    if (token.kind === 'end') {
      const at = endOfText(text)
      const open = this.#open.at(-1)
      if (open === undefined)
        return new BashProblem(
          at,
          at,
          wanted === undefined ? 'Complete the command: more must follow here.' : `Write ${shown(wanted)} here.`,
        )
      return new BashProblem(
        at,
        at,
        `Close the ${quoted(open.opening.text)} of line ${positionAt(text, open.opening.start).line} with ${quoted(open.close)}.`,
      )
    }
    const found = token.kind === 'newline' ? 'the end of the line' : quoted(token.text)
    const message =
      wanted === undefined ? `Correct the command at ${found}: bash does not expect it here.` : `Write ${shown(wanted)} before ${found}.`
    return new BashProblem(token.start, token.end, message)
  }
}

/** Whether a token is this operator or reserved word. */
export function isSign(token: BashToken, text: string): boolean {
  return token.text === text && (token.kind === 'operator' || isReserved(token))
}

/** Whether a token is a reserved word where a command starts. */
export function isReserved({ isPlain, kind, text }: BashToken): boolean {
  return kind === 'word' && isPlain && reservedWords.has(text)
}

/** Whether a redirection starts with this token. */
export function startsRedirection({ kind, text }: BashToken): boolean {
  return kind === 'descriptor' || (kind === 'operator' && redirections.has(text))
}

/** Reserved words and operators in back-ticks; anything else says what it is. */
function shown(wanted: string): string {
  return wanted.includes(' ') ? wanted : quoted(wanted)
}
