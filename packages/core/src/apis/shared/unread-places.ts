import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { parseJson } from '../../json/parse-json.ts'
import { replyExcess } from './parse-reply.ts'
import { saidBytes } from './said-bytes.ts'

/** Whether a value is nothing: absent, `null` or an empty text. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Whether a value is there and no text: clients join it with texts, or execute it, in ways of their own. */
export function isOther(value: unknown): boolean {
  return typeof value !== 'string' && value !== undefined && value !== null
}

/** Whether one of these members holds text, except one. */
export function saysIn(holder: Fields, names: readonly string[], except?: string): boolean {
  for (const name of names) if (name !== except && holder[name] !== undefined && saidBytes(holder[name]) > 0) return true
  return false
}

/** All texts in a value, in their order. */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = []
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') texts.push(one)
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one).reverse()) open.push(inner)
  }
  return texts
}

/** Whether a parsed value is what its text says, or there is none. */
export function isParsedFrom(value: unknown, text: unknown): boolean {
  if (value === undefined || value === null) return true
  const said = typeof text === 'string' && replyExcess(text) === undefined ? parseJson(text) : undefined
  try {
    return said !== undefined && JSON.stringify(said) === JSON.stringify(value)
  } catch {
    // Too deep to be written.
    return false
  }
}

/** The most characters of a token that was not chosen. */
const mostOfToken = 100

/** What models write between texts, in brackets. */
const marks = new Set(
  (
    'end start channel message constrain return call im_start im_end im_sep endoftext endofprompt begin_of_text end_of_text eot ' +
    'start_header_id end_header_id eot_id eom_id python_tag tool_call begin▁of▁sentence end▁of▁sentence s eos bos pad unk ' +
    'start_of_turn end_of_turn think'
  ).split(' '),
)
const bracketed = /^<[|/｜]?([a-z_▁]{1,20})[|｜]?>$/
/** Some servers write the numbers of tokens instead. */
const numbered = /^token_id:\d{1,7}$/

/** Pieces of tokens that are a part of a character, and bytes of white space. */
const parts = /(?:bytes: ?)?(?:\\x[89a-f][\da-f])+|\uFFFD+|<0x(?:[89a-f][\da-f]|0[9ad]|20)>/gi

/** Whether all log probabilities of a choice are those of a text. */
export function areLogprobsOf({ content, refusal, tokens }: Fields, text: string): boolean {
  return areTokensOf(content, text) && areTokensOf(refusal, text) && areTokensOf(tokens, text)
}

/** Whether log probabilities are those of a text: their tokens are in it, in their order. */
export function areTokensOf(tokens: unknown, text: string): boolean {
  if (isNothing(tokens)) return true
  if (!Array.isArray(tokens)) return false
  let at = 0
  return tokens.every((entry) => {
    at = tokenEnd(entry, text, at)
    return at >= 0
  })
}

/** Where the token of an entry ends in a text from a position on; -1 when it is not there. */
export function tokenEnd(entry: unknown, text: string, from: number): number {
  const token: unknown = isFields(entry) ? entry.token : entry
  if (typeof token !== 'string' || (isFields(entry) && !areAlternatives(entry.top_logprobs))) return -1
  if (isMark(token.trim())) return from
  let at = from
  // Some tokenizers write spaces and line breaks as characters of their own.
  for (const piece of token.replace(/[▁ĠĊ]/g, ' ').split(parts)) {
    const word = piece.trim()
    const found = text.indexOf(word, at)
    if (found < 0) return -1
    if (word !== '') at = found + word.length
  }
  return at
}

function isMark(token: string): boolean {
  return numbered.test(token) || marks.has(bracketed.exec(token)?.[1] ?? '')
}

/** Tokens that the model did not choose are in no text, but they are tokens. */
function areAlternatives(alternatives: unknown): boolean {
  if (isNothing(alternatives)) return true
  const isToken = (one: unknown): boolean => isFields(one) && typeof one.token === 'string' && one.token.length <= mostOfToken
  return Array.isArray(alternatives) && alternatives.every(isToken)
}
