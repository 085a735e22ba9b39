import { Passage, readQuestion, terms, words, wordWeight } from '@stickler/core/internal/relevance'
import { subjectsOf } from '../retrieval/subjects.ts'
import { synonymsOf } from '../retrieval/synonyms.ts'

const english = `a about all am an and any are as at be been between but by can could did do does exactly for from had has have how i if in into is it
its kind long many may me might much my no not of often on or our own possible see shall should so than that the their them then there these they
this those to too us was way we were what when where which who whom whose why will with would you your explain tell describe difference differ show
give please mean means meant certain completely instead already still just also again always ever even yet really sure maybe
become becomes able try let like other another such some every each problem work works happen happens handle handled deal use used using need needs want find get gets make makes`

const german = `aber als am an auch auf aus bei bin bis das dass dem den der des die diese dieser dieses du ein eine einem einen einer eines er es für
gibt habe haben hast hat ich ihr im in ist kann können man mein mit muss nach nicht oder oft sein sich sie sind so um und uns unterschied viel viele von
war warum was wann welche welcher welches werden wie wird wo wofür wozu zu zum zur zwischen lange über erkläre bitte bedeutet funktioniert statt anstatt schon noch
nur immer wieder auch etwa ganz bestimmte bestimmter möglich`

/** Terms that do not describe a subject. */
export const commonTerms: ReadonlySet<string> = new Set(terms(`${english} ${german}`))

const [englishWords, germanWords] = [english, german].map((words) => new Set(words.split(/\s+/)))

/** Whether a question is German rather than English, by its common words. */
export function isGerman(question: string): boolean {
  let balance = 0
  for (const word of question
    .slice(0, 2000)
    .toLowerCase()
    .split(/[^\p{L}]+/u)) {
    balance += Number(germanWords?.has(word)) - Number(englishWords?.has(word))
  }
  return balance > 0
}

/** Words of less weight occur in most texts. */
const leastWeight = 1

/** Only the start of longer questions is read. */
const longest = 2000
const most = 64
/** A program or a place that something is done with has at least this weight. */
const leastPlace = 2.6
/** One word of less weight alone does not say what is asked for: only a sentence that begins with it may answer. */
const leastTelling = 3.4
/** How well a word is met by another one that means the same. */
const synonymous = 0.7

const asksForAmount = /\b(?:how (?:long|many|much|often|big|large|old)|wie (?:lang|lange|viel|viele|oft|hoch|groß|alt))\b/i

const asksForMeaning =
  /^¿?(?:(?:what (?:is|are)|was (?:ist|sind|bedeute[nt])|qué (?:es|son|significan?)) [^?!,;:]{1,40}|what (?:does|do) [^?!,;:]{1,40} mean)\??$/iu
const asksForWay =
  /^¿?(?:how (?:to|(?:do|can|could|should|would|must) (?:i|we|you|one))|wie (?:\p{L}{2,20} )?(?:ich|man|wir)|cómo (?:puedo|se|podemos))(?=\s)/iu
/** Questions for a fact; all others describe a task, a wish or a problem. */
const asksForFact =
  /^¿?(?:what|which|who|whose|when|where|why|is|are|was|were|does|did|has|have|will|(?:can|could|may|must|should|kann|darf|muss) (?!i\b|we\b|you\b|one\b|ich\b|wir\b|man\b|sie\b)\p{L}+|was|welche[nmrs]?|wer|wann|wo|warum|wieso|ist|sind|hat|wird|qué|cuáles?|quién|cuándo|dónde|por qué|es|son|hay)\s/iu
const asksForPlace = /^¿?(?:where|wo|dónde)\s/iu
/** A name with a dot, or with capitals or underscores inside, is not the words that it is made of. */
const identifier = /\w[._]\w|[a-z][A-Z]/
const instructs = /`|:\/\/|\b(?:you|your|to|use|set|run|add|write|open|call|man|Sie|du|mit|durch)\b/i
/** Words that may precede the name of something in a definition. */
const articles: ReadonlySet<string> = new Set('a an the der die das ein eine un una el la los las'.split(' '))
const opening = 60
/** What is done with something is not what it is. */
// backtracks: at most 60 characters
const happens = /^(?:\S+ ){1,6}(?:is|are|was|were|wird|werden) (?:not|only|never|always|also|nicht|nur|\p{L}{1,20}(?:ed|en|ade|t))\s/u

const negation = /\b(?:not|no|never|without|cannot|nicht|kein\w{0,2}|ohne|nie|sin|nunca)\b|n['’]t\b/i
const denied = /\b(?:not|never|cannot|nicht|nie|nunca)\s(?:(?:be|been|yet|have)\s)?([\p{L}\p{N}_]{2,40})/giu

/** A word that describes the subject of a question. */
interface AskedWord {
  readonly text: string
  readonly weight: number
  /** The number of its term; identifiers are looked for as they are written. */
  readonly term: number | 'identifier'
  /** The numbers of words that mean the same. */
  readonly others: readonly number[]
}

/** The content of a question, and how well texts match each word of it. */
export class Asked {
  readonly words: readonly AskedWord[]
  /** Whether it asks for several things. */
  readonly asksSeveral: boolean
  /** Whether the question is about a number or a time. */
  readonly forAmount: boolean
  readonly #question: ReturnType<typeof readQuestion>
  readonly #hasIdentifiers: boolean
  readonly #denies: boolean
  /** Whether it describes what somebody wants to do, or what goes wrong. */
  readonly forTask: boolean
  /** By word: whether it names where, or with which program, something is done, or what is compared: without it, nothing answers. */
  readonly needed: readonly boolean[]
  readonly #forMeaning: boolean
  readonly #forPlace: boolean
  readonly #forWay: boolean

  constructor(question: string) {
    const start = question.slice(0, longest)
    const related = new Map([...words(start)].slice(0, most).map((word) => [word, synonymsOf(word, true)] as const))
    const read = readQuestion([start, ...[...related.values()].flat()].join('\n'))
    const found = new Map<string, AskedWord>()
    for (const word of words(start)) {
      const parts = terms(word)
      const text = word.toLowerCase()
      const others = (related.get(word) ?? []).flatMap((one) => terms(one)).flatMap((term) => read.index.get(term) ?? [])
      if (parts.length > 1 && /^\w+$/.test(word))
        found.set(text, { text, weight: wordWeight(parts.at(-1) ?? ''), term: 'identifier', others: [] })
      else
        for (const part of parts)
          found.set(part, { text: part, weight: wordWeight(part), term: read.index.get(part) ?? 'identifier', others })
    }
    this.#question = read
    this.words = [...found.values()].filter(({ text, weight }) => weight >= leastWeight && !commonTerms.has(text)).slice(0, most)
    this.asksSeveral = /\s(?:and|und|y)\s/i.test(start)
    this.#denies = negation.test(start)
    this.#forWay = asksForWay.test(start.trim())
    this.#forMeaning = asksForMeaning.test(start.trim())
    this.#forPlace = asksForPlace.test(start.trim())
    this.forTask = !asksForFact.test(start.trim())
    const { defined, placed } = subjectsOf(start)
    const [compared, places] = [defined.length > 1 ? defined : [], placed].map(
      (phrases) => new Set(phrases.flatMap((phrase) => terms(phrase))),
    )
    this.needed = this.words.map(({ text, weight }) => compared?.has(text) === true || (weight >= leastPlace && places?.has(text) === true))
    this.forAmount = asksForAmount.test(start)
    this.#hasIdentifiers = this.words.some(({ term }) => term === 'identifier')
  }

  /** Whether a sentence is of the kind that is asked for: a meaning begins with what it explains, an instruction names what to do. */
  mayAnswer(sentence: string): boolean {
    if (this.#forWay) return instructs.test(sentence)
    // What is asked for is in names of settings by chance.
    if (this.#forPlace) {
      const outside = this.heldBy(sentence.replace(/`[^`\n]{1,200}`/g, (code) => (identifier.test(code) ? 'x' : code)))
      return this.heldBy(sentence).every((strength, word) => strength < 0.5 || (outside[word] ?? 0) >= 0.5)
    }
    // Settings are often explained in the middle of a sentence, and their names mean nothing else.
    if (this.#forMeaning) return this.#hasIdentifiers || this.#isSubject(sentence)
    const [only] = this.words.length === 1 ? this.words : []
    return only === undefined || only.weight >= leastTelling || this.opens(sentence)
  }

  /** Whether a sentence begins with what is asked for: alone, not as a part of a longer name. */
  #isSubject(sentence: string): boolean {
    const [code] = /^`[^`\n]{1,100}`/.exec(sentence) ?? []
    if (code !== undefined) return this.isNamed(code, 1)
    const first = [...words(sentence.slice(0, opening))].find((word) => !articles.has(word.toLowerCase()))
    return this.isNamed(first ?? '') && !happens.test(sentence.slice(0, opening))
  }

  /** Whether one of the first words of a sentence is asked for. */
  opens(sentence: string): boolean {
    const first = [...words(sentence.slice(0, opening))].slice(0, 3)
    return this.heldBy(first.join(' ')).some((strength) => strength >= 0.5)
  }

  /** Whether a share of the words of a name is asked for. */
  isNamed(name: string, least = 0.5): boolean {
    const parts = [...words(name)]
    const asked = parts.filter((part) => this.heldBy(part).some((strength) => strength >= 0.5))
    return asked.length > 0 && asked.length >= least * parts.length
  }

  /** By word: whether a text only denies it, right after `not` or the like, unless the question denies something too. */
  negatedIn(text: string): readonly boolean[] {
    const found = this.#denies ? [] : [...text.matchAll(denied)].map(([, word = '']) => this.heldBy(word))
    return this.words.map((_, word) => found.some((strengths) => (strengths[word] ?? 0) >= 1))
  }

  /** By word: how well a text matches it, from 0 to 1. */
  heldBy(text: string): readonly number[] {
    const passage = new Passage(this.#question)
    const written = new Set<string>()
    for (const word of words(text)) {
      passage.push(word)
      if (this.#hasIdentifiers) written.add(word.toLowerCase())
    }
    passage.end()
    return this.words.map(({ text: word, term, others }) => {
      if (term === 'identifier') return Number(written.has(word))
      const alike = others.reduce((best, one) => Math.max(best, passage.met[one] ?? 0), 0)
      return Math.max(passage.met[term] ?? 0, alike >= 1 ? synonymous : 0)
    })
  }
}
