import type { AnswerReader } from '../../answer/reader.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { HeldPassages } from '../shared/held-passages.ts'
import { beginning, wordAtEnd, wordBehind } from './beginnings.ts'
import { type LinkRules, linkSign, merged, type WrongLink, wrongTargets } from './judge.ts'
import { removals } from './repair.ts'

/** More would not be sent to a model. */
const mostFurther = 50

const beginnings = { sign: linkSign, pattern: beginning, rest: wordAtEnd, restBehind: wordBehind }

interface StreamWords {
  /** Whether wrong addresses are taken out on the way. */
  readonly edits: boolean
  /** Whether no repair may take them out. */
  readonly isFinal: boolean
  /** What is said of links, in text order. */
  issues(links: readonly WrongLink[], text: string): readonly IssueDraft<'LINK_NOT_ALLOWED'>[]
}

/** Holds a passage from where an address may begin, and hands over the removal of wrong ones; fails where they may not be removed. */
export class LinkStream implements IncrementalCheck<'LINK_NOT_ALLOWED'> {
  readonly #rules: LinkRules
  readonly #words: StreamWords
  readonly #held = new HeldPassages(beginnings)
  #text = ''
  #failed: Progress<'LINK_NOT_ALLOWED'> | undefined
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }

  constructor(rules: LinkRules, words: StreamWords) {
    this.#rules = rules
    this.#words = words
  }

  push(chunk: string, reader: AnswerReader): Progress<'LINK_NOT_ALLOWED'> {
    if (this.#failed) return this.#failed
    this.#text += chunk
    const passages = this.#held.push(chunk, reader)
    this.#progress.safe = this.#held.safe
    if (passages.length === 0) return this.#progress
    const edits: Certificate[] = []
    for (const passage of passages) {
      const wrong = wrongTargets(passage, this.#rules)
      if (wrong.length === 0) continue
      if (!this.#words.edits) return this.#fail(wrong)
      for (const edit of removals(this.#text, wrong)) edits.push(edit)
    }
    return edits.length > 0 ? { safe: this.#held.safe, edits } : this.#progress
  }

  #fail(wrong: readonly WrongLink[]): Progress<'LINK_NOT_ALLOWED'> {
    const { issues, isFinal } = this.#words
    const all = merged(wrong).slice(0, mostFurther + 1)
    const { start, end } = (all[0] as WrongLink).span
    const [issue, ...further] = issues(all, this.#text)
    const failure = { at: end, issues: issue === undefined ? [] : [issue], further, ...(isFinal && { final: true as const }) }
    this.#failed = { safe: start, failure }
    return this.#failed
  }
}
