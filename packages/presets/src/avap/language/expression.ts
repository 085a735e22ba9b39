import {
  endOf,
  isDigit,
  isNamePart,
  isNumberPart,
  isSpace,
  type Line,
  lineOf,
  quotes,
  readGroup,
  readString,
  type Token,
} from './tokens.ts'
import { flawFault, hashFault, type LineFault, quoted } from './wording.ts'

/** Words between two values. */
const words = new Set(['and', 'or', 'in', 'is', 'if', 'else', 'not', 'for', 'lambda', 'async', 'await', 'from', 'yield'])

/** A value of a list or dictionary that follows another without an operator or a comma; what calls and indexes hold may be any text. */
function neighbour(line: Line, { start, end, text: bracket }: Token): Pick<Token, 'start' | 'end'> | undefined {
  if (bracket === '(') return undefined
  const { text } = line
  let previous: 'value' | 'string' | 'prefix' | undefined
  for (let at = start; at < end; ) {
    const character = text.charAt(at)
    let next = at + 1
    if (isSpace(character)) {
      // A prefix such as `f` comes right before its string.
      if (previous === 'prefix') previous = 'value'
    } else if (character === '\\' || (character === '/' && (text.charAt(next) === '/' || text.charAt(next) === '*'))) return undefined
    else if (quotes.has(character)) {
      next = readString(text, at).end
      if (previous === 'value') return { start: at, end: next }
      previous = 'string'
    } else if (isNamePart(character)) {
      next = endOf(text, at, isDigit(character) ? isNumberPart : isNamePart)
      const word = text.slice(at, Math.min(next, at + 8))
      if (words.has(word)) previous = undefined
      else if (previous !== undefined) return { start: at, end: next }
      else previous = next - at < 3 && !isDigit(character) ? 'prefix' : 'value'
    } else if (character === ')' || character === ']' || character === '}') previous = 'value'
    else if (character === '(' || (character === '[' && previous !== undefined)) {
      next = readGroup(line, at).end
      previous = 'value'
    } else previous = undefined
    at = next
  }
  return undefined
}

const binaryWords = new Set(['and', 'or', 'in', 'is', 'if', 'else', 'not'])
const prefixWords = new Set(['not', 'lambda'])
const prefixes = new Set(['+', '-', '~'])
const binary = new Set([...['+', '-', '*', '/', '%', '**', '<', '>', '<=', '>=', '==', '!=', '&', '|', '^', '<<', '>>', '@', ',']])

/** The first fault of a Python-like expression; what parentheses and indexes hold may be any text. */
export function expressionFault(line: string, tokens: readonly Token[]): LineFault | undefined {
  let wantsValue = true
  let inLambda = false
  let previous: Token | undefined
  let whole: Line | undefined
  for (const [index, token] of tokens.entries()) {
    const { kind, text, flaw } = token
    if (flaw !== undefined) return flawFault(line, flaw)
    if (kind === 'hash') return wantsValue ? incomplete(tokens.slice(0, index)) : hashFault(line, token)
    if (kind === 'operator') {
      const next = tokens[index + 1]
      if (text === '.' && !wantsValue && next?.kind === 'name') wantsValue = true
      else if (text === ':' && inLambda) [inLambda, wantsValue] = [false, true]
      else if (text === '=' && inLambda && !wantsValue) wantsValue = true
      else if (text === '.' && wantsValue && next?.kind === 'number') continue
      else if (wantsValue ? !prefixes.has(text) && !(inLambda && text === ',') : !binary.has(text))
        return text === '=' ? secondAssignment(token) : unexpected(token)
      else wantsValue = true
    } else if (kind === 'group') {
      if (wantsValue) {
        wantsValue = false
        whole ??= lineOf(line)
        const second = neighbour(whole, token)
        if (second !== undefined) return unexpectedText(second, "operator or ','")
      } else if (text === '{') return unexpected(token)
    } else if (text === 'in' && previous?.text === 'not' && index > 1) wantsValue = true
    else if (kind === 'name' && previous?.text !== '.' && (wantsValue ? prefixWords : binaryWords).has(text)) {
      if (text === 'lambda') inLambda = true
      wantsValue = !(text === 'lambda' && tokens[index + 1]?.text === ':')
    } else if (wantsValue || isOneString(previous, token)) wantsValue = false
    else return unexpectedText(token, 'operator or end of line')
    previous = token
  }
  // A comma at the end makes a tuple of what is before it.
  return wantsValue && !(previous?.text === ',' && tokens.length > 1) ? incomplete(tokens) : undefined

  function incomplete(part: readonly Token[]): LineFault {
    const last = part.at(-1)
    const written = last === undefined ? '' : `after ${quoted(last.text)} `
    return { start: last?.start ?? 0, end: last?.end ?? 1, message: `unexpected end of line ${written}— expected expression` }
  }

  function unexpectedText({ start, end }: Pick<Token, 'start' | 'end'>, expected: string): LineFault {
    return { start, end, message: `unexpected text ${quoted(line.slice(start, end))} — expected ${expected}` }
  }

  function secondAssignment({ start, end }: Token): LineFault {
    return { start, end, message: "unexpected '=' — expected one '=' per assignment" }
  }

  function unexpected({ start, end, text }: Token): LineFault {
    return { start, end, message: `unexpected ${quoted(text)} — expected expression` }
  }
}

/** Strings beside each other are one, and so is a string with a letter before it, such as `f"…"`. */
function isOneString(previous: Token | undefined, { kind, start }: Token): boolean {
  if (kind !== 'string') return false
  return previous?.kind === 'string' || (previous?.kind === 'name' && previous.end === start && previous.text.length < 3)
}
