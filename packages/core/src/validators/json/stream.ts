import type { AnswerReader } from '../../answer/reader.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import type { DoomWatch } from './doom-watch.ts'
import type { JsonCode } from './inspect.ts'
import { ProseBefore } from './prose-before.ts'

/** Releases the prose before the value, unless the value alone is wanted; the value and what follows it are judged together, unless the value is wrong for good before its end. */
export class JsonProseStream implements IncrementalCheck<JsonCode> {
  readonly #doom: DoomWatch | undefined
  /** Whether the prose is going to be removed. */
  readonly #bare: boolean
  #prose = new ProseBefore()
  #bodyStart = 0
  #length = 0

  constructor(bare: boolean, doom?: DoomWatch) {
    this.#bare = bare
    this.#doom = doom
  }

  push(chunk: string, reader: AnswerReader): Progress<JsonCode> {
    const { bodyStart } = reader
    if (bodyStart > this.#bodyStart) this.#prose = new ProseBefore()
    this.#bodyStart = bodyStart
    this.#prose.push(chunk.slice(Math.max(0, bodyStart - this.#length)))
    this.#length += chunk.length
    const safe = this.#bare ? 0 : bodyStart + this.#prose.length
    const failure = this.#doom?.push(chunk, reader)
    return failure ? { safe, failure } : { safe }
  }
}
