import { ReasoningSkipper } from '../../../answer/reasoning.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'

/** Looks for matches in text that comes in pieces. */
export interface MatchSearch {
  /** From where on what was read may still become a match, or part of one. */
  readonly open: number
  /** Moves on over text that is not looked at. */
  skipTo(offset: number): void
  push(text: string): unknown
}

/** Reports a match that is one too many: where it starts, where that is certain, what is said of it in the text so far, and whether no repair corrects it. */
export type TooMany<Code extends string> = (start: number, at: number, issue: (text: string) => IssueDraft<Code>, isFinal?: boolean) => void

/** Safe up to what may become a match that is one too many; fails when that is certain. Reasoning does not count. */
export class LimitedMatches<Code extends string> implements IncrementalCheck<Code> {
  readonly #searches: readonly MatchSearch[]
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  /** Only looked at when it fails, to say where. */
  #text = ''
  #failed: Progress<Code> | undefined

  constructor(search: (tooMany: TooMany<Code>) => readonly MatchSearch[]) {
    this.#searches = search((start, at, issue, isFinal) => {
      // Of several that fail within one chunk the first counts.
      if (this.#failed?.failure === undefined || at < this.#failed.failure.at)
        this.#failed = { safe: start, failure: { at, issues: [issue(this.#text)], ...(isFinal && { final: true }) } }
    })
  }

  push(chunk: string): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    this.#text += chunk
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
