import { endOf, isDigit, isNamePart, isNumberPart, isSpace, type Line, quotes, readGroup, readString, type Token } from './tokens.ts'

/** Words that stand between two values. */
const words = new Set(['and', 'or', 'in', 'is', 'if', 'else', 'not', 'for', 'lambda', 'async', 'await', 'from', 'yield'])

/** A value of a list or dictionary that follows another without an operator or a comma; what calls and indexes hold may be any text. */
export function neighbour(line: Line, { start, end, text: bracket }: Token): Pick<Token, 'start' | 'end'> | undefined {
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
