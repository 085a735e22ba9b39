import type { TextSpan } from '../../../answer/span.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import type { Locale } from '../../../contract/locale.ts'
import type { Machine, Reading } from '../../../contract/machine/machine.ts'
import { type RuleEntry, worded } from './rule-entry.ts'

/** How often something may occur, and what is said when it does not. */
export interface OccurrenceRule<Code extends string> {
  readonly entry: RuleEntry
  readonly min?: number
  readonly max?: number
  /** `span` is the first occurrence; in a stream, what is certain of the one that is too much. */
  tooMany?(count: number, span: TextSpan, text: string, locale: Locale, isWhole: boolean): IssueDraft<Code>
  tooFew?(count: number, locale: Locale): IssueDraft<Code>
}

/** Counts what occurs in an answer: safe up to what may become one too many; replaces what has a replacement. */
export abstract class Occurrences<Code extends string> implements Machine {
  safe = Number.POSITIVE_INFINITY
  readonly counts: number[]
  protected readonly reading: Reading<Code>
  protected readonly rules: readonly OccurrenceRule<Code>[]
  /** Where each rule was met first. */
  readonly #first: (TextSpan | undefined)[]
  readonly #repair: string
  #isWrong = false

  /** `repair` is the name of the repair that replaces. */
  constructor(reading: Reading<Code>, rules: readonly OccurrenceRule<Code>[], repair: string) {
    this.reading = reading
    this.rules = rules
    this.#repair = repair
    this.counts = rules.map(() => 0)
    this.#first = rules.map(() => undefined)
  }

  /** Looks for what occurs in the next piece. */
  protected abstract search(piece: string, at: number, isEnd: boolean): void

  /** From where on something may still occur. */
  protected abstract readonly open: number

  read(piece: string, at: number, isEnd: boolean): void {
    this.search(piece, at, isEnd)
    if (isEnd) this.#finish(at + piece.length)
    else this.safe = this.#isWrong ? Number.POSITIVE_INFINITY : this.open
  }

  /** Counts an occurrence, once that is certain: `at` is how far the text shows it. */
  protected found(index: number, span: TextSpan, at: number): void {
    const { max, tooMany } = this.rules[index] as OccurrenceRule<Code>
    const count = (this.counts[index] as number) + 1
    this.counts[index] = count
    if (max === undefined || tooMany === undefined || count !== max + 1) return
    const { locale } = this.reading
    const issue = (text: string, isWhole: boolean): IssueDraft<Code> =>
      isWhole
        ? tooMany(this.counts[index] as number, this.#first[index] ?? span, text, locale, true)
        : tooMany(count, span, text, locale, false)
    this.#wrong(index, span.start, at, issue)
  }

  /** Takes an occurrence whose end is certain. */
  protected settled(index: number, span: TextSpan): void {
    this.#first[index] ??= span
    const { replace } = (this.rules[index] as OccurrenceRule<Code>).entry
    if (replace !== undefined) this.reading.fix({ rule: this.#repair, class: 'lossy', span, after: replace })
  }

  #finish(end: number): void {
    // What must be said may follow once the tools have answered.
    if (this.reading.answer?.isBetween) return
    for (const [index, { min = 0, tooFew }] of this.rules.entries()) {
      const count = this.counts[index] as number
      if (count < min && tooFew) this.#wrong(index, end, Number.POSITIVE_INFINITY, () => tooFew(count, this.reading.locale))
    }
  }

  #wrong(rank: number, start: number, at: number, issue: (text: string, isWhole: boolean) => IssueDraft<Code>): void {
    const { entry } = this.rules[rank] as OccurrenceRule<Code>
    const isWarning = entry.severity === 'warning'
    this.#isWrong ||= !isWarning && !this.reading.isEditing
    const repair = entry.replace === undefined ? {} : { repair: 'lossy' as const }
    this.reading.wrong({ start, at, rank, isWarning, ...repair, issue: (text, isWhole) => worded(issue(text, isWhole), entry) })
  }
}
