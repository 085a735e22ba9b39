import { escapeLength } from '@stickler/core/internal'

/** A fault in a piece of source, with offsets. */
interface Flaw {
  readonly start: number
  readonly end: number
  readonly message: string
  readonly suggestion?: string
}

/** A quoted string that was read, where it ends, and what is wrong with it. */
interface Quoted {
  readonly end: number
  readonly isClosed: boolean
  readonly faults: readonly Flaw[]
}

/** Quotes that models write, and what closes them. */
const closings: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '„': '“',
  '‘': '’',
  '’': '’',
  '«': '»',
}

/** Reads a string in any quotes; undefined where none starts. Only double quotes are right. */
export function readQuoted(source: string, start: number, role: 'key' | 'value'): Quoted | undefined {
  const opening = source.charAt(start)
  const closing = Object.hasOwn(closings, opening) ? closings[opening] : undefined
  if (closing === undefined) return undefined
  const faults: Flaw[] = []
  const what = role === 'key' ? 'key' : 'string'
  if (opening !== '"')
    faults.push({ start, end: start + 1, message: `Put the ${what} in straight double quotes (\`"\`).`, suggestion: '"' })
  for (let at = start + 1; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === closing || (opening === '“' && char === '"')) return { end: at + 1, isClosed: true, faults }
    if (char === '\\') at += readEscape(source, at, faults) - 1
    else if (char === '\n' || char === '\r') {
      faults.push({ start, end: at, message: `Close the ${what} with a double quote on its line; write a line break in it as \`\\n\`.` })
      return { end: at, isClosed: false, faults }
    } else if (char < ' ') faults.push({ start: at, end: at + 1, ...controlFault(char) })
  }
  faults.push({ start, end: source.length, message: `Close the ${what} that starts here with a double quote.` })
  return { end: source.length, isClosed: false, faults }
}

/** The length of the escape at a backslash; reports one that JSON does not have. */
function readEscape(source: string, at: number, faults: Flaw[]): number {
  const length = escapeLength(source, at)
  if (length > 0) return length
  const next = source.charAt(at + 1)
  if (next === '\n' || next === '\r' || next === '') return 1
  const message =
    next === 'u'
      ? 'Write four hexadecimal digits after `\\u`.'
      : next === "'"
        ? "Write `'` without a backslash."
        : 'Write two backslashes for this one: JSON does not have this escape.'
  faults.push({
    start: at,
    end: at + 2,
    message,
    ...(next === "'" ? { suggestion: "'" } : next === 'u' ? {} : { suggestion: `\\\\${next}` }),
  })
  return next < ' ' ? 1 : 2
}

function controlFault(char: string): { readonly message: string; readonly suggestion: string } {
  const written = char === '\t' ? '\\t' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { message: `Write this control character as \`${written}\`.`, suggestion: written }
}
