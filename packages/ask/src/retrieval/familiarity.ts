import { fold, wordShare } from '@stickler/core/internal/relevance'
import { askedTerms, written } from './asked-terms.ts'
import type { TermCounts } from './index-engine.ts'
import { type Found, isFirstPassage, isOfRecord, labelsOf } from './labels.ts'
import { queryWords } from './query-words.ts'
import { subjectsOf } from './subjects.ts'

/** A word is this much more, or less, usual in the index than elsewhere at most, as a logarithm. */
const furthest = 4
/** Below this many passages, a missing word says little. */
const fewChunks = 20
/** How much less usual a word is taken for that a large index lacks; up to twice as much for a rare one, which names what the question is about. */
const missing = 4
/** Words of fewer texts than this elsewhere are names and technical terms. */
const rareShare = 1 / 400
/** Words of more passages than this are what an index is about, whatever its headings say. */
const usualShare = 0.02
/** What it takes from familiarity when the passages found do not define what a question asks to define, and it is not usual here, or are not about the place that it names; and adds when it names no subject but `it`. */
const lacking = { definition: 0.8, place: 0.5 } as const
const referring = 0.3
/** More of a passage is not read. */
const mostCharacters = 4096
const mostLines = 80
/** Below this many passages, any match makes a question one about the index: its words say too little to tell. */
const tellingChunks = 200
/** Other passages are too far behind. */
const mostFound = 100
const longestLine = 120
/** The mark of an entry of a list or a table, and the verbs that say what something is. */
const entryMark = /^[|>*#-]+ ?/
const says = / (?:is|are|means|ist|sind|bedeutet|es|son|significa) /

/**
 * How much more a question belongs to an index than to texts on other subjects: about 1 for a question about its subject, negative where its words are
 * usual elsewhere and missing here. It follows from counts of words, and from what the passages found are about, so that an index of any size and language has its own scale.
 */
export function familiarity(question: string, asked: readonly string[], counts: TermCounts, all: readonly Found[]): number | undefined {
  const { chunks, holders } = counts
  if (asked.length === 0 || chunks === 0) return undefined
  const found = all.slice(0, mostFound)
  const labels = [...new Set(found.flatMap(labelsOf))]
  const { defined, placed, refers } = subjectsOf(question)
  const undefinedPhrases = defined.filter((phrase) => !isDefined(numberIn(phrase, asked, counts) ?? phrase, labels, found))
  // What is defined here is as good as a heading, and so is a code: it is never mentioned in passing.
  const known = undefinedPhrases.length === 0 ? defined : []
  const headings = wordsOf([...labels, ...[...known, ...codesOf(question)].flatMap(askedTerms)].join(' '))
  // Without headings, nothing says what a passage is about but its words.
  const hasHeadings = found.some((one) => one.headings.length > 0)
  const inNames = besideMissing(question, asked, counts)
  let sum = 0
  let usual = 0
  let words = 0
  for (const [at, term] of asked.entries()) {
    // An identifier is one word: the parts of `JavaScript` are not three.
    if (asked.some((whole) => whole.length > term.length && whole.includes(term))) continue
    words++
    const count = holders[at] ?? 0
    const share = wordShare(term)
    const ratio = Math.log((count + 0.5) / (chunks + 1) / share)
    const absent = (-missing * (1 + rarity(share)) * chunks) / (chunks + fewChunks)
    // A name that no heading has is mentioned in passing: it does not make a question one about this index.
    const most = (share > rareShare || !hasHeadings || has(headings, term)) && !inNames.has(term) ? furthest : 0
    const bounded = count === 0 ? absent : Math.max(-furthest, Math.min(most, ratio))
    sum += bounded
    usual += Math.max(0, bounded)
  }
  let lacks = 0
  if (hasHeadings && placed.some((phrase) => isElsewhere(phrase, asked, counts, found))) lacks = lacking.place
  if (hasHeadings && undefinedPhrases.some((phrase) => rareTerms(phrase, asked, counts).length > 0)) lacks = lacking.definition
  return 0.1 * usual + (0.25 * sum) / words - lacks + (refers ? referring : 0)
}

/** Whether any match is enough: the index is too small to tell, or a passage has an identifier of the question, as it is written. */
export function matchIsEnough(question: string, { chunks }: TermCounts, found: readonly Found[]): boolean {
  if (chunks > 0 && chunks < tellingChunks) return true
  return codesOf(question).some((code) => found.some(({ text }) => text.includes(code)))
}

/** The terms of words right beside one that the index lacks: together they name something else, as `employment contract` or `record player`. */
function besideMissing(question: string, asked: readonly string[], { chunks, holders }: TermCounts): ReadonlySet<string> {
  if (chunks < fewChunks) return new Set()
  const words = queryWords(question).map(({ written: word, isContent }) => (isContent ? askedTerms(word) : []))
  const isMissing = (terms: readonly string[] = []): boolean =>
    terms.length > 0 && terms.every((term) => asked.includes(term) && !holders[asked.indexOf(term)])
  return new Set(words.filter((_, at) => isMissing(words[at - 1]) || isMissing(words[at + 1])).flat())
}

/** How rare a word is in texts on any subject: from 0 for one in twenty of them to 1 for one in a thousand. */
function rarity(share: number): number {
  return Math.max(0, Math.min(1, (-Math.log(share) - 3) / 4))
}

/** Whether a heading, a file name, an entry of a list or a table or a sentence of the form `X is …` defines what a question asks for. */
function isDefined(phrase: string, labels: readonly string[], found: readonly Found[]): boolean {
  const wanted = askedTerms(phrase)
  const isLabel = (label: string): boolean => {
    const own = askedTerms(label)
    return wanted.every((term) => own.includes(term)) && wanted.length >= 0.6 * own.length
  }
  const defines = (line: string): boolean => {
    const beginning = fold(line.trimStart().slice(0, longestLine).toLowerCase())
    if (!wanted.every((term) => beginning.includes(written(term)))) return false
    const isEntry = entryMark.test(beginning)
    const [subject = ''] = isEntry ? beginning.replace(entryMark, '').split(/[|:.]/, 1) : beginning.split(says, 1)
    return (isEntry || subject.length < beginning.length) && isLabel(subject)
  }
  return wanted.length === 0 || labels.some(isLabel) || found.some(({ text }) => linesOf(text).some(defines))
}

/** Identifiers and settings: `max_tokens`, `keepText`, `usage.estimated`, and not names, files and hosts such as `JavaScript`, `llama.cpp` or `package.json`. */
function codesOf(question: string): readonly string[] {
  const codes = queryWords(question).flatMap(({ written: code }) => (/_|^\p{Ll}+\p{Lu}/u.test(code) ? [code] : []))
  const dotted = question.slice(0, mostCharacters).split(/[^\p{L}\p{N}_.]+/u)
  return [...codes, ...dotted.filter((name) => /^\p{Ll}{2,}\.(?!(?:json|yaml|toml|html)\b)\p{L}{4}/u.test(name))]
}

function linesOf(text: string): readonly string[] {
  return text.slice(0, mostCharacters).split('\n', mostLines)
}

/** Whether something is asked for at a place, or with a program, that the passages found are not about. */
function isElsewhere(phrase: string, asked: readonly string[], counts: TermCounts, found: readonly Found[]): boolean {
  const guides = found.filter(({ urn }) => !isOfRecord(urn))
  const about = wordsOf(
    guides.flatMap((one) => [...labelsOf(one), ...(isFirstPassage(one.urn) ? [one.text.slice(0, mostCharacters)] : [])]).join(' '),
  )
  return rareTerms(phrase, asked, counts).some((term) => !has(about, term))
}

/** The number that a phrase is about: in `HTTP 424` the usual word says only of which kind it is. */
function numberIn(phrase: string, asked: readonly string[], counts: TermCounts): string | undefined {
  const [number, ...others] = rareTerms(phrase, asked, counts)
  return number !== undefined && others.length === 0 && /^\p{N}+$/u.test(number) ? number : undefined
}

/** The terms of a phrase that are not usual in the index. */
function rareTerms(phrase: string, asked: readonly string[], { chunks, holders }: TermCounts): readonly string[] {
  return askedTerms(phrase).filter((term) => {
    const at = asked.indexOf(term)
    return at >= 0 && (holders[at] ?? 0) < usualShare * chunks
  })
}

function wordsOf(text: string): string {
  return ` ${fold(text.toLowerCase()).replaceAll(/[\0-/:-@[-`{-\x7f]+/g, ' ')} `
}

function has(words: string, term: string): boolean {
  return words.includes(` ${written(term)}`)
}
