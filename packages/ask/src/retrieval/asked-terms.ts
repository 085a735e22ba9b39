import { terms, wordWeight } from '@stickler/core/internal/relevance'
import type { TermCounts } from './index-engine.ts'
import { queryWords } from './query-words.ts'

/** More words of a question say little more. */
const most = 64

/** The terms that say what a question is about: without the words that any question has, unless it has no others. */
export function askedTerms(question: string): readonly string[] {
  const words = queryWords(question)
  const content = words.filter(({ isContent }) => isContent)
  return [...new Set(terms((content.length === 0 ? words : content).map(({ written }) => written).join(' ')))].slice(0, most)
}

/** The letters of a stem that all of its words begin with: `policy` has the stem `polici`. */
export function written(stem: string): string {
  return stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem
}

const reasons =
  /(?:^|[^\p{L}])(?:why|reasons?|rationale|decisions?|decided|warum|wieso|weshalb|gr[uü]nde?|entscheidung(?:en)?|por qu[eé]|razón|decisión)(?![\p{L}])/iu

/** Whether a question asks why something is as it is, which records of decisions say. */
export function asksForReasons(question: string): boolean {
  return reasons.test(question)
}

/** How much each term says about which passage is meant: the rarer in the index and elsewhere, the more. */
export function weighTerms(asked: readonly string[], counts: TermCounts | undefined): ReadonlyMap<string, number> {
  return new Map(
    asked.map((term, at) => {
      const rarity = counts === undefined ? 1 : Math.log((counts.chunks + 1) / ((counts.holders[at] ?? 0) + 0.5))
      return [term, Math.max(0.1, rarity) * Math.sqrt(wordWeight(term))]
    }),
  )
}
