import { Sentences } from '../shared/units/sentences.ts'

/** Cases that are about words, not about every letter. */
export type WordCasing = 'title' | 'sentence'

/** Words that titles may have in lower case: articles, conjunctions and prepositions of English, and articles and the like of names from other languages. */
const smallWords: ReadonlySet<string> = new Set(
  (
    'a an the and but or nor for so yet as at by if in of off on per to up via vs v from into onto with over than that about above across after against along among around before behind below ' +
    'beneath beside between beyond down during except inside like near out outside past since through throughout till toward towards under until upon within without ' +
    'de da do du des del della di la le les el los las y e et en au aux von van der den dem und zu im'
  ).split(' '),
)

/** Words that are in lower case within a sentence, even in the names of things; and those that only titles have with a capital. */
const neverCapital: ReadonlySet<string> = new Set('of and or nor und oder'.split(' '))
const capitalInTitles: ReadonlySet<string> = new Set(
  'to with from for your our their is are was by into how why what when that this'.split(' '),
)

/** A line of more words without a small letter is written in capitals; one that has no word of so many letters is made of abbreviations. */
const mostAbbreviations = 2
const longestAbbreviation = 6

/** What a line begins with before its words: marks of quotes, headings and list items. */
const lineMark = /^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+•]\s+|\d{1,9}[.)]\s+)?/

/** What is in a word that is not written as words are: an address, the name of a file or a variable, a formula. */
const unusual = /[@/\\_=<>{}#$%^&+~|\d]|\p{L}(?:[.:]\p{L}|[([])/u

/** What may be around a word: quotes, brackets and emphasis. */
const around = '*_"\'“”„‘’«»([¿¡'

/** What has no words: a formula or a statement. */
const formula = /=|[;{}]\s*$/

/** The digraphs with a form for the beginning of a word. */
const digraphs: Readonly<Record<string, string>> = { ǆ: 'ǅ', ǉ: 'ǈ', ǌ: 'ǋ', ǳ: 'ǲ' }

/** A word in the wrong case. */
export interface WrongWord {
  readonly start: number
  readonly word: string
  /** The word as it should be; absent when only its writer can tell. */
  readonly right?: string
  readonly fault: 'small' | 'capital' | 'capitals'
}

/** What one line says about its case. */
interface LineCase {
  readonly wrong: readonly WrongWord[]
  /** Everything before this offset stays as it is judged if the line goes on. */
  readonly settled: number
}

/** Reads lines one after the other, and finds the words that are in the wrong case. */
export class WordReader {
  readonly #is: WordCasing
  /** The last word of the line before, with its marks: a heading ends like a sentence. */
  #before = '.'
  #isAfterBlank = true

  constructor(is: WordCasing) {
    this.#is = is
  }

  /** Reads the next line, which starts at an offset; a line of code is read as a blank one. */
  read(line: string, start: number): LineCase {
    const found = this.look(line, start)
    this.#isAfterBlank = line.trim() === ''
    if (!this.#isAfterBlank) this.#before = isHeading(line) ? '.' : (line.slice(-200).match(/\S+/g)?.at(-1) ?? '')
    return found
  }

  /** Reads a line that is not complete, and forgets it. */
  look(line: string, start: number): LineCase {
    // After a formula or a colon a sentence may go on.
    const begins = this.#isAfterBlank ? /[.!?][)"”*_]*$/.test(this.#before) : endsSentence(this.#before)
    const { wrong, settled } = new LineReader(this.#is, line, begins).read()
    return { wrong: wrong.map((one) => ({ ...one, start: one.start + start })), settled: start + settled }
  }
}

class LineReader {
  readonly #is: WordCasing
  readonly #line: string
  readonly #isHeading: boolean
  readonly #wrong: WrongWord[] = []
  /** Whether the next word begins a sentence. */
  #begins: boolean
  #words = 0
  /** Whether all words so far are in capitals, and one of them is not an abbreviation. */
  #inCapitals = true
  #hasLong = false
  /** The last word of a title, when it is a small one that only a word after it allows. */
  #small: WrongWord | undefined
  /** The word before, with its marks. */
  #before = ''

  constructor(is: WordCasing, line: string, begins: boolean) {
    this.#is = is
    this.#line = line
    this.#isHeading = isHeading(line)
    this.#begins = begins
  }

  read(): LineCase {
    const line = masked(this.#line)
    const mark = lineMark.exec(line)?.[0] ?? ''
    // A heading and a list item begin a sentence of their own, a row of a table has none.
    this.#begins = mark.trim() !== '' || (this.#begins && line.charAt(mark.length) !== '|')
    let last = mark.length
    const open = openAt(this.#line, line)
    let mayBeCapitals = true
    for (const { 0: token, index } of line.slice(mark.length).matchAll(/[^\s—–]+|[—–]/g)) {
      last = mark.length + index
      this.#take(token, last)
      this.#begins = false
      this.#before = token
      // Small letters from there on may be those of a tag.
      if (last + token.length <= open) mayBeCapitals = this.#inCapitals
    }
    const first = this.#wrong[0]?.start ?? last
    const settled = Math.min(last, first, this.#small?.start ?? last, mayBeCapitals ? 0 : last, open)
    if (formula.test(line)) return { wrong: [], settled }
    if (this.#words > mostAbbreviations && this.#inCapitals && this.#hasLong)
      return { wrong: [{ start: mark.length, word: /\S+/.exec(line.slice(mark.length))?.[0] ?? '', fault: 'capitals' }], settled }
    return { wrong: this.#small ? [...this.#wrong, this.#small] : this.#wrong, settled }
  }

  #take(token: string, at: number): void {
    let offset = 0
    while (offset < token.length && around.includes(token.charAt(offset))) offset++
    const word = /^[\p{L}\p{M}\p{N}'’-]+/u.exec(token.slice(offset))?.[0] ?? ''
    if (!/[\p{L}\p{N}]/u.test(token)) return
    this.#small = undefined
    if (/\p{L}/u.test(token)) this.#words++
    this.#inCapitals &&= !/[\p{Ll}\p{Lt}\p{Lo}]/u.test(token)
    this.#hasLong ||= (word.length > longestAbbreviation && !/\d/.test(word)) || smallWords.has(word.toLowerCase())
    if (unusual.test(token.slice(offset, endOfWord(token))) || !/^\p{L}/u.test(word) || /^.+\p{Lu}/u.test(word)) return
    const spot = { start: at + offset, word }
    if (this.#is === 'title') this.#judgeTitle(spot)
    else this.#judgeSentence(spot, token)
  }

  #judgeTitle(spot: Pick<WrongWord, 'start' | 'word'>): void {
    const isSmall = smallWords.has(spot.word)
    const right = capitalized(spot.word, this.#line)
    if (right === spot.word || (isLetter(spot.word) && !isSmall)) return
    const wrong = { ...spot, right, fault: 'small' } as const
    if (!isSmall || this.#before === '' || /[:.?!]$/.test(this.#before)) this.#wrong.push(wrong)
    else this.#small = wrong
  }

  #judgeSentence({ start, word }: Pick<WrongWord, 'start' | 'word'>, token: string): void {
    // Words in quotes and brackets are written as where they come from.
    if (!/^[*_]*[\p{L}]/u.test(token)) return
    if (this.#begins || (this.#before !== '' && endsSentence(this.#before))) {
      const right = capitalized(word, this.#line)
      if (right !== word && !isLetter(word)) this.#wrong.push({ start, word, right, fault: 'small' })
    } else if (/[\p{L}\p{N},]$/u.test(this.#before) && /^\p{Lu}\p{Ll}/u.test(word)) {
      const small = word.toLowerCase()
      if (neverCapital.has(small) || (this.#isHeading && capitalInTitles.has(small))) this.#wrong.push({ start, word, fault: 'capital' })
    }
  }
}

/** Whether a line is a heading, or bold from end to end. */
function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}\s/.test(line) || (line.startsWith('**') && line.trimEnd().endsWith('**'))
}

/** Whether a word with its marks ends a sentence, so that a small letter after it is wrong; after other marks a sentence may go on, as after “Stop!” in quotes. */
function endsSentence(token: string): boolean {
  if (!/[\p{Ll}\d)][.?]$/u.test(token) || token.slice(0, -1).includes('.')) return false
  const sentences = new Sentences()
  sentences.push(`so ${token} so`)
  return sentences.count > 1
}

/** Whether a word is a letter, such as the name of a variable. */
function isLetter(word: string): boolean {
  return /^\p{L}[\p{M}'’-]*$/u.test(word)
}

/** Where the last letter or digit of a token ends. */
function endOfWord(token: string): number {
  let end = token.length
  while (end > 0 && !/[\p{L}\p{N}\ud800-\udfff]/u.test(token.charAt(end - 1))) end--
  return end
}

/** A word with a capital; itself when it has one or cannot have one. */
function capitalized(word: string, line: string): string {
  const [first = ''] = word
  if (!/\p{Ll}/u.test(first) || /[\u10d0-\u10ff]/.test(first)) return word
  // Turkish and Azerbaijani have another capital for i.
  const upper = first === 'i' && /[ıİğĞşŞəƏ]/.test(line) ? 'İ' : (digraphs[first] ?? first.toUpperCase())
  return [...upper].length === 1 && upper !== first ? upper + word.slice(first.length) : word
}

/** A line in which inline code, tags and the targets of links are digits, which are no words. */
function masked(line: string): string {
  if (!/[`<\]]/.test(line)) return line
  return line.replace(/`+[^`]*`+|<[^<>]*>|\]\([^()\s]*\)/g, (span) =>
    span.startsWith(']') ? `]${'0'.repeat(span.length - 1)}` : '0'.repeat(span.length),
  )
}

/** Where something begins that may still become code, a tag or the target of a link. */
function openAt(line: string, rest: string): number {
  const open = rest.search(/[`<]|\]\(|\]$/)
  return /^\s*(?:`{3}|~{3})/.test(line) ? 0 : open < 0 ? line.length : open
}
