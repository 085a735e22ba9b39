import { terms } from '@stickler/core/relevance'
import { commonTerms } from './common-terms.ts'
import type { ReadPrompt } from './read-prompt.ts'
import { sentencesOf } from './sentences.ts'

/** A sentence of a source that fits a question. */
export interface Extract {
  readonly source: number
  readonly sentence: string
  /** Whether it only goes on from the sentence before it. */
  readonly goesOn?: true
}

/** As many sentences as an answer has at most. */
const most = 3

/** Sentences that fit less well than this, as a share of the best one, are left out. */
const closeToBest = 0.55

/** Sentences must hold this share of what the question asks for, by weight. */
const leastCoverage = 0.45

interface Candidate extends Extract {
  readonly order: number
  readonly terms: ReadonlySet<string>
  /** The terms of the headings above it, which say what it is about. */
  readonly about: ReadonlySet<string>
}

/** Chooses the sentences of sources that share most with a question, rare words first; in the order of the sources. */
export function extractsFor({ question, sources }: ReadPrompt): readonly Extract[] {
  const candidates = candidatesOf(sources)
  const asked = [...new Set(terms(question.slice(0, 2000)))].filter((term) => !commonTerms.has(term))
  const weights = weightsOf(asked, candidates)
  const total = asked.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  if (total === 0) return []
  const chosen: Candidate[] = []
  let open = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate, weights, total) }))
  const best = Math.max(0, ...open.map(({ score }) => score))
  while (chosen.length < most) {
    const next = open.reduce((left, right) => (right.score > left.score ? right : left), { score: 0 } as (typeof open)[number])
    if (next.score === 0 || next.score < best * closeToBest) break
    chosen.push(next.candidate)
    open = open.filter(({ candidate }) => !isRepetition(candidate, chosen))
  }
  return withNext(chosen, candidates)
}

/** In the order of the sources; a next sentence that speaks of the one before belongs to it. */
function withNext(chosen: readonly Candidate[], candidates: readonly Candidate[]): readonly Extract[] {
  const places = new Map(candidates.map((candidate, index) => [candidate, index]))
  return [...chosen]
    .sort((a, b) => a.order - b.order)
    .flatMap((candidate) => {
      const { source, sentence } = candidate
      const next = candidates[(places.get(candidate) ?? -2) + 1]
      const goesOn = next !== undefined && next.source === source && !chosen.includes(next) && speaksOfBefore.test(next.sentence)
      return [{ source, sentence }, ...(goesOn ? [{ source, sentence: next.sentence, goesOn }] : [])]
    })
}

const speaksOfBefore = /^(?:It|They|This|That|These|Those|Then|Es|Sie|Das|Dies|Diese|Dann)\s/

function candidatesOf(sources: ReadPrompt['sources']): readonly Candidate[] {
  return sources.flatMap(({ id, text }) => {
    // The headings above a passage are its first line.
    const firstBreak = text.indexOf('\n')
    const about = new Set(terms(firstBreak < 0 ? '' : text.slice(0, firstBreak)))
    return sentencesOf(text).map((sentence, index) => ({
      source: id,
      sentence,
      order: id * 1e6 + index,
      terms: new Set(terms(sentence)),
      about,
    }))
  })
}

/** Words weigh more the fewer sentences have them; words that no sentence has weigh most, because what was asked for is then missing. */
function weightsOf(asked: readonly string[], candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  return new Map(
    asked.map((term) => {
      const holders = candidates.filter((candidate) => candidate.terms.has(term)).length
      return [term, Math.log(1 + candidates.length / (holders + 0.5))]
    }),
  )
}

/** The share of the question that a sentence covers; words that only stand in the headings above it count half. */
function scoreOf(candidate: Candidate, weights: ReadonlyMap<string, number>, total: number): number {
  let own = 0
  let above = 0
  for (const [term, weight] of weights) {
    if (candidate.terms.has(term)) own += weight / total
    else if (candidate.about.has(term)) above += weight / total
  }
  if (own < leastCoverage) return 0
  const [first = '', second = ''] = candidate.terms
  const opens = weights.has(first) || (weights.has(second) && commonTerms.has(first)) ? 1.15 : 1
  // Sources come best first, and short sentences say little.
  const place = 1 / (1 + 0.03 * (candidate.source - 1))
  return (own + above / 2) * opens * place * Math.min(1, 0.6 + candidate.terms.size / 25)
}

function isRepetition(candidate: Candidate, chosen: readonly Candidate[]): boolean {
  return chosen.some((one) => {
    if (one.sentence === candidate.sentence) return true
    const shared = [...candidate.terms].filter((term) => one.terms.has(term)).length
    return shared / Math.max(1, Math.min(candidate.terms.size, one.terms.size)) > 0.7
  })
}
