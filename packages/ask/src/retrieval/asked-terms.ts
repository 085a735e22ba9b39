import { terms, wordShare, wordWeight } from '@stickler/core/relevance'
import type { TermCounts } from './index-engine.ts'
import { queryWords } from './query-words.ts'

/** More words of a question say little more. */
const most = 64
/** A word is this much more, or less, usual in the index than elsewhere at most, as a logarithm. */
const furthest = 4
/** Below this many passages, a missing word says little. */
const fewChunks = 20
/** How much less usual a word is taken for that a large index lacks; up to twice as much for a rare one, which names what the question is about. */
const missing = 4

/** The terms that say what a question is about: without the words that any question has, unless it has no others. */
export function askedTerms(question: string): readonly string[] {
  const words = queryWords(question)
  const content = words.filter(({ isContent }) => isContent)
  return [...new Set(terms((content.length === 0 ? words : content).map(({ written }) => written).join(' ')))].slice(0, most)
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

/**
 * How much more the words of a question belong to an index than to texts on other subjects: about 1 for a question about its subject,
 * negative where the words are usual elsewhere and missing here. Needs nothing but counts, so that an index of any size and language has its own scale.
 */
export function familiarity(asked: readonly string[], { chunks, holders }: TermCounts): number | undefined {
  if (asked.length === 0 || chunks === 0) return undefined
  let sum = 0
  let usual = 0
  let words = 0
  for (const [at, term] of asked.entries()) {
    // An identifier is one word: the parts of `JavaScript` are not three.
    if (asked.some((whole) => whole.length > term.length && whole.includes(term))) continue
    words++
    const count = holders[at] ?? 0
    const ratio = Math.log((count + 0.5) / (chunks + 1) / wordShare(term))
    const lacks = (-missing * (1 + rarity(term)) * chunks) / (chunks + fewChunks)
    const bounded = count === 0 ? lacks : Math.max(-furthest, Math.min(furthest, ratio))
    sum += bounded
    usual += Math.max(0, bounded)
  }
  return 0.1 * usual + (0.25 * sum) / words
}

/** How rare a word is in texts on any subject: from 0 for one in twenty of them to 1 for one in a thousand. */
function rarity(term: string): number {
  return Math.max(0, Math.min(1, (-Math.log(wordShare(term)) - 3) / 4))
}
