import { queryWords } from './query-words.ts'

/** Longer questions are read up to here. */
const longest = 500
/** Longer phrases do not name one thing. */
const longestPhrase = 5

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const articles = set('a an the my our your ein eine einen einem einer der die das den dem des mein meine meinen el la los las un una mi')
const indefinite = set('a an ein eine einen un una')
const openers = [
  'what is',
  'what are',
  'what s',
  'whats',
  'who is',
  'define',
  'explain',
  'was ist',
  'was sind',
  'was bedeutet',
  'was heisst',
  'que es',
  'que son',
  'que significa',
  'explica',
]
const meanings = set('meaning definition bedeutung significado')
const differences = set('difference differences unterschied unterschiede diferencia diferencias')
const between = set('between zwischen entre')
const and = set('and und y')
const versus = set('vs versus')
const compared = set('to with')
const places = set('in on for using with from auf unter mit fur en con para')
const references = set('it its this')
/** Words that join a noun to another: with one of them, a phrase asks for a property, not for what something is. */
const joining = set(
  'of in on for from at to by as with without using per into between when if that which von vom des der im am auf fur mit ohne bei zum zur pro zwischen wenn de del en con sin para por entre cuando',
)
// In German, nouns are capitalized.
const participle = /(?:[^e]ed|[ai]d[oa]s?)$|^(?:ge|ver|be|er|ent)\p{Ll}+t$/u

/** What a question is about, as far as its form says so. */
interface Subjects {
  /** Phrases that are to be defined or compared: `What is X?`, `X vs Y`. */
  readonly defined: readonly string[]
  /** Phrases that name where, or with which program, something is done: `… on Windows`. */
  readonly placed: readonly string[]
  /** Whether the question refers to something without naming it: what the index is about. */
  readonly refers: boolean
}

interface Clause {
  readonly plain: readonly string[]
  readonly written: readonly string[]
}

/** Reads the subjects of a question in English, German or Spanish. */
export function subjectsOf(question: string): Subjects {
  const clauses = question
    .slice(0, longest)
    .split(/[?!¿¡,;:()"\n]|\.\s/)
    .map((text): Clause => {
      const words = queryWords(text)
      return { plain: words.map(({ plain }) => plain), written: words.map(({ written }) => written) }
    })
  return {
    defined: clauses.flatMap((clause) => definedIn(clause).flatMap(([from, to]) => phraseOf(clause, from, to))),
    placed: clauses.flatMap(placedIn),
    refers: clauses.some(({ plain }) => plain.some((word) => references.has(word))),
  }
}

type Span = readonly [from: number, to: number]

function definedIn(clause: Clause): readonly Span[] {
  const { plain } = clause
  const end = plain.length
  const at = (words: ReadonlySet<string>, from = 0): number => plain.findIndex((word, index) => index >= from && words.has(word))
  const difference = at(differences)
  if (difference >= 0) {
    const from = at(between, difference) + 1
    const middle = at(and, from)
    return from > 0 && middle > 0
      ? [
          [from, middle],
          [middle + 1, end],
        ]
      : []
  }
  const against = at(versus)
  if (against > 0)
    return [
      [Math.max(0, against - longestPhrase + 1), against],
      [against + 1, end],
    ]
  const meaning = at(meanings)
  if (meaning >= 0) return [[meaning + 2, end]]
  const compare = plain.indexOf('compare')
  if (plain[0] === 'how' && compare > 2 && compared.has(plain[compare + 1] ?? ''))
    return [
      [2, compare],
      [compare + 2, end],
    ]
  if (plain[0] === 'what' && plain[1] === 'does' && plain[end - 1] === 'mean') return [[2, end - 1]]
  const start = plain.slice(0, 2).join(' ')
  const opener = openers.find((one) => one === start || one === plain[0])
  const from = opener?.split(' ').length ?? end
  return isNounPhrase(clause, from) ? [[from, end]] : []
}

/** Whether the rest of a clause names one thing, as `a contract of employment` does: not `the format of the journal` or `the largest body allowed`. */
function isNounPhrase({ plain, written }: Clause, from: number): boolean {
  const first = plain[from] ?? ''
  if (indefinite.has(first)) return true
  const hasArticle = articles.has(first)
  const words = plain.slice(hasArticle ? from + 1 : from)
  const isSingle = hasArticle && words.length === 1
  return !words.some((word) => joining.has(word)) && (isSingle || !participle.test(written.at(-1) ?? ''))
}

function placedIn(clause: Clause): readonly string[] {
  const { plain } = clause
  const last = plain.findLastIndex((word) => places.has(word))
  return last < 1 ? [] : phraseOf(clause, last + 1, plain.length, 3)
}

function phraseOf({ plain, written }: Clause, from: number, to: number, most = longestPhrase): readonly string[] {
  const start = articles.has(plain[from] ?? '') ? from + 1 : from
  return start < to && to - start <= most ? [written.slice(start, to).join(' ')] : []
}
