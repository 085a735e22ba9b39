import type { Answer } from '../../answer/answer.ts'
import { LineSplitter } from '../../answer/lines.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { spanHolds } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { DecidedLines, type ReadOutline } from '../shared/decided-lines.ts'
import { type WordCasing, WordReader, type WrongWord } from './words.ts'

/** The words of an answer that are in the wrong case, in order; code and front matter are passed over. */
export function wrongWords(answer: Answer, is: WordCasing): WrongWord[] {
  const reader = new WordReader(is)
  const wrong: WrongWord[] = []
  const lines = new LineSplitter((text, start) => {
    for (const one of reader.read(isText(answer, start) ? text : '', start).wrong) wrong.push(one)
  }, answer.bodyStart)
  lines.push(answer.text.slice(answer.bodyStart))
  lines.end()
  return wrong
}

function isText(outline: ReadOutline, start: number): boolean {
  return !outline.inFence(start) && !spanHolds(outline.frontMatters, start)
}

/** Changes the words whose right case is known. */
export function* repairWords(answer: Answer, is: WordCasing): Generator<Certificate> {
  for (const { start, word, right } of wrongWords(answer, is)) {
    if (right === undefined) continue
    yield { rule: `${is}-case`, class: 'lossy', span: { start, end: start + word.length }, before: word, after: right }
  }
}

/** Safe up to the first word that may be in the wrong case; fails at the end of its line, unless a repair may change it. */
export class WordCasingStream implements IncrementalCheck<'WRONG_CASE'> {
  readonly #words: WordReader
  readonly #repairs: boolean
  readonly #tell: (wrong: WrongWord) => IssueDraft<'WRONG_CASE'>
  readonly #lines = new DecidedLines()
  #safe = 0
  /** How long the line that is not complete must be for the next look at it. */
  #lookFrom = 1
  #failed: Progress<'WRONG_CASE'> | undefined

  constructor(is: WordCasing, repairs: boolean, tell: (wrong: WrongWord) => IssueDraft<'WRONG_CASE'>) {
    this.#words = new WordReader(is)
    this.#repairs = repairs
    this.#tell = tell
  }

  push(chunk: string, reader: AnswerReader): Progress<'WRONG_CASE'> {
    if (this.#failed) return this.#failed
    for (const line of this.#lines.push(chunk, reader)) {
      const [wrong] = this.#words.read(isText(reader, line.start) ? line.text : '', line.start).wrong
      this.#lookFrom = 1
      this.#safe = wrong?.start ?? line.next
      if (wrong === undefined) continue
      const final = this.#repairs ? {} : { final: true as const }
      this.#failed = { safe: wrong.start, failure: { at: line.start + line.text.length, issues: [this.#tell(wrong)], ...final } }
      return this.#failed
    }
    this.#look(reader)
    return { safe: this.#safe }
  }

  /** Looks at the line that is not complete, each time when it is an eighth longer, so that time stays linear; at the same lengths for any chunks. */
  #look(reader: AnswerReader): void {
    const { partial, lineStart: start, first } = this.#lines
    if (partial.length < this.#lookFrom || first !== undefined || reader.decided < start) return
    let length = this.#lookFrom
    for (let next = length; next <= partial.length; next += Math.max(8, next >> 3)) length = next
    this.#lookFrom = length + Math.max(8, length >> 3)
    if (isText(reader, start)) this.#safe = Math.max(this.#safe, this.#words.look(partial.slice(0, length), start).settled)
  }
}
