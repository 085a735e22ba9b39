import type { AnswerReader } from '../../answer/reader.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { InlineCodeWatch, KeptText } from '../shared/kept-text.ts'
import { foundHead, type LeakSearch, linesIn, longestHead } from './find-leaks.ts'
import { type Leak, type LeakCode, LeakScanner } from './leak-scanner.ts'
import { EchoFinder, type PromptEcho, type SecretPrompt } from './prompt-echo.ts'
import { readHead } from './template-tokens.ts'

interface LeakReport {
  leak(leak: Leak): IssueDraft<LeakCode>
  echo(echo: PromptEcho): IssueDraft<LeakCode>
  readonly allow: readonly RepairClass[]
}

/** Tokens and lines begin with one of these. */
const mayBegin = /[<[\n]/

/** Follows a stream: holds what may be a token, a turn or an echo until that is known, and fails when it is one. */
export class LeakStream implements IncrementalCheck<LeakCode> {
  readonly #search: LeakSearch
  readonly #secret: SecretPrompt | undefined
  readonly #report: LeakReport
  readonly #reasoning = new ReasoningSkipper()
  readonly #kept = new KeptText()
  readonly #code = new InlineCodeWatch(this.#kept)
  #echoes: EchoFinder | undefined
  #scanner: LeakScanner | undefined
  /** The start of the body, until it is known whether it starts with tokens. */
  #head = ''
  /** Whether a repair removes tokens from the start, when all is known. */
  #isHeld = false
  #length = 0
  #safe = 0
  /** Whether nothing can begin before one of the signs of `mayBegin`, and the text since. */
  #isQuiet = false
  #quiet = ''
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }
  #failed: Progress<LeakCode> | undefined

  constructor(search: LeakSearch, secret: SecretPrompt | undefined, report: LeakReport) {
    this.#search = search
    this.#secret = secret
    this.#report = report
  }

  push(chunk: string, reader: AnswerReader): Progress<LeakCode> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    if (this.#scanner) this.#echoes?.push(chunk)
    if (this.#isQuiet && !mayBegin.test(chunk) && (this.#echoes?.heldFrom ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY) {
      this.#quiet += chunk
      this.#safe = this.#length
      this.#progress.safe = this.#safe
      return this.#progress
    }
    const text = this.#quiet + chunk
    this.#quiet = ''
    this.#kept.push(text)
    const body = this.#scanner ? text : this.#reasoning.push(text)
    if (body !== '' && !this.#isHeld) this.#read(body)
    if (this.#failed) return this.#failed
    // Without the tokens at its start the text may be read otherwise: what is code, for instance.
    if (this.#isHeld) return { safe: this.#safe }
    const clear = this.#scanner ? this.#judge(this.#scanner, reader) : this.#reasoning.isOpen ? this.#length : 0
    this.#safe = Math.max(this.#safe, Math.min(this.#length, clear))
    this.#isQuiet = this.#safe === this.#length && this.#scanner?.isQuiet === true
    return this.#failed ?? { safe: this.#safe }
  }

  #read(body: string): void {
    if (this.#scanner) {
      this.#scanner.push(body)
      return
    }
    this.#echoes?.push(body)
    const { bodyStart: start } = this.#reasoning
    const at = { start, line: linesIn(this.#kept.slice({ start: 0, end: start }), start) }
    if (this.#secret && this.#echoes === undefined) {
      this.#echoes = new EchoFinder(this.#secret, at)
      this.#echoes.push(body)
    }
    this.#head += body
    const head = readHead(this.#head.slice(0, longestHead), false)
    if (head === undefined && this.#head.length < longestHead) return
    const found = head ? foundHead(head, this.#head, at, this.#search) : undefined
    const from = found?.removal.span.end ?? start
    this.#scanner = new LeakScanner(from, found?.line ?? at.line)
    this.#scanner.push(this.#head.slice(from - start))
    this.#head = ''
    if (found === undefined) return
    if (this.#report.allow.includes('lossless')) this.#isHeld = true
    else this.#fail(found.leak.start, found.leak.end, this.#report.leak(found.leak), false)
  }

  /** Decides what can be decided; returns up to where the text is safe then. */
  #judge(scanner: LeakScanner, reader: AnswerReader): number {
    const { found, heldFrom = Number.POSITIVE_INFINITY } = this.#echoes ?? {}
    let verdict: 'right' | 'wrong' | 'open' | undefined
    let right = 0
    for (const one of scanner.found) {
      verdict = this.#verdictOn(one, scanner, reader)
      if (verdict !== 'right') break
      right++
    }
    scanner.found.splice(0, right)
    const [leak] = scanner.found
    // Whatever comes first counts, however the text is cut.
    if (leak && !(found && found.span.end <= leak.start)) {
      // What is behind it may be cut, which leaves it at the end.
      if (verdict === 'wrong') this.#fail(leak.start, leak.end, this.#report.leak(leak), this.#report.allow.includes('lossy'))
      return Math.min(leak.start, heldFrom)
    }
    if (found) this.#fail(found.span.start, found.span.end, this.#report.echo(found), false)
    return Math.min(scanner.open, heldFrom)
  }

  #verdictOn(leak: Leak, { lastVisible, undecided }: LeakScanner, reader: AnswerReader): 'right' | 'wrong' | 'open' {
    const { start, end, code, onlyAtEnd, text } = leak
    if (this.#search.allowed.has(text)) return 'right'
    const isFollowed = lastVisible > end
    if (onlyAtEnd) return isFollowed ? 'right' : 'open'
    if (!this.#search.inCode) {
      if (start > (reader.marginFence?.start ?? Number.POSITIVE_INFINITY)) return 'right'
      if (reader.closed <= start) return 'open'
      if (reader.inFence(start) || this.#code.holds(start, reader)) return 'right'
    }
    if (leak === undecided) return 'open'
    // A token at the end can be removed.
    return code === 'TEMPLATE_TOKEN' && !isFollowed && this.#report.allow.includes('lossless') ? 'open' : 'wrong'
  }

  #fail(start: number, at: number, issue: IssueDraft<LeakCode>, isRepaired: boolean): void {
    this.#failed = { safe: Math.max(this.#safe, start), failure: { at, issues: [issue], ...(!isRepaired && { final: true as const }) } }
  }
}
