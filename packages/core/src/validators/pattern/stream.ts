import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { PatternSearch } from '../../schema/patterns/pattern-search.ts'
import type { PatternRule } from './rules.ts'

type Code = 'PATTERN_DENIED' | 'PATTERN_COUNT'

/** Safe up to what may become a match that is one too many; fails when that is certain. */
export class LimitedPatterns implements IncrementalCheck<Code> {
  readonly #searches: readonly PatternSearch[]
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  #failed: Progress<Code> | undefined

  constructor(rules: readonly PatternRule[], issueOf: (rule: PatternRule, count: number) => IssueDraft<Code>) {
    this.#searches = rules.map((rule) => {
      let count = 0
      const found = (start: number, at: number): boolean => {
        if (++count <= rule.max) return false
        // Of several that fail within one chunk the first counts.
        if (this.#failed?.failure === undefined || at < this.#failed.failure.at)
          this.#failed = { safe: start, failure: { at, issues: [issueOf(rule, count)] } }
        return true
      }
      return new PatternSearch(rule.compiled, { found })
    })
  }

  push(chunk: string): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    const body = this.#reasoning.push(chunk)
    let safe = this.#length
    for (const search of this.#searches) {
      search.skipTo(this.#length - body.length)
      search.push(body)
      safe = Math.min(safe, search.open)
    }
    return this.#failed ?? { safe }
  }
}
