import type { TextSpan } from '../../answer/span.ts'
import { endOfMatch } from '../../answer/span.ts'
import { isSpace } from '../../answer/words.ts'
import { anyOf, mayStart, startsOf } from './phrases.ts'

/** How an answer begins. */
export interface Opening {
  readonly preamble?: Preamble
  readonly refusal?: TextSpan
}

/** What comes before the answer itself. */
export interface Preamble {
  /** Everything that is replaced by `after`, which is empty or the first letter of the answer as a capital. */
  readonly span: TextSpan
  readonly after: string
  /** Whether nothing follows. */
  readonly isAll: boolean
}

/** A longer announcement says more than that the answer follows. */
const longestIntro = 160
/** A sentence is not looked at any further. */
const longestSentence = 320

/** What goes on for longer is not a preamble. */
const longestPreamble = 1000

/** So many characters after an opener tell whether it leads to the answer. */
const longestLead = 24

const gap = '[\\s\\p{Extended_Pictographic}\\u{fe0f}]'
const wordEnd = '(?![\\p{L}\\p{N}])'
// backtracks: at one place, over a sentence of at most 320 characters, in parts that are bounded
const sticky = (source: string): RegExp => new RegExp(source, 'iuy')

const opener = sticky(`(?:${anyOf('opener')})(?:[.!,:;–—-]{1,3}${gap}{1,8}|${gap}{1,8}(?=(?:${anyOf('intro')})${wordEnd}))`)
const promise = sticky(`(?:${anyOf('promise')})[.!]{1,3}(?:${gap}{1,8}|$)`)
const intro = sticky(
  `(?:${anyOf('intro')})${wordEnd}(?:[^\\r\\n.!?:]|[.!?:](?![\\s*_]|$)){0,${longestIntro}}:[*_]{0,3}[ \\t]{0,8}(?:[\\r\\n]|$)`,
)
// backtracks: an announcement of at most 180 characters
const itself = new RegExp(`(?<![\\p{L}])(?:${anyOf('itself')})(?![\\p{L}])`, 'iu')
const lead = sticky(`(?:${anyOf('lead')})${wordEnd}`)
const refusal = sticky(`(?:${anyOf('refusal')})`)

const starts = startsOf('openingStarts')

/** Reads how a text begins; undefined when the next characters may still change that. */
export function readOpening(text: string, isWhole: boolean): Opening | undefined {
  const first = visibleFrom(text, 0)
  let at = first
  /** What is a preamble for certain ends here. */
  let end = first
  for (;;) {
    if (!isWhole && !isDecided(text, at, at > end)) return undefined
    if (!mayStart(text, starts, at)) break
    const said = endOfMatch(opener, text, at)
    const next = said ?? endOfMatch(promise, text, at)
    if (next === undefined) break
    at = visibleFrom(text, next)
    if (at - first > longestPreamble) return {}
    // An opener by itself may be the answer: "Absolutely! It is thread-safe."
    if (said === undefined) end = at
  }
  const announced = mayStart(text, starts, at) ? endOfMatch(intro, text, at) : undefined
  // Without an assent, a line that does not name the answer may be a caption that the text needs.
  if (announced !== undefined && (at > first || itself.test(text.slice(at, announced)))) {
    const rest = visibleFrom(text, announced)
    if (rest - first > longestPreamble) return {}
    if (!isWhole && !isDecided(text, rest)) return undefined
    // Announcements one after the other are captions.
    if (!beginsAgain(text, rest)) return { preamble: preambleOf(text, first, rest) }
  }
  if (at > end && endOfMatch(lead, text, at) !== undefined) end = at
  const refused = mayStart(text, starts, at) ? endOfMatch(refusal, text.slice(0, at + longestSentence), at) : undefined
  return {
    ...(end > first && { preamble: preambleOf(text, first, end) }),
    ...(refused !== undefined && { refusal: { start: at, end: refused } }),
  }
}

function beginsAgain(text: string, at: number): boolean {
  return mayStart(text, starts, at) && [opener, promise, intro].some((pattern) => endOfMatch(pattern, text, at) !== undefined)
}

/** A sentence that only says sorry: the next one tells what for. */
// backtracks: at most 40 characters
const apology = /^(?:[^.!?:\r\n]{0,30}(?:sorry|afraid|apologi[sz]e|apologies|leid)|unfortunately|regrettably|entschuldigung|leider)\. /i

/** Whether enough of a sentence is there to know what it is. */
function isDecided(text: string, at: number, isAfterOpener = false): boolean {
  if (at >= text.length) return false
  const ahead = text.slice(at, at + longestSentence)
  if (ahead.length === longestSentence) return true
  if (!mayStart(ahead, starts)) return !isAfterOpener || ahead.length >= longestLead
  const said = endOfMatch(opener, text, at)
  if (said !== undefined) return visibleFrom(text, said) < text.length
  // backtracks: at most 320 characters
  return /[.!?:]["'”’)*_]{0,3}\s+\S|[\r\n]\s*\S/.test(ahead.replace(apology, ''))
}

function visibleFrom(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

function preambleOf(text: string, start: number, visible: number): Preamble {
  // The indentation of what follows stays.
  const line = Math.max(text.lastIndexOf('\n', visible - 1), text.lastIndexOf('\r', visible - 1)) + 1
  const isAll = visible >= text.length
  if (line > start && !isAll) return { span: { start, end: line }, after: '', isAll }
  const letter = text.charAt(visible)
  const isSmall = /\p{Ll}/u.test(letter)
  return { span: { start, end: visible + (isSmall ? 1 : 0) }, after: isSmall ? letter.toUpperCase() : '', isAll }
}
