import { foldText } from '../shared/fold-case.ts'

const articles =
  '(?:an?|the|clearly|probably|likely|definitely|most likely|very|simply|ein|eine|einen|eindeutig|wahrscheinlich|un|une|una|uno|um|uma)'
const pronoun = '(?:it|this|that|das|es|dies|ce|esto|questo|isto|dit|dat)'
const noun = `(?:the|this|that|my|your|der|die|das|dieser|diese|dieses|meine|la|le|el|il|het|de) (?!(?:${pronoun}|opposite|gegenteil) )[\\p{L}\\p{M}]+(?: (?:of|for|in|von|für|de|di) (?:the|this|that|der|die|das|la|le|el)? ?[\\p{L}\\p{M}]+)?`
const isVerb =
  '(?:is|seems|appears|looks like|sounds like|would be|should be|must be|seems to be|appears to be|falls under|belongs to|ist|lautet|wäre|scheint|est|es|é|è)(?: (?:classified|categori[sz]ed|labell?ed|rated|considered|best described)(?: as)?)?'
const choice =
  '(?:say|choose|pick|select|answer|go with|answer with|(?:call|label|rate|consider|classify|categori[sz]e) (?:it|this|that|NOUN)(?: as)?)'.replace(
    'NOUN',
    noun,
  )
const intro = '(?:(?:so|thus|therefore|hence|overall|also|daher|insgesamt|and|i think|i believe|i am sure|ich denke) )?'

/** What is before a value in a sentence that states it. */
// backtracks: at most 2000 characters, whose words begin with different signs
const stating = new RegExp(
  `^${intro}(?:(?:${pronoun}|${noun}) ${isVerb}|(?:it|that|this)'s|c'est|i am|i'm|ich bin|i(?:'d| would|'ll| will)? ${choice}|ich würde (?:es|das|dies) als)(?: ${articles}){0,3}$`,
  'u',
)

/** What a clause begins with that only leads to the next one. */
const leading =
  /^(?:based on|given|looking at|considering|after (?:reading|reviewing)|according to|in my|overall|sure|okay|ok|certainly|of course|so|thus|therefore|hence|from|laut|nach|daher|insgesamt)(?: |$)/

/** What follows a value that a sentence states: its end, the end of a clause, or a reason. */
const ending = /^(?:$|[,.;:!]|(?:because|since|as|given|based|due|about|here|weil|da|denn|car|parce|porque|perché)(?: |$))/

/** What is named behind such a word is an example or a choice. */
const noLabel =
  /(?:^| )(?:examples?|options?|values?|choices?|labels|categories|notes?|opposite|question|hint|beispiele?|optionen|werte|hinweis|frage|gegenteil)(?: |$)/

/** A label has so many words. */
const mostLabelWords = 4

/** Whether a sentence states a value, whose words are given: it is the value, begins with it as an answer does, has it behind a label, or says that something is it. */
export function states(sentence: string, words: string): boolean {
  const flat = flatten(sentence)
  const at = ` ${flat} `.indexOf(` ${words} `)
  if (at < 0 || !ending.test(flat.slice(at + words.length).trim())) return false
  const head = flat.slice(0, at).trim()
  if (head === '') return true
  if (head.endsWith(':')) return isLabel(head.slice(0, -1).trim())
  const comma = Math.max(head.lastIndexOf(','), head.lastIndexOf(':'))
  return (comma < 0 || leading.test(head)) && stating.test(head.slice(comma + 1).trim())
}

function isLabel(text: string): boolean {
  return !/[,;:]/.test(text) && text.split(' ').length <= mostLabelWords && !noLabel.test(text)
}

/** A sentence without case and marks of emphasis, with single spaces around its words and signs. */
function flatten(sentence: string): string {
  return foldText(sentence)
    .replaceAll('’', "'")
    .replace(/[=–—→]/g, ':')
    .replace(/[.,;:!?]/g, ' $& ')
    .replace(/[^\p{L}\p{N}\p{M}'.,;:!?]+/gu, ' ')
    .trim()
}
