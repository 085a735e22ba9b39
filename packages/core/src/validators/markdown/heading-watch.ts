import type { Heading } from '../../answer/outline.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { foldText } from '../shared/fold-case.ts'
import { markdownMessages } from './messages.ts'
import type { MarkdownOptions } from './options.ts'

/** What can be wrong with a heading. */
export type HeadingCode = 'HEADING_LEVEL' | 'HEADING_ORDER' | 'HEADING_MISSING'

/** Follows the headings of an answer in their order. */
export class HeadingWatch {
  readonly #rules: MarkdownOptions['headings']
  readonly #locale: Locale
  readonly #required: readonly string[]
  readonly #seen: boolean[]
  #level: number | undefined

  constructor(rules: MarkdownOptions['headings'], locale: Locale) {
    this.#rules = rules
    this.#locale = locale
    this.#required = (rules?.required ?? []).map(titleOf)
    this.#seen = this.#required.map(() => false)
  }

  /** Takes the next heading; yields what is wrong with it, whatever follows. */
  *take({ level, text, span }: Pick<Heading, 'text' | 'span'> & { readonly level?: number }): Generator<IssueDraft<HeadingCode>> {
    const say = markdownMessages[this.#locale]
    // A line in bold has no level.
    const right = level && rightLevel(level, this.#level, this.#rules)
    this.#level = level ?? this.#level
    if (level !== undefined && right !== undefined && right !== level)
      yield issue('HEADING_LEVEL', say.level(text, level, right), { span, path: ['headings'] })
    const place = this.#required.indexOf(titleOf(text))
    if (place < 0 || this.#seen[place]) return
    const earlier = this.#seen.indexOf(false)
    this.#seen[place] = true
    if (this.#rules?.ordered && earlier < place)
      yield issue('HEADING_ORDER', say.order(this.#rules.required?.[earlier] ?? '', text), { span, path: ['headings'] })
  }

  /** Yields which headings have not been there. */
  *missing(): Generator<IssueDraft<HeadingCode>> {
    const say = markdownMessages[this.#locale]
    for (const [place, title] of (this.#rules?.required ?? []).entries())
      if (!this.#seen[place]) yield issue('HEADING_MISSING', say.missing(title), { path: ['headings', title] })
  }
}

/** The level that a heading should have after another one: its own when that is right. */
export function rightLevel(level: number, before: number | undefined, rules: MarkdownOptions['headings']): number {
  const deepest = rules?.skipLevels === false && before !== undefined ? Math.min(level, before + 1) : level
  const { levels } = rules ?? {}
  if (levels === undefined || levels.includes(deepest)) return deepest
  return levels.reduce((best, one) => (Math.abs(one - deepest) < Math.abs(best - deepest) ? one : best))
}

/** A heading without marks of emphasis, a colon at its end, and case. */
function titleOf(text: string): string {
  return foldText(text.replaceAll('*', '').trim().replace(/:$/, '').trim())
}
