import { isSpace } from '../../../answer/words.ts'
import type { UnitCounter } from './unit-counter.ts'

/** Counts code points, without white space at both ends of the text. */
export class Characters implements UnitCounter {
  count = 0
  /** White space that counts once something visible follows it. */
  #spaces = 0

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isSpace(code)) {
        if (this.count > 0) this.#spaces++
        continue
      }
      this.count += this.#spaces + 1
      this.#spaces = 0
      if (this.count >= stop) return at
      if ((text.codePointAt(at) ?? 0) > 0xffff) at++
    }
    return undefined
  }
}
