import { readReference } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'

/** The end of the earlier text, which decides whether something begins there. */
export interface Before {
  /** As it was written: escapes and emphasis depend on the characters before them. */
  readonly written: string
  /** As it is read, by what parts words. */
  readonly readings: readonly string[]
}

/** Letters, digits and signs may be written in another form; the number of a reading is the sum of those that part words in it. */
const sortsOfForms = [1, 2, 4]

function sortOf(shown: string): number {
  return /[A-Za-z]/.test(shown) ? 1 : /\d/.test(shown) ? 2 : 4
}

/** Before the beginning. */
export const nothing: Before = { written: '', readings: Array<string>(8).fill('') }

/**
 * Characters that look like others or are invisible: non-breaking spaces and hyphens; wide, small, circled and mathematical letters, digits and signs; characters without width.
 * Escapes: of JSON, also within its strings; of Markdown; of addresses; character references. Markup that a renderer does not show: tags, links, emphasis.
 */
const written =
  // backtracks: from the first of several backslashes it reads at most 64, of a reference, a tag, a comment or a link at most 100, and behind a sign of emphasis at most 36
  /([\u00a0\u1680\u2000-\u200a\u2010-\u2013\u2024\u202f\u205f\u2102-\u2134\u2212\u24b6-\u24e9\u3000\ufe50-\ufe6b\uff08\uff09\uff0b\uff0d-\uff19\uff1d\uff20-\uff3a\uff3f\uff41-\uff5a\u{1d400}-\u{1d7ff}]|(?<=[A-Za-z0-9])[\u3002\uff61](?=[A-Za-z\\&])|\p{Default_Ignorable_Code_Point})|(?<!\\)(\\{1,64})(?:u([0-9a-fA-F]{4})|([/@_.+()%#-]))|%(40|2[bdeBDE]|5[fF])|&(?:#[xX]([0-9a-fA-F]{1,64})|#([0-9]{1,64})|([a-zA-Z][a-zA-Z0-9]{1,31})(?=;));?|<(?:\/?([a-zA-Z]{1,10})((?:[ \n][\w "'=:;,.!?/\n-]{0,64}|\/)?)|!--([\w "'=:;,.!?/\n-]{0,64})--)>|!?\[(?=[^[\]\n]{0,32}\]\(([\w "'=:;,.!?/\n#<>-]{0,64})\))|\](?<=\[[^[\]\n]{0,32}\])\(([\w "'=:;,.!?/\n#<>-]{0,64})\)|(?=[*`~])(?:(?<=[\p{L}@.[])(?:\*{1,3}|`{1,3}|~~)(?=[\p{L}@.\]])|(?<=\p{N})(?:\*{1,3}|`{1,3}|~~)(?=@|\.\p{L})|(?<=[\p{L}\p{N}.])(?:\*{1,3}|`{1,3}|~~)(?=[\p{L}\p{N}._+-]{1,32}[*`~]{0,3}@)|(?<=@)(?:\*{1,3}|`{1,3}|~~)(?=\p{N})|(?<=[\p{L}\p{N}])(?:\*{1,3}|`{1,3}|~~)(?=\p{N}{1,8}[*`~]{0,3}\.\p{L})|(?<=\+\d{1,4}[ -]?(?:[*`]{0,3}\d{1,5})?)(?:\*{1,3}|`{1,3}|~~)(?=[ -]?\(?\d)|(?<=\d{4})(?:\*{1,3}|`{1,3}|~~)(?=[ -][1-9]\d{3})|(?<=\d{4}[ -])(?:\*{1,3}|`{1,3}|~~)(?=[1-9]\d{3}))/gu
/** What each of them has, looked for first since nearly all text has none. */
const mayBeWritten = /[&<\\%*`~[\]\u0080-\uffff]/

/** The beginning of such a part at the end of a text; it always matches. */
const unfinished =
  // backtracks: at most 104 characters
  /(?:[\u3002\uff61]?(?:(?<!\\)\\{1,64}(?:u[0-9a-fA-F]{0,3}|%[245]?)?|&(?:#(?:[xX][0-9a-fA-F]{0,64}|[0-9]{0,64})|[a-zA-Z][a-zA-Z0-9]{0,31})?)|%[245]?|<(?:\/?[a-zA-Z]{0,10}(?:[ \n][\w "'=:;,.!?/\n-]{0,64}|\/)?|!-?|!--[\w "'=:;,.!?/\n-]{0,66})|(?<=[\p{L}\p{N}@. -])[*`~]{1,3}(?:[ -]?\(|(?:[ -][1-9]?)?\d{0,4}|[\p{L}\p{N}._+-]{0,32}[*`~]{0,3}\.?)[\ud800-\udbff]?|!?\[[^[\]\n]{0,32}(?:\](?:\([\w "'=:;,.!?/\n#<>-]{0,64})?)?|!|[\u3002\uff61]|[\ud800-\udbff])?$/u
const longestEscape = 104

/** Tags that change how text looks, and not what it says. */
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr output q ruby s samp slot small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** What attributes or a comment could say that is sensitive by itself: many digits, or a long run. */
const maySay =
  // backtracks: at most 66 characters
  /(?:\d\D*){7}|[\w-]{19}/

/** A text as a renderer shows it, with usual spaces and hyphens and without characters that have no width, behind what was read before it. */
export interface PlainText {
  readonly plain: string
  /** Where it begins in that. */
  readonly from: number
  /** Where the original of the character at an offset starts, and where that of the text before an offset ends. */
  readonly start: (offset: number) => number
  readonly end: (offset: number) => number
  /** How many characters start before an offset of the original. */
  readonly offsetOf: (original: number) => number
}

/** Chooses between how a renderer shows what is written in another form, and what parts words in its place. */
type OtherForm = (shown: string, parted: string) => string

/** In place of a character of two units, which is no part of any value. */
const boundary = '\ufffc'

/**
 * Reads a text up to an offset as a renderer shows it, and, where it has other forms of characters, also so that these part words, whichever sorts of them: glued to a value, they do not hide it.
 * Readings that cannot differ are the same one.
 */
export function readPlain(text: string, length: number, { written: context, readings }: Before): readonly PlainText[] {
  const own = length === text.length ? text : text.slice(0, length)
  const isRewritten = mayBeWritten.test(own)
  const [first = ''] = readings
  if (!isRewritten && readings.every((before) => before === first)) return Array<PlainText>(readings.length).fill(unchanged(own, first))
  let sorts = sortsOfForms
    .filter((sort) => readings.some((before, number) => before !== readings[number & ~sort]))
    .reduce((sum, sort) => sum + sort, 0)
  const read = (number: number): PlainText => {
    const before = readings[number] as string
    if (!isRewritten) return unchanged(own, before)
    return rewritten(context + own, context.length, before, (shown, parted) => {
      const sort = sortOf(shown)
      sorts |= sort
      return (number & sort) === 0 ? shown : parted
    })
  }
  const plain: PlainText[] = []
  for (let number = 0; number < readings.length; number++)
    plain.push((number & ~sorts) === 0 ? read(number) : (plain[number & sorts] as PlainText))
  return plain
}

function unchanged(text: string, before: string): PlainText {
  const from = before.length
  const original = (offset: number): number => offset - from
  return { plain: before + text, from, start: original, end: original, offsetOf: (offset) => offset + from }
}

function rewritten(text: string, skipped: number, before: string, other: OtherForm): PlainText {
  const from = before.length
  const read = new RewrittenText(text, written, (match) => readWritten(match, other), skipped)
  const shift = from - skipped
  return {
    plain: before + read.plain.slice(skipped),
    from,
    start: (offset) => read.start(offset - shift) - skipped,
    end: (offset) => read.end(offset - shift) - skipped,
    offsetOf: (original) => read.offsetOf(original + skipped) + shift,
  }
}

/** How much of a text is certain to be read so, whatever follows. */
export function wholeLength(text: string): number {
  const most = Math.max(0, text.length - longestEscape)
  const tail = text.slice(most)
  return mayBeWritten.test(tail) || tail.endsWith('!') ? most + tail.search(unfinished) : text.length
}

function readWritten(match: readonly (string | undefined)[], other: OtherForm): string | undefined {
  const [all = '', odd, slashes, escaped, sign, percent, hex, decimal, name, tag, attributes, comment, opened, closed] = match
  if (odd !== undefined) return usual(odd, other)
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16))
  if (all.startsWith('&')) {
    const read = readReference([all, hex, decimal, name])
    return read === undefined ? undefined : usual(read, other)
  }
  if (slashes === undefined) {
    const address = opened ?? closed
    const isHidden = (tag === undefined || inlineTags.has(tag.toLowerCase())) && !maySay.test(attributes ?? comment ?? address ?? '')
    if (!isHidden) return undefined
    return address === undefined ? '' : other('', '|')
  }
  const plain = sign ?? usual(String.fromCharCode(Number.parseInt(escaped ?? '', 16)), other)
  // With every level of strings in strings their number doubles; any other number leaves some that are meant, but for an escape of Markdown before an escaped sign.
  const isMarkdown = escaped !== undefined && slashes.length % 3 === 0 && isPowerOfTwo(slashes.length / 3) && /^[!-/:-@[-`{-~]$/.test(plain)
  const isWhole = isPowerOfTwo(slashes.length) || isMarkdown
  return isWhole ? plain : `\\${plain}`
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0
}

/** Spaces and hyphens that do not break a line, and wide letters, digits and signs: they are part of a value as the usual ones are. */
const same = /^[\u00a0\u2007\u2009\u202f\u2010-\u2012\uff0b\uff0d\uff0e\uff10-\uff19\uff20-\uff3a\uff41-\uff5a]$/

/** A character as it is usually written: nothing for those without width, and for other forms what is chosen. */
function usual(character: string, other: OtherForm): string {
  if (character.charCodeAt(0) < 0x80) return character
  if (/^\p{Default_Ignorable_Code_Point}$/u.test(character)) return ''
  const as = lookAlike(character)
  if (as === character || same.test(character)) return as
  return other(as, character.length === 1 ? character : boundary)
}

/** Those that look like a space or a hyphen as one, and other forms of letters, digits and signs as those. */
function lookAlike(character: string): string {
  if (/^\p{Zs}$/u.test(character)) return ' '
  if (/^[\u2010-\u2013\u2212]$/.test(character)) return '-'
  if (/^[\u3002\uff61]$/.test(character)) return '.'
  const compatible = character.normalize('NFKC')
  return /^[!-~]$/.test(compatible) ? compatible : character
}
