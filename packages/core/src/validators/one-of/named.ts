import { foldText } from '../shared/fold-case.ts'
import { Sentences } from '../shared/units/sentences.ts'
import { states } from './stated.ts'

/** Words that turn a sentence into its opposite or leave it open, in English and German, and the most frequent ones of French, Spanish, Italian, Portuguese and Dutch. */
const negations: ReadonlySet<string> = new Set(
  (
    'no not never neither nor none nothing nobody nowhere without cannot hardly barely scarcely dont doesnt didnt isnt arent wasnt werent cant wont wouldnt shouldnt couldnt ' +
    'non false wrong incorrect unlikely impossible lacks deny denies refuse reject exclude excludes excluded unlike except unless whether if doubt doubts doubtful doubted opposite contrary before until hoped ' +
    'nein nicht nichts nie niemals niemand nirgends weder noch ohne kaum kein keine keinen keinem keiner keines keinesfalls keineswegs keinerlei ' +
    'statt anstatt anstelle außer falsch unwahrscheinlich unmöglich ausgeschlossen ob falls sofern bezweifle bezweifelt gegenteil bevor ' +
    'ni pas jamais aucun aucune sans nunca jamás tampoco ningún ninguno ninguna sin né nessun nessuno nessuna senza mai não nem sem geen niet'
  ).split(' '),
)

/** The same in more than one word. */
const phrases = / (?:rather than|other than|instead of|far from|anything but|ruled? out|alles andere als) /

/** A value that is named later than in so many sentences is not the answer, unless it is bold. */
const mostBefore = 3

/** A sentence of fewer words may deny the one before it. */
const fewWords = 4

/** The words of a text that negate, in order. */
function negationsIn(text: string): string[] {
  const words = foldText(text)
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}\p{M}']+/u)
  const found = words.filter((word) => word.endsWith("n't") || negations.has(word))
  return phrases.test(` ${words.join(' ')} `) ? [...found, ''] : found
}

/** Whether a text negates in another way than a value does, as “not a bug” does beside “bug”. */
export function negatesOtherwise(text: string, value: string): boolean {
  return negationsIn(text).join(' ') !== negationsIn(value).join(' ')
}

/** A value, and its words without case. */
interface NamedValue {
  readonly value: string
  readonly words: string
}

/** A sentence that names values. */
interface Sentence {
  readonly names: ReadonlySet<string>
  /** How many sentences there are up to it. */
  readonly place: number
  /** Whether it asks, denies, or leaves open what it names. */
  readonly isOpen: boolean
  /** Whether it says that the first of them is the answer. */
  readonly isStated: boolean
}

/** Finds the value that an answer names. */
export class ValueNames {
  readonly #values: readonly NamedValue[]

  constructor(values: readonly string[]) {
    const named = values.map((value) => ({ value, words: wordsOf(value).replaceAll('-', ' ').trim() }))
    // What a longer value holds is not named by it.
    this.#values = named.filter(({ words }) => words !== '').sort((a, b) => b.words.length - a.words.length)
  }

  /** The only value that is a bold part of a text, or else that the first sentence states which names any, if it comes early; undefined when a sentence denies it or another part names a different one. */
  find(text: string): string | undefined {
    const sentences = this.#sentencesOf(text)
    const parts = Array.from(text.matchAll(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/g), ([part]) => ({ part, names: this.#read(part).names }))
    const bold = new Set(parts.flatMap(({ names }) => [...names]))
    const isBold = parts.some(({ part, names }) => this.#isStated(part, names))
    const [first] = sentences
    const early = first !== undefined && first.place <= mostBefore ? first.names : undefined
    const chosen = bold.size > 0 ? bold : early
    const [value, other] = chosen ?? []
    if (value === undefined || other !== undefined) return undefined
    if (!isBold && first?.isStated !== true) return undefined
    if (early?.size === 1 && !early.has(value)) return undefined
    return sentences.some(({ names, isOpen }) => isOpen && names.has(value)) ? undefined : value
  }

  /** The sentences that name values; a line ends one too. */
  #sentencesOf(text: string): Sentence[] {
    const found: Sentence[] = []
    let before: Sentence | undefined
    let place = 0
    for (const said of text.split('\n').flatMap(sentencesIn)) {
      const { names, rest } = this.#read(said)
      if (/\p{L}/u.test(said)) place++
      const negates = negationsIn(rest).length > 0
      // “A bug? No way.”
      if (names.size === 0 && before && negates && rest.trim().split(/\s+/).length < fewWords) found.push({ ...before, isOpen: true })
      const isOpen = said.trimEnd().endsWith('?') || (negates && !this.#answersNo(said, names))
      before = names.size === 0 ? undefined : { names, place, isOpen, isStated: this.#isStated(said, names) }
      if (before) found.push(before)
    }
    return found
  }

  #isStated(text: string, names: ReadonlySet<string>): boolean {
    return this.#values.some(({ value, words }) => names.has(value) && states(text, words))
  }

  /** Whether a sentence begins with a value that is a negation itself, as “No, it is not” does. */
  #answersNo(sentence: string, names: ReadonlySet<string>): boolean {
    const head = sentence.slice(0, sentence.indexOf(','))
    return Array.from(names).some((value) => negationsIn(value).length > 0 && wordsOf(head).trim() === wordsOf(value).trim())
  }

  /** The values that a text names as whole words, and the text without them. */
  #read(text: string): { readonly names: ReadonlySet<string>; readonly rest: string } {
    const names = new Set<string>()
    let joined = wordsOf(text)
    for (const { value, words } of this.#values) {
      const open = joined.replaceAll('-', ' ')
      let rest = ''
      let from = 0
      for (let at = open.indexOf(words); at >= 0; at = open.indexOf(words, at + words.length)) {
        const end = at + words.length
        if (joined.charAt(at - 1) !== ' ' || joined.charAt(end) !== ' ') continue
        names.add(value)
        rest += `${joined.slice(from, at)}.`
        from = end
      }
      joined = rest + joined.slice(from)
    }
    return { names, rest: joined }
  }
}

/** The words of a text without case, with single spaces around each; what hyphens and apostrophes join stays joined. */
function wordsOf(text: string): string {
  const marked = foldText(text)
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}\p{M}'-]+/gu, ' ')
  // backtracks: at most 2000 characters are read
  const words = marked.replace(/(?<=^| )['-]+|['-]+(?= |$)/g, '')
  return ` ${words.trim().replace(/ +/g, ' ')} `
}

/** The sentences of a line. */
function sentencesIn(line: string): string[] {
  const sentences: string[] = []
  for (let rest = line; rest !== ''; ) {
    const end = new Sentences().push(rest, 2) ?? rest.length
    sentences.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return sentences
}
