import { terms } from '@stickler/core/internal/relevance'
import { Asked, commonTerms } from './asked.ts'
import { sentencesOf } from './sentences.ts'

/** The question and the sources of a prompt of `askPrompt`. */
export interface ReadPrompt {
  readonly question: string
  readonly sources: readonly { readonly id: number; readonly text: string }[]
}

/** A sentence of a source that fits a question. */
interface Extract {
  readonly source: number
  readonly sentence: string
  /** Whether it only continues the previous sentence. */
  readonly goesOn?: true
}

/** The result for a question: matching sentences, or else the nearest sources. */
interface Extracts {
  readonly sentences: readonly Extract[]
  readonly nearest: readonly number[]
}

/** Maximum sentences in an answer. */
const most = 3

/**
 * A sentence is left out when it scores less than this share of the best one, unless it covers more
 * of the question.
 */
const closeToBest = 0.85
const leastOfBest = 0.25

/**
 * The share of the question, by weight, that a sentence must match itself, and together with its
 * headings and its passage.
 */
const leastOwn = 0.3
const leastFit = 0.45

/** The share of the question that a quoted sentence must hold, with the headings above it. */
const leastCovered = 0.75
/** Each later source must hold more of it: they come best first, and later ones share words by chance. */
const moreCovered = 0.08
/** Sentences of later sources must hold it without their headings. */
const lastHeaded = 4

/** The same for a sentence at the beginning of a source, without headings: one that says what something is for, with two words of the question alone, and any other. */
const leastLead = { purpose: 0.5, few: 0.6, other: 0.64 } as const

/** The same for a passage that is named because no sentence matches. */
const leastNear = 0.55

/** Of sentences that match less than this, only the best one is quoted. */
const goodFit = 0.65

/**
 * How much a word counts that only the headings above a sentence match, or only the rest of its
 * passage.
 */
const inHeadings = 0.5
const inPassage = 0.25

/**
 * Words from this weight on are names and technical terms: without most of them, nothing matches.
 */
const specific = 3.4
const mostSpecific = 0.66

/** From this strength on, a word counts as matched. */
const held = 0.5

interface Candidate extends Extract {
  readonly place: number
  readonly terms: ReadonlySet<string>
  readonly own: readonly number[]
  /** By word: whether the sentence denies it, as `not installed`. */
  readonly negates: readonly boolean[]
  /** What its headings match. */
  readonly above: readonly number[]
  /** What the sentence matches together with its headings. */
  readonly near: readonly number[]
  /** Whether it has an amount, if the question is about one. */
  readonly amount: boolean
  /** Whether it is one of the first below a heading. */
  readonly leads: boolean
  readonly fit: number
  readonly score: number
}

interface Read {
  readonly id: number
  readonly text: string
  readonly holds: readonly number[]
}

/**
 * Chooses the sentences that match most of a question, rare words first; in the order of the
 * sources.
 */
export function extractsFor({ question, sources }: ReadPrompt): Extracts {
  const asked = new Asked(question)
  if (asked.words.length === 0) return { sentences: [], nearest: [] }
  const read = sources.map(({ id, text }) => ({ id, text, holds: asked.heldBy(text) }))
  const weights = weightsOf(asked, read)
  const candidates = candidatesOf(asked, read, weights)
  const answers = withAmount(answering(choose(candidates, weights), asked), candidates, asked, weights)
  const chosen = answers.length === 0 ? leadOf(candidates, asked) : answers
  const lacks = asked.needed.some(
    (isNeeded, word) => isNeeded && chosen.every(({ own, above }) => Math.max(own[word] ?? 0, above[word] ?? 0) < 1),
  )
  return chosen.length === 0 || lacks
    ? { sentences: [], nearest: nearestOf(asked, read, weights) }
    : { sentences: withNext(chosen, candidates), nearest: [] }
}

/** Words that occur in many of the sources say little about which sentence is meant. */
function weightsOf({ words }: Asked, read: readonly Read[]): readonly number[] {
  return words.map(({ weight }, word) => {
    const holders = read.filter(({ holds }) => (holds[word] ?? 0) >= held).length
    return weight * (1 - (0.6 * Math.max(0, holders - 1)) / (Math.max(read.length, 5) - 1))
  })
}

function candidatesOf(asked: Asked, read: readonly Read[], weights: readonly number[]): readonly Candidate[] {
  let place = 0
  return read.flatMap(({ id, text, holds }) => {
    const headings = new Map<string, readonly number[]>()
    return sentencesOf(text).map((sentence) => {
      const above = headings.get(sentence.about) ?? asked.heldBy(sentence.about)
      headings.set(sentence.about, above)
      const own = asked.heldBy(withoutPaths(sentence.text))
      const near = own.map((strength, word) => Math.max(strength, inHeadings * (above[word] ?? 0)))
      const all = near.map((strength, word) => Math.max(strength, inPassage * (holds[word] ?? 0)))
      const found = new Set(terms(sentence.text))
      const fit = share(all, weights)
      const isNamed = sentence.entry === undefined || asked.isNamed(sentence.entry)
      const mayAnswer = isNamed && asked.mayAnswer(sentence.text)
      const fits =
        mayAnswer &&
        !speaksOfBefore.test(sentence.text) &&
        share(own, weights) >= leastOwn &&
        fit >= leastFit &&
        holdsSpecific(near, weights)
      const amount = asked.forAmount && saysAmount.test(sentence.text)
      const score = fits
        ? share(all, weights) ** 2 * opening(found, own, asked) * (amount ? 1.2 : 1) * Math.min(1, 0.6 + found.size / 25)
        : 0
      // Sources come best first.
      return {
        source: id,
        sentence: sentence.text,
        place: place++,
        terms: found,
        own,
        negates: asked.negatedIn(sentence.text),
        above,
        near,
        amount,
        leads: sentence.leads,
        fit,
        score: score / (1 + 0.05 * (id - 1)),
      }
    })
  })
}

const saysAmount =
  /(?<![-\w])\d|\b(?:one|two|three|four|five|six|ten|twice|(?:second|minute|hour|day|week|month|year)s?)\b|[a-z](?:Seconds|Minutes|Hours|Days)\b|(?:Sekunde|Minute|Stunde|[Tt]ag|Woche|Monat|Jahr)(?:e|en|n|s)?\b|\b(?:zwei|drei|vier|fünf|sechs|zehn|täglich|jährlich)/

/** The subject of a question often comes first in the sentence that answers it. */
function opening(found: ReadonlySet<string>, own: readonly number[], { words }: Asked): number {
  const [first = '', second = ''] = found
  const opens = commonTerms.has(first) ? second : first
  return words.some(({ text }, word) => text === opens && (own[word] ?? 0) >= held) ? 1.15 : 1
}

function share(strengths: readonly number[], weights: readonly number[]): number {
  let sum = 0
  let total = 0
  for (const [word, weight] of weights.entries()) {
    sum += weight * (strengths[word] ?? 0)
    total += weight
  }
  return sum / total
}

/** Whether it holds one of the specific words, if there are any. */
function holdsSpecific(near: readonly number[], weights: readonly number[]): boolean {
  return weights.every((weight) => weight < specific) || weights.some((weight, word) => weight >= specific && (near[word] ?? 0) >= held)
}

function choose(candidates: readonly Candidate[], weights: readonly number[]): readonly Candidate[] {
  const chosen: Candidate[] = []
  let open = candidates.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.place - b.place)
  const best = open[0]?.score ?? 0
  while (chosen.length < most) {
    const covered = weights.map((_, word) => Math.max(0, ...chosen.map(({ near }) => near[word] ?? 0)))
    const saysMore = ({ own }: Candidate): boolean =>
      share(
        own.map((one, word) => Number(one >= held && (covered[word] ?? 0) < held)),
        weights,
      ) >= 0.2
    const next = open.find(
      (one) =>
        (one.score >= best * closeToBest && (one.fit >= goodFit || chosen.length === 0)) ||
        (one.score >= best * leastOfBest && saysMore(one)),
    )
    if (next === undefined) break
    chosen.push(next)
    open = open.filter((candidate) => !isRepetition(candidate, chosen))
  }
  const rare = weights.map((weight) => (weight >= specific ? weight : 0))
  const covers = rare.map((_, word) => Number(chosen.some(({ near }) => (near[word] ?? 0) >= held)))
  return rare.every((weight) => weight === 0) || share(covers, rare) >= mostSpecific ? chosen : []
}

/**
 * Only sentences that together with their headings, and with the sentence that they refer to, hold
 * nearly all of the question: others share words with it and answer something else. Passages may
 * also answer a part each of a question with several.
 */
function answering(chosen: readonly Candidate[], asked: Asked): readonly Candidate[] {
  const { words, asksSeveral } = asked
  const weights = words.map(({ weight }) => weight)
  const heldBy = (some: readonly Candidate[]): readonly number[] =>
    words.map((_, word) =>
      Number(
        some.some(
          ({ source, own, above, negates }) =>
            !negates[word] && Math.max(own[word] ?? 0, source <= lastHeaded ? (above[word] ?? 0) : 0) >= held,
        ),
      ),
    )
  const bySource = [...new Set(chosen.map(({ source }) => source))].map((source) => heldBy(chosen.filter((one) => one.source === source)))
  const counts = words.map((_, word) => bySource.filter((holds) => holds[word]).length)
  const areFirst = chosen.every(({ source }) => source < lastHeaded)
  if (asksSeveral && areFirst && counts.every((count) => count < 2) && share(counts, weights) >= leastCovered) return chosen
  const related = ({ source, place, sentence }: Candidate): readonly Candidate[] =>
    chosen.filter((one) => {
      const isNext = Math.abs(one.place - place) === 1 && refers.test(`${sentence} ${one.sentence}`)
      return one.source === source && (one.place === place || isNext)
    })
  const enough = ({ source }: Candidate): number => Math.min(0.99, leastCovered + moreCovered * (source - 1))
  const answers = chosen.filter((one) => share(heldBy(related(one)), weights) >= enough(one))
  // Sources come best first: those far behind the one with the best sentence repeat or mention it.
  const last = (answers[0]?.source ?? 0) + 1
  return asksSeveral ? answers : answers.filter(({ source }) => source <= last)
}

/** Words that stand for something in the sentence before. */
const refers = /\s(?:it|they|them|one|ones|er|sie|es|ihn|ihm|ella|ello)(?=[\s.,;:])/i

/**
 * If the question is about an amount and no sentence has one, another sentence of the same passages
 * may.
 */
function withAmount(
  chosen: readonly Candidate[],
  candidates: readonly Candidate[],
  { forAmount }: Asked,
  weights: readonly number[],
): readonly Candidate[] {
  if (!forAmount || chosen.some(({ amount }) => amount)) return chosen
  const [found] = candidates
    .filter(({ amount, own, source }) => amount && own.some((one) => one >= held) && chosen.some((one) => one.source === source))
    .sort((a, b) => share(b.own, weights) - share(a.own, weights))
  return found === undefined ? chosen.filter(({ sentence }) => tellsAmount.test(sentence)) : [...chosen.slice(0, most - 1), found]
}

const tellsAmount = /\b(?:how (?:long|many|much|often)|wie (?:lange?|viele?|oft))\b/

/** A sentence that says what something is for. */
const purpose = /^(?:Use|To|How to|For|Um|Zum?|Verwenden?|Nutzen?|Usa|Para)\s/

/**
 * For a task, a sentence at the beginning of one of the first sources that says what to use for it: authors say at the beginning what a text is for.
 * Any sentence at the beginning of the first source counts if it has the larger part of the question.
 */
function leadOf(candidates: readonly Candidate[], asked: Asked): readonly Candidate[] {
  if (!asked.forTask) return []
  const weights = asked.words.map(({ weight }) => weight)
  const enough = ({ source, sentence }: Candidate, words: number): number => {
    if (source < lastHeaded && purpose.test(sentence)) return words > 2 ? leastLead.purpose : leastLead.few
    return source === 1 && asked.mayAnswer(sentence) && asked.opens(sentence) ? leastLead.other : Number.POSITIVE_INFINITY
  }
  const [best] = candidates
    .flatMap((candidate) => {
      const holds = candidate.own.map((one, word) => Number(one >= held && !candidate.negates[word]))
      const words = holds.filter((one) => one > 0).length
      const covers = share(holds, weights)
      const fits = candidate.leads && words > 1 && holdsSpecific(holds, weights) && covers >= enough(candidate, words)
      return fits ? [{ candidate, covers }] : []
    })
    .sort((a, b) => b.covers - a.covers || a.candidate.place - b.candidate.place)
  return best === undefined ? [] : [best.candidate]
}

/** In the order of the sources; a sentence that refers to the previous one belongs to it. */
function withNext(chosen: readonly Candidate[], candidates: readonly Candidate[]): readonly Extract[] {
  return [...chosen]
    .sort((a, b) => a.place - b.place)
    .flatMap(({ source, sentence, place }) => {
      const next = candidates[place + 1]
      const goesOn = next !== undefined && next.source === source && !chosen.includes(next) && speaksOfBefore.test(next.sentence)
      return [{ source, sentence }, ...(goesOn ? [{ source, sentence: next.sentence, goesOn }] : [])]
    })
}

const speaksOfBefore = /^(?:It|They|This|That|These|Those|Then|Es|Sie|Das (?:ist|gilt|wird|hat|kann)|Dies|Dann)\s/

/** The words in a path say where something is, not what it is about. */
function withoutPaths(sentence: string): string {
  return sentence
    .split(' ')
    .filter((word) => word.split('/', 3).length < 3)
    .join(' ')
}

/** The first two sources, which come best first, if any of them matches the question, including its most specific word. */
function nearestOf({ words }: Asked, read: readonly Read[], weights: readonly number[]): readonly number[] {
  const telling = words.reduce((best, { weight }, word) => (weight > (words[best]?.weight ?? 0) ? word : best), 0)
  const isNear = read.some(({ holds }) => (holds[telling] ?? 0) >= held && share(holds, weights) >= leastNear)
  return isNear ? read.slice(0, 2).map(({ id }) => id) : []
}

function isRepetition(candidate: Candidate, chosen: readonly Candidate[]): boolean {
  return chosen.some((one) => {
    if (one.sentence === candidate.sentence) return true
    const shared = [...candidate.terms].filter((term) => one.terms.has(term)).length
    return shared / Math.max(1, Math.min(candidate.terms.size, one.terms.size)) > 0.7
  })
}
