import { stemEnglish } from './english.ts'
import { stemGerman } from './german.ts'

/** A word with one of these was not written in English. */
const germanSigns = /[äöüß]|(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|lich|liche|licher|lichen|isch|ische|ischer|ischen)$/

/** The stem of a word in small letters, by the rules of the language that it seems to be of. */
export function stemWord(word: string): string {
  // Words that long are not of a language, and every rule would look at the whole of it.
  if (word.length > 64) return word
  return germanSigns.test(word) ? stemGerman(word) : stemEnglish(word)
}
