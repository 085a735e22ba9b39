import { stemEnglish } from './english.ts'
import { stemGerman } from './german.ts'

/** Words with one of these are German. */
const germanSigns = /[äöüß]|(?:ung|heit|keit|schaft|lich|isch)(?:en|e[rs]?)?$/

/** Endings that the rules of English leave, and German has many of. */
const germanEnding = /(?:ern|en|em)$/
const lastEnding = /(?:ern|en|er|em|es|e|n)$/

/** The fewest letters before an ending. */
const shortestStem = 4

/**
 * The stem of a lower-case word. A word alone often does not reveal its language, and must have one stem
 * everywhere:
 * without a sign of German, the English rules follow the German endings, and what either leaves of those is dropped
 * at the end.
 */
export function stemWord(word: string): string {
  // Words that long are not of a language, and every rule would look at the whole of it.
  if (word.length > 64) return word
  return drop(lastEnding, germanSigns.test(word) ? stemGerman(word) : stemEnglish(drop(germanEnding, word)))
}

function drop(ending: RegExp, word: string): string {
  const at = word.length > shortestStem ? word.search(ending) : -1
  return at >= shortestStem ? word.slice(0, at) : word
}
