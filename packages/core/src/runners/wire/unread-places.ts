import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { parseJson } from '../json.ts'
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

/** What models write between texts, such as `<|end|>`, and tokens that are half a character. */
const mark = /^\s*<[|/]?[\w|]{1,40}>\s*$|\\x[\da-f]{2}|\uFFFD/i

/** Whether log probabilities are those of a text: their tokens are in it, in their order. */
export function areTokensOf(tokens: unknown, text: string): boolean {
  if (isNothing(tokens)) return true
  if (!Array.isArray(tokens)) return false
  let at = 0
  for (const entry of tokens) {
    const token: unknown = isFields(entry) ? entry.token : entry
    if (typeof token !== 'string' || (isFields(entry) && !areAlternatives(entry.top_logprobs))) return false
    // Some tokenizers write spaces and line breaks as characters of their own.
    const word = token.replace(/[▁ĠĊ]/g, ' ').trim()
    if (word === '' || mark.test(token)) continue
    const found = text.indexOf(word, at)
    if (found < 0) return false
    at = found + word.length
  }
  return true
}

/** Tokens that the model did not choose are in no text, but they are tokens. */
function areAlternatives(alternatives: unknown): boolean {
  if (isNothing(alternatives)) return true
  const isToken = (one: unknown): boolean => isFields(one) && typeof one.token === 'string' && one.token.length <= mostOfToken
  return Array.isArray(alternatives) && alternatives.every(isToken)
}
