import { quoted } from '../quoted.ts'
import { BashProblem } from './problem.ts'
import { readWord, type WordContext, type WordReading } from './word.ts'

/** Words that have a meaning of their own where a command starts. */
export const reservedWords: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(' '),
)

/** Reserved words that start a command. */
export const compoundWords: ReadonlySet<string> = new Set('if case for select while until function { [[ coproc'.split(' '))

/** Commands whose arguments may assign lists. */
export const declaringCommands: ReadonlySet<string> = new Set('alias declare export local readonly typeset eval let'.split(' '))

/** Operators, the longest first. */
const operators: readonly string[] = '&>> <<< <<- ;;& && || ;; ;& << >> <& >& <> >| &> |& ; & | ( ) < >'.split(' ')

/** Operators before a file, a descriptor or a here-document. */
export const redirections: ReadonlySet<string> = new Set('&>> <<< <<- << >> <& >& <> >| &> < >'.split(' '))

/** `-f` and the like, inside `[[ ]]`. */
export function isUnaryTest(text: string): boolean {
  return /^-[abcdefghknoprstuvwxzGLNORS]$/.test(text)
}

/** `==`, `-eq` and the like, inside `[[ ]]`. */
export function isBinaryTest(text: string): boolean {
  return /^(?:==?|!=|=~|-(?:nt|ot|ef|eq|ne|lt|gt|le|ge))$/.test(text)
}

/** One token of a script. */
export interface BashToken {
  /** A descriptor is a number or `{name}` right before a redirection. */
  readonly kind: 'word' | 'descriptor' | 'operator' | 'newline' | 'end'
  readonly start: number
  readonly end: number
  readonly text: string
  /** A word without quotes, escapes and expansions. */
  readonly isPlain: boolean
}

interface HereDocument {
  readonly start: number
  readonly delimiter: string
  readonly stripsTabs: boolean
}

/** Reads the tokens of a script in their order. */
export class BashLexer {
  readonly text: string
  /** Where the next token is looked for. */
  at = 0
  readonly #reading: WordReading
  #waiting: HereDocument[] = []

  constructor(text: string, reading: WordReading) {
    this.text = text
    this.#reading = reading
  }

  /** Reads the next token; a new line also takes the here-documents that wait for it. */
  next(context: WordContext): BashToken {
    const { text } = this
    this.#skipBlanks()
    const start = this.at
    const char = text[start]
    if (char === undefined) {
      if (this.#waiting.length > 0) this.#takeHereDocuments()
      return this.#token('end', start, start)
    }
    if (char === '\n') {
      this.at = start + 1
      this.#takeHereDocuments()
      return { kind: 'newline', start, end: start + 1, text: '\n', isPlain: false }
    }
    const isProcess = (char === '<' || char === '>') && text[start + 1] === '('
    const operator = context === 'regex' || isProcess ? undefined : operators.find((one) => text.startsWith(one, start))
    if (operator !== undefined) return this.#token('operator', start, start + operator.length)
    const { end, isPlain } = readWord(text, start, context, this.#reading)
    // In a regular expression an operator makes an empty word, which is a fault.
    if (end === start) return this.#token('operator', start, start + 1)
    const word = text.slice(start, end)
    const isBeforeRedirection = text[end] === '<' || text[end] === '>'
    const kind = isBeforeRedirection && (/^\d+$/.test(word) || /^\{[A-Za-z_]\w*\}$/.test(word)) ? 'descriptor' : 'word'
    return this.#token(kind, start, end, isPlain)
  }

  /** Notes a here-document, whose text starts on the next line. */
  expectHereDocument(word: BashToken, stripsTabs: boolean): void {
    const delimiter = word.text.replace(/\\\r?\n/g, '').replace(/\$(?=['"])|['"]|\\(?=[\s\S])/g, '')
    this.#waiting.push({ start: word.start, delimiter, stripsTabs })
  }

  #token(kind: BashToken['kind'], start: number, end: number, isPlain = false): BashToken {
    this.at = end
    const raw = this.text.slice(start, end)
    return { kind, start, end, text: isPlain ? raw.replace(/\\\r?\n/g, '') : raw, isPlain }
  }

  #skipBlanks(): void {
    const { text } = this
    for (;;) {
      const char = text[this.at]
      const next = text[this.at + 1]
      if (char === ' ' || char === '\t' || char === '\0' || (char === '\r' && (next === '\n' || next === undefined))) this.at++
      else if (char === '\\' && next === '\n') this.at += 2
      else if (char === '\\' && next === '\r' && text[this.at + 2] === '\n') this.at += 3
      else if (char === '#') this.at = this.#lineEnd(this.at)
      else return
    }
  }

  #takeHereDocuments(): void {
    for (const { start, delimiter, stripsTabs } of this.#waiting.splice(0)) {
      for (;;) {
        if (this.at >= this.text.length)
          throw new BashProblem(start, start, `End the here-document that starts here with a line that holds only ${quoted(delimiter)}.`)
        const end = this.#lineEnd(this.at)
        const line = this.text.slice(this.at, end).replace(/\r$/, '')
        this.at = Math.min(end + 1, this.text.length)
        if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) break
      }
    }
  }

  #lineEnd(from: number): number {
    const end = this.text.indexOf('\n', from)
    return end < 0 ? this.text.length : end
  }
}
