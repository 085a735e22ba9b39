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
 * The stem of a word in small letters. A word by itself often does not say of which language it is, and has to have one stem wherever it is:
 * without a sign of German, the rules of English follow on the endings that German has, and what either leaves of those is dropped in the end.
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
