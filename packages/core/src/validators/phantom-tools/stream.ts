import type { AnswerReader } from '../../answer/reader.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { longestRun, snakeCase, withoutEmphasis } from './mentions.ts'

/** Holds text from the first unknown word that may be the name of a tool; the words around it decide. */
export class PhantomStream implements IncrementalCheck<never> {
  readonly #isKnown: (name: string) => boolean
  #length = 0
  /** The word at the end of the text, which may go on; what is too long for a name is not kept. */
  #tail = ''
  #tooLong = false
  #found: number | undefined

  constructor(isKnown: (name: string) => boolean) {
    this.#isKnown = isKnown
  }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    const text = this.#tail + chunk
    const base = this.#length - this.#tail.length
    this.#length += chunk.length
    this.#tail = ''
    if (this.#found === undefined) this.#read(text, base, reader)
    return { safe: this.#found ?? this.#length - this.#tail.length }
  }

  #read(text: string, base: number, reader: AnswerReader): void {
    const pattern = /\w+/g
    for (let run = pattern.exec(text); run; run = pattern.exec(text)) {
      const goesOn = run.index === 0 && this.#tooLong
      if (pattern.lastIndex === text.length && !goesOn) this.#keep(run[0])
      else if (!goesOn && this.#mayBePhantom(run[0], base + run.index, reader)) {
        this.#found = base + run.index
        return
      }
    }
    if (!/\w$/.test(text.slice(-1))) this.#tooLong = false
  }

  #keep(run: string): void {
    if (run.length > longestRun) this.#tooLong = true
    else this.#tail = run
  }

  #mayBePhantom(run: string, at: number, { bodyStart, marginFence }: AnswerReader): boolean {
    const isCode = at > (marginFence?.start ?? Number.POSITIVE_INFINITY)
    const name = withoutEmphasis(run)
    return at >= bodyStart && !isCode && snakeCase.test(name) && !this.#isKnown(name)
  }
}
