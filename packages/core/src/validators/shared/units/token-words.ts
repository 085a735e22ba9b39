import type { UnitCounter } from './unit-counter.ts'

const wordCharacter = /[\p{L}\p{M}\p{N}_]/u

/** Whether the character of a code point belongs to a word: a letter, a mark on one, a digit or an underscore. */
export function isWordCharacter(point: number): boolean {
  if (point < 128) return (point >= 97 && point <= 122) || (point >= 65 && point <= 90) || (point >= 48 && point <= 57) || point === 95
  return wordCharacter.test(String.fromCodePoint(point))
}

/** Counts runs of letters, marks, digits and underscores: punctuation separates words too. */
export class TokenWords implements UnitCounter {
  count = 0
  #inWord = false

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const start = at
      const point = text.codePointAt(at) ?? 0
      if (point > 0xffff) at++
      const inside = isWordCharacter(point)
      if (inside && !this.#inWord) {
        this.count++
        if (this.count >= stop) return start
      }
      this.#inWord = inside
    }
    return undefined
  }
}
