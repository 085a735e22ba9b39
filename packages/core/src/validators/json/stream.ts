import type { AnswerReader } from '../../answer/reader.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { ProseBefore } from './prose-before.ts'

/** Releases the prose before the value; the value and what follows it are judged together. */
export class JsonProseStream implements IncrementalCheck<never> {
  #prose = new ProseBefore()
  #bodyStart = 0
  #length = 0

  push(chunk: string, { bodyStart }: AnswerReader): Progress<never> {
    if (bodyStart > this.#bodyStart) this.#prose = new ProseBefore()
    this.#bodyStart = bodyStart
    this.#prose.push(chunk.slice(Math.max(0, bodyStart - this.#length)))
    this.#length += chunk.length
    return { safe: bodyStart + this.#prose.length }
  }
}
