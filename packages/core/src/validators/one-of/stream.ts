import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import type { Values } from './match.ts'

/** Holds the answer to its end, since only then is it a value; fails with the first character that no value has. */
export class OneOfStream implements IncrementalCheck<'NOT_ONE_OF'> {
  readonly #values: Values
  readonly #tell: (observed: string) => IssueDraft<'NOT_ONE_OF'>
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  #text = ''
  #failed: Progress<'NOT_ONE_OF'> | undefined

  constructor(values: Values, tell: (observed: string) => IssueDraft<'NOT_ONE_OF'>) {
    this.#values = values
    this.#tell = tell
  }

  push(chunk: string): Progress<'NOT_ONE_OF'> {
    this.#length += chunk.length
    this.#failed ??= this.#judge(this.#reasoning.push(chunk))
    return this.#failed ?? { safe: 0 }
  }

  #judge(body: string): Progress<'NOT_ONE_OF'> | undefined {
    let at = this.#length - body.length
    for (const character of body) {
      at += character.length
      if (this.#text === '' && character.trim() === '') continue
      this.#text += character
      if (!this.#values.isPossible(this.#text)) return { safe: 0, failure: { at, issues: [this.#tell(this.#text)], final: true } }
    }
    return undefined
  }
}
