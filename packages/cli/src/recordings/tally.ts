import { count } from '../terminal/text.ts'
import { isRecording, type Reason, type Recording, type Unusable } from './recording.ts'

/** Reasons that are nouns and so have a plural. */
const nouns: ReadonlySet<Reason> = new Set(['error', 'duplicate'])

/** Counts records: those with an answer, and the others by reason. */
export class RecordTally {
  #answers = 0
  readonly #reasons = new Map<Reason, number>()

  add(record: Recording | Unusable): void {
    if (isRecording(record)) this.#answers++
    else this.#reasons.set(record.reason, (this.#reasons.get(record.reason) ?? 0) + 1)
  }

  get answers(): number {
    return this.#answers
  }

  /** One line about all records: `412 lines: 398 answers, 9 errors, 5 without text`. */
  describe(): string {
    const others = [...this.#reasons].map(([reason, number]) => (nouns.has(reason) ? count(number, reason) : `${number} ${reason}`))
    const all = [...this.#reasons.values()].reduce((sum, number) => sum + number, this.#answers)
    return `${count(all, 'line')}: ${[count(this.#answers, 'answer'), ...others].join(', ')}`
  }
}
