import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { type Casing, findWrongCase, wordUpTo } from './letters.ts'

/** Safe up to the first letter in the wrong case, where it fails unless a repair may change the letter. */
export class CasingStream implements IncrementalCheck<'WRONG_CASE'> {
  readonly #is: Casing
  readonly #repairs: boolean
  readonly #tell: (word: string) => IssueDraft<'WRONG_CASE'>
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  /** The word that the last chunk ended in. */
  #word = ''
  #failed: Progress<'WRONG_CASE'> | undefined

  constructor(is: Casing, repairs: boolean, tell: (word: string) => IssueDraft<'WRONG_CASE'>) {
    this.#is = is
    this.#repairs = repairs
    this.#tell = tell
  }

  push(chunk: string): Progress<'WRONG_CASE'> {
    this.#length += chunk.length
    this.#failed ??= this.#judge(this.#reasoning.push(chunk))
    return this.#failed ?? { safe: this.#length }
  }

  #judge(body: string): Progress<'WRONG_CASE'> | undefined {
    const wrong = findWrongCase(body, 0, this.#is)
    const text = this.#word + body
    if (wrong === undefined) {
      this.#word = wordUpTo(text, 0, text.length)
      return undefined
    }
    const offset = this.#length - body.length
    const issues = [this.#tell(wordUpTo(text, 0, this.#word.length + wrong.end))]
    const at = offset + wrong.end
    return { safe: offset + wrong.start, failure: { at, issues, ...(this.#repairs ? {} : { final: true as const }) } }
  }
}
