import { closeObject, colon, comma, endOfText, isOpening, JsonWalker, openObject, quote } from './json-walker.ts'
import { escapeLength, numberAt } from './scan.ts'

/** What a text is that JSON.parse refuses: wrong somewhere, or cut off where only closing brackets are missing, or inside of a value. */
export type JsonEnd = 'none' | 'closers' | 'inside' | 'wrong'

/** How a text ends as JSON, and where it is wrong. */
interface JsonFault {
  readonly at: number
  readonly end: JsonEnd
}

/** Whether JSON may begin with a text: with it, or with a text that goes on from it. */
export function mayBeJson(text: string): boolean {
  const { at, end } = scanJson(text)
  // What is last may be the start of a number or an escape.
  return end !== 'wrong' || at + longestToken > text.length
}

/** Longer than what is left open at the end of a text. */
const longestToken = 8

const startOfNumber = /^-?(?:\d+(?:\.\d*)?(?:[eE][+-]?)?)?$/
const literals = ['true', 'false', 'null']
/** Longer than any number that is worth a closer look. */
const longestTail = 400

/** How a text ends as JSON, and where it is wrong; linear, and without recursion. */
export function scanJson(text: string): JsonFault {
  const closers: number[] = []
  const walker = new JsonWalker(text)
  let expected: 'value' | 'item' | 'key' | 'first key' | 'colon' | 'more' = 'value'
  for (let code = walker.next(); code !== endOfText; code = walker.next()) {
    const closer = closers.at(-1)
    const isKey: boolean = expected === 'key' || expected === 'first key'
    if (code === closer && (expected === 'more' || expected === 'item' || expected === 'first key')) {
      closers.pop()
      expected = 'more'
    } else if (expected === 'more' || expected === 'colon') {
      if (expected === 'more' ? code !== comma || closer === undefined : code !== colon) return { at: walker.start, end: 'wrong' }
      expected = expected === 'more' && closer === closeObject ? 'key' : 'value'
    } else if (code === quote) {
      const fault = stringFault(walker)
      if (fault) return fault
      expected = isKey ? 'colon' : 'more'
    } else if (isKey) return { at: walker.start, end: 'wrong' }
    else if (isOpening(code)) {
      // In ASCII, brackets are two apart.
      closers.push(code + 2)
      expected = code === openObject ? 'first key' : 'item'
    } else {
      const fault = wordFault(walker)
      if (fault) return fault
      expected = 'more'
    }
  }
  // A number at the very end may have been cut too: it is reported like missing brackets, and never closed.
  return { at: text.length, end: closers.length === 0 ? 'none' : expected === 'more' ? 'closers' : 'inside' }
}

/** A loop, because a pattern would keep a way back for every escape in a text of megabytes. */
function stringFault({ text, start, end }: JsonWalker): JsonFault | undefined {
  for (let at = start + 1; at < end - 1; at++) {
    const code = text.charCodeAt(at)
    if (code < 32) return { at, end: 'wrong' }
    if (code !== 92) continue
    const length = escapeLength(text, at)
    if (length <= 0) return length < 0 ? { at: text.length, end: 'inside' } : { at, end: 'wrong' }
    at += length - 1
  }
  return end > text.length ? { at: text.length, end: 'inside' } : undefined
}

function wordFault({ text, start, end }: JsonWalker): JsonFault | undefined {
  const literal = literals.find((one) => text.startsWith(one, start))
  numberAt.lastIndex = start
  const at = start + (literal ?? numberAt.exec(text)?.[0] ?? '').length
  if (at === end && at > start) return undefined
  const tail = end < text.length || end - start > longestTail ? undefined : text.slice(start)
  if (tail !== undefined && (startOfNumber.test(tail) || literals.some((one) => one.startsWith(tail))))
    return { at: text.length, end: 'inside' }
  return { at, end: 'wrong' }
}
