import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { type Leak, type LeakCode, LeakScanner } from './leak-scanner.ts'
import { EchoFinder, type PromptEcho, type SecretPrompt } from './prompt-echo.ts'
import { readHead, type TemplateHead } from './template-tokens.ts'

/** What is looked for. */
interface LeakSearch {
  readonly inCode: boolean
  readonly allowed: ReadonlySet<string>
}

/** Reports what is found. */
interface LeakReport {
  leak(leak: Leak, repair: 'lossless' | 'lossy'): void
  echo(echo: PromptEcho): void
}

/** More text than this does not start with tokens alone. */
const longestHead = 1000

/** So many leaks say enough of one answer. */
const mostLeaks = 20

/** Tokens and lines begin with one of these. */
const mayBegin = /[<[\n]/

const never = Number.POSITIVE_INFINITY

/** Holds what may be a token, a turn or an echo until that is known; tokens at the start and the end are removed, what follows the end of a turn is cut. */
export class LeakMachine implements Machine {
  safe = never
  readonly #reading: Reading<LeakCode>
  readonly #search: LeakSearch
  readonly #secret: SecretPrompt | undefined
  readonly #report: LeakReport
  #echoes: EchoFinder | undefined
  #scanner: LeakScanner | undefined
  /** The start of the body, until it is known whether it starts with tokens. */
  #head = ''
  /** Where the answer itself starts. */
  #from = 0
  /** Whether nothing can begin before one of the signs of `mayBegin`, and the text since. */
  #isQuiet = false
  #quiet = ''
  #leaks = 0
  /** At the end: where the tokens start that the answer ends with, and where it goes on as somebody else before them. */
  #tail = never
  #cut = never
  /** At the end: where text is first struck out in HTML. */
  #struck = never

  constructor(reading: Reading<LeakCode>, search: LeakSearch, secret: SecretPrompt | undefined, report: LeakReport) {
    this.#reading = reading
    this.#search = search
    this.#secret = secret
    this.#report = report
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#secret && this.#scanner === undefined) this.#echoes ??= new EchoFinder(this.#secret, at)
    this.#echoes?.push(piece)
    if (!isEnd && this.#isQuiet && !mayBegin.test(piece) && (this.#echoes?.heldFrom ?? never) === never) {
      this.#quiet += piece
      this.safe = never
      return
    }
    const text = this.#quiet + piece
    this.#quiet = ''
    const end = at + piece.length
    if (this.#scanner) this.#scanner.push(text)
    else this.#begin(text, end, isEnd)
    if (this.#scanner === undefined) this.safe = end - this.#head.length
    else if (isEnd) this.#finish(this.#scanner, end)
    else this.safe = this.#judge(this.#scanner)
    this.#isQuiet = this.safe >= end && this.#scanner?.isQuiet === true
  }

  /** Reads the tokens that a text starts with, once they are known. */
  #begin(text: string, end: number, isEnd: boolean): void {
    this.#head += text
    const body = this.#head
    const head = readHead(body.slice(0, longestHead), isEnd && body.length <= longestHead)
    if (head === undefined && body.length < longestHead && !isEnd) return
    this.#head = ''
    const start = end - body.length
    this.#from = start + (head && !this.#search.allowed.has(head.first.text) ? head.end : 0)
    if (head && this.#from > start) this.#removeHead(head, start)
    this.#scanner = new LeakScanner(this.#from)
    this.#scanner.push(body.slice(this.#from - start))
  }

  #removeHead({ first, end }: TemplateHead, start: number): void {
    const leak: Leak = { ...first, start: start + first.start, end: start + first.end, code: 'TEMPLATE_TOKEN' }
    this.#tell(leak, 'lossless')
    this.#reading.fix({ rule: 'remove-template-tokens', class: 'lossless', span: { start: leak.start, end: start + end }, after: '' })
  }

  #tell(leak: Leak, repair: 'lossless' | 'lossy'): void {
    if (this.#leaks++ < mostLeaks) this.#report.leak(leak, repair)
  }

  /** Decides what can be decided; returns up to where the text is safe then. */
  #judge(scanner: LeakScanner): number {
    const { found, heldFrom = never } = this.#echoes ?? {}
    let decided = 0
    for (const one of scanner.found) {
      const verdict = this.#verdictOn(one, scanner)
      if (verdict === 'open') break
      decided++
      if (verdict === 'wrong') this.#tell(one, 'lossy')
    }
    scanner.found.splice(0, decided)
    const [open] = scanner.found
    // Whatever comes first counts, however the text is cut.
    if (open && !(found && found.span.end <= open.start)) return Math.min(open.start, heldFrom)
    if (found) this.#report.echo(found)
    return Math.min(scanner.open, heldFrom)
  }

  #verdictOn(leak: Leak, { lastVisible, undecided }: LeakScanner): 'right' | 'wrong' | 'open' {
    const { start, end, code, onlyAtEnd, text } = leak
    if (this.#search.allowed.has(text)) return 'right'
    const isFollowed = lastVisible > end
    if (onlyAtEnd) return isFollowed ? 'right' : 'open'
    if (!this.#search.inCode) {
      if (this.#reading.closed <= start) return 'open'
      if (this.#reading.inCode(start)) return 'right'
    }
    if (leak === undecided) return 'open'
    // A token at the end can be removed.
    return code === 'TEMPLATE_TOKEN' && !isFollowed && this.#reading.allow.includes('lossless') ? 'open' : 'wrong'
  }

  #finish(scanner: LeakScanner, end: number): void {
    scanner.end()
    this.#echoes?.end()
    const struck = scanner.found.length > 0 ? this.#reading.slice({ start: 0, end }).search(/<s>/i) : -1
    if (struck >= 0) this.#struck = struck
    for (const leak of scanner.found) {
      const isLast = this.#isLast(leak, scanner)
      if (this.#search.allowed.has(leak.text) || (leak.onlyAtEnd && !isLast)) continue
      if (!leak.onlyAtEnd && !this.#search.inCode && this.#reading.inCode(leak.start)) continue
      this.#tell(leak, 'lossy')
      if (isLast) this.#tail = Math.min(this.#tail, leak.start)
      if (leak.endsTurn) this.#cut = Math.min(this.#cut, leak.start)
    }
    const { found } = this.#echoes ?? {}
    if (found) this.#report.echo(found)
    this.#removeEnd(end)
  }

  #isLast({ code, start, text }: Leak, { lastVisible }: LeakScanner): boolean {
    if (code !== 'TEMPLATE_TOKEN' || start < lastVisible) return false
    // The end of what is struck out in HTML is no token.
    return text !== '</s>' || this.#struck > start
  }

  /** Tokens at the end are not part of the answer; what follows the end of a turn is, and is lost. */
  #removeEnd(end: number): void {
    const isCut = this.#cut < this.#tail
    const start = Math.min(this.#cut, this.#tail)
    // Of an answer that has nothing else there would be nothing left.
    if (start >= end || this.#reading.slice({ start: this.#from, end: start }).trim() === '') return
    const rule = isCut ? 'cut-foreign-turn' : 'remove-template-tokens'
    this.#reading.fix({ rule, class: isCut ? 'lossy' : 'lossless', span: { start, end }, after: '' })
  }
}
