import { parseJson } from './parse-json.ts'

/** So many characters are looked at one by one: a search costs more than most strings are long. */
const near = 48

/**
 * Where the quote is that ends a string whose first character is at `from`; `end` when there is none before it. By JSON's own rules, also
 * in texts that are not JSON.
 */
export function endOfString(text: string, from: number, end = text.length): number {
  let at = from
  // A search for what is beyond `end` would not be linear.
  for (const last = end < text.length ? end : Math.min(end, from + near); at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  while (at < end) {
    const found = text.indexOf('"', at)
    if (found < 0) return end
    let before = found
    while (before > at && text.charCodeAt(before - 1) === backslash) before--
    if ((found - before) % 2 === 0) return found
    at = found + 1
  }
  return end
}

/** The offset after the bracket that closes the one at `start`, by JSON's own rules for strings; undefined when none does. */
export function endOfBrackets(text: string, start: number, end: number): number | undefined {
  let depth = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1, end)
    else if (code === 123 || code === 91) depth++
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1
  }
  return undefined
}

/** The end of a value of a JSON text, found by its brackets and quotes alone, so that nesting costs nothing. */
export function endOfValue(json: string, from: number): number {
  const first = json.charCodeAt(from)
  if (first === quote) return endOfString(json, from + 1) + 1
  if (first === 123 || first === 91) return endOfBrackets(json, from, json.length) ?? json.length
  let at = from
  for (let code = first; code > 32 && code !== 44 && code !== 58 && code !== 93 && code !== 125; ) code = json.charCodeAt(++at)
  return at
}

/** A number of JSON, and nothing else. */
export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number of JSON at an offset. */
export const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** The length of the escape at a backslash; 0 where JSON has none like it, and -1 where the text ends within it. */
export function escapeLength(text: string, at: number): number {
  const escaped = text.slice(at + 1, at + 6)
  if (/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(escaped)) return escaped[0] === 'u' ? 6 : 2
  return at + 1 + escaped.length === text.length && /^(?:u[0-9a-fA-F]{0,3})?$/.test(escaped) ? -1 : 0
}

/** Where white space of JSON ends. */
export function skipSpace(json: string, from: number): number {
  let at = from
  for (let code = json.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) code = json.charCodeAt(++at)
  return at
}

/** Visits the members of an object or the elements of a list that begins at `from`; gives where it is closed. The text must be JSON. */
export function eachEntry(
  json: string,
  from: number,
  visit: (name: string | number, from: number, start: number, end: number) => void,
): number {
  const isObject = json[from] === '{'
  let at = skipSpace(json, from + 1)
  for (let number = 0; at < json.length && json[at] !== '}' && json[at] !== ']'; number++) {
    const entryFrom = at
    let name: string | number = number
    if (isObject) {
      const keyEnd = endOfValue(json, at)
      name = readKey(json.slice(at, keyEnd))
      // After the colon.
      at = skipSpace(json, skipSpace(json, keyEnd) + 1)
    }
    const end = endOfValue(json, at)
    visit(name, entryFrom, at, end)
    at = skipSpace(json, end)
    if (json[at] === ',') at = skipSpace(json, at + 1)
    // Not JSON: nothing of it is an entry.
    if (at === entryFrom) return json.length
  }
  return at
}

/** The name that is written there, quotes included; as it is written where that is not JSON. */
export function readKey(written: string): string {
  return written.includes('\\') ? ((parseJson(written) as string | undefined) ?? written) : written.slice(1, -1)
}

const quote = 34
const backslash = 92
