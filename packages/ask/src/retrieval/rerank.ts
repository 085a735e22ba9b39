import { fold, terms } from '@stickler/core/internal/relevance'
import { weighTerms, written } from './asked-terms.ts'
import { urnOrder } from './engines/urn-order.ts'
import type { TermCounts } from './index-engine.ts'
import { isFirstPassage, isOfRecord, labelsOf, pathOf } from './labels.ts'
import { queryWords } from './query-words.ts'
import type { RetrievedChunk } from './retriever.ts'

/** What counts besides the ranks, as shares of the best score: names and headings, words of the passage, words of the first one of its document, links from other passages. */
const shares = { labels: 0.3, words: 0.4, lead: 0.4, links: 0.3 } as const
/** Each further passage of a document counts this much less, so that several documents are among the first. */
const nextOfDocument = 0.7
/** Records of a series mention what guides and references explain: they count less, unless the question asks for reasons. */
const ofRecord = 0.65
/** Only this much of a passage is read: an index of others may hold whole documents. */
const mostCharacters = 4096
/** Stems of so many letters are whole words (`bot` is not in `both`), or begin one (`port` is not in `report`); longer ones may be in compounds. */
const stems = { whole: 3, beginning: 5 } as const
/** Other passages are too far behind. */
const mostChunks = 100

/**
 * Orders the found passages by their ranks and by what ranks do not show: headings and file names with words of the question; how
 * much of the question a passage and the first one of its document have; links from other found passages to its document; whether that is one record of a series.
 */
export function rerank(
  fused: readonly RetrievedChunk[],
  asked: readonly string[],
  counts: TermCounts | undefined,
  forReasons = false,
): RetrievedChunk[] {
  const best = fused[0]?.score || 1
  const weights = weighTerms(asked, counts)
  const read = fused.slice(0, mostChunks).map((chunk) => ({ chunk, path: pathOf(chunk.urn), text: chunk.text.slice(0, mostCharacters) }))
  const links = linkedFrom(read, best)
  const mostLinked = [...links.values()].reduce((most, one) => Math.max(most, one), 1)
  // Passages share most of their labels.
  const known = new Map<string, number>()
  const labelFit = (label: string): number => {
    const fit = known.get(label) ?? fits(contentTerms(label), weights)
    known.set(label, fit)
    return fit
  }
  const holds = read.map(({ chunk, text }) => shareOf(weights, [...labelsOf(chunk), text].join(' ')))
  const leads = new Map(read.flatMap(({ chunk, path }, at) => (isFirstPassage(chunk.urn) ? [[path, holds[at] ?? 0] as const] : [])))
  const scored = read.map(({ chunk, path }, at) => {
    const label = labelsOf(chunk).reduce((most, one) => Math.max(most, labelFit(one)), 0)
    const words = shares.words * (holds[at] ?? 0) + shares.lead * (leads.get(path) ?? 0)
    const more = shares.labels * label + words + (shares.links * (links.get(path) ?? 0)) / mostLinked
    return { ...chunk, score: (chunk.score + best * more) * (!forReasons && isOfRecord(chunk.urn) ? ofRecord : 1) }
  })
  const seen = new Map<string, number>()
  return scored
    .sort(order)
    .map((chunk) => {
      const path = pathOf(chunk.urn)
      const times = seen.get(path) ?? 0
      seen.set(path, times + 1)
      return { ...chunk, score: chunk.score * nextOfDocument ** times }
    })
    .sort(order)
}

function order(one: RetrievedChunk, other: RetrievedChunk): number {
  return other.score - one.score || urnOrder(one.urn, other.urn)
}

function contentTerms(label: string): readonly string[] {
  return terms(
    queryWords(label)
      .flatMap(({ isContent, written }) => (isContent ? [written] : []))
      .join(' '),
  )
}

/** How well a label and a question fit, both ways: a label of one word that is asked for says more than a long one that has it too. */
function fits(label: readonly string[], weights: ReadonlyMap<string, number>): number {
  const own = new Set(label)
  const shared = [...own].filter((term) => weights.has(term)).length
  return shared === 0 ? 0 : Math.sqrt((share((term) => own.has(term), weights) * shared) / own.size)
}

/** The share of the terms that a text holds, by weight; its words are not stemmed, which would take longer than both searches. */
function shareOf(weights: ReadonlyMap<string, number>, text: string): number {
  const small = ` ${fold(text.toLowerCase())} `
  return share((term) => (term.length > stems.beginning ? small.includes(written(term)) : hasWord(small, written(term))), weights)
}

function hasWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const end = at + term.length
    if (isLetter(text.charCodeAt(at - 1))) continue
    if (term.length > stems.whole || !isLetter(text.charCodeAt(text.charAt(end) === 's' ? end + 1 : end))) return true
  }
  return false
}

/** A letter or a digit, or any character outside of ASCII. */
function isLetter(code: number): boolean {
  return code > 127 || (code > 96 && code < 123) || (code > 47 && code < 58)
}

function share(holds: (term: string) => boolean, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  let total = 0
  for (const [term, weight] of weights) {
    total += weight
    if (holds(term)) sum += weight
  }
  return total === 0 ? 0 : sum / total
}

interface Read {
  readonly chunk: RetrievedChunk
  readonly path: string
  readonly text: string
}

/** By document: the scores of the documents that link to it from passages that were found, each once; a list of links counts less. */
function linkedFrom(read: readonly Read[], best: number): ReadonlyMap<string, number> {
  const votes = new Map<string, Map<string, number>>()
  for (const { chunk, path, text } of read) {
    const targets = new Set(Array.from(text.matchAll(/\]\(([^()\s#]{1,500})/g), ([, to = '']) => resolved(to, path)))
    targets.delete(path)
    for (const target of targets) {
      const from = votes.get(target) ?? new Map<string, number>()
      votes.set(target, from.set(path, Math.max(from.get(path) ?? 0, chunk.score / best / Math.sqrt(targets.size))))
    }
  }
  return new Map([...votes].map(([target, from]) => [target, [...from.values()].reduce((sum, one) => sum + one, 0)]))
}

/** The path that a relative link leads to. */
function resolved(link: string, path: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of link.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
