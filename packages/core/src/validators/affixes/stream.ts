import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress, StreamContract } from '../../contract/validator.ts'
import { type AffixRules, type StartCode, StartMatcher } from './start-matcher.ts'

/** Holds the start until it is right, and stops at the first character that makes it wrong; the end is judged at the end. */
export class AffixStream implements IncrementalCheck<StartCode> {
  readonly #rules: AffixRules
  readonly #allow: StreamContract['allow']
  readonly #tell: (code: StartCode, observed: string) => IssueDraft<StartCode>
  readonly #reasoning = new ReasoningSkipper()
  readonly #exact: StartMatcher
  /** Distinguished from the exact one only where case matters: a start in another case can be repaired. */
  readonly #folded: StartMatcher
  #length = 0
  /** The start as it was read. */
  #read = ''
  /** White space at the end; a repair may insert before it. */
  #spaces = 0
  #failed: Progress<StartCode> | undefined

  constructor(rules: AffixRules, allow: StreamContract['allow'], tell: (code: StartCode, observed: string) => IssueDraft<StartCode>) {
    this.#rules = rules
    this.#allow = allow
    this.#tell = tell
    this.#exact = new StartMatcher(rules, !rules.caseSensitive)
    this.#folded = new StartMatcher(rules, true)
  }

  push(chunk: string): Progress<StartCode> {
    this.#length += chunk.length
    this.#noteSpaces(chunk)
    if (this.#failed) return this.#failed
    if (!this.#exact.done) {
      this.#failed = this.#match(this.#reasoning.push(chunk))
      if (this.#failed) return this.#failed
      if (!this.#exact.done) return { safe: 0 }
    }
    const { ends, close } = this.#rules
    if (ends === undefined && close === undefined) return { safe: Number.POSITIVE_INFINITY }
    if (!this.#allow.includes('guess')) return { safe: this.#length }
    // A missing end is put before what the answer is wrapped in.
    return { safe: Math.max(0, this.#length - this.#spaces - (ends === undefined ? 0 : (close?.length ?? 0))) }
  }

  #match(body: string): Progress<StartCode> | undefined {
    const hadFailed = this.#exact.failed !== undefined
    const offset = this.#length - body.length
    const end = this.#exact.push(body)
    const foldedEnd = this.#folded.push(body)
    if (!hadFailed) this.#read = (this.#read + body.slice(0, end)).trimStart()
    const code = this.#exact.failed
    if (code === undefined) return undefined
    const issues = [this.#tell(code, this.#read)]
    if (this.#allow.includes('guess')) return { safe: 0, failure: { at: offset + (hadFailed ? 0 : end), issues } }
    if (this.#allow.includes('lossless') && this.#folded.failed === undefined) return undefined
    return { safe: 0, failure: { at: offset + Math.max(hadFailed ? 0 : end, foldedEnd), issues, final: true } }
  }

  #noteSpaces(chunk: string): void {
    const visible = chunk.trimEnd().length
    this.#spaces = visible === 0 ? this.#spaces + chunk.length : chunk.length - visible
  }
}
