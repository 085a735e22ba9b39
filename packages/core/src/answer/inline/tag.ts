import type { TextSpan } from '../span.ts'

/** An attribute of a tag; the span is that of its value, empty without one. */
interface TagAttribute extends TextSpan {
  readonly name: string
}

/** A tag as browsers read it. */
export interface Tag {
  /** In lower case. */
  readonly name: string
  readonly attributes: readonly TagAttribute[]
  readonly end: number
  readonly isClosed: boolean
}

/** Where a tag may begin. */
export const tagStart = /<(?=\/?[a-z])/gi

/** Reads the tag at an offset, as browsers do. */
export function readTag(text: string, at: number): Tag {
  const from = text[at + 1] === '/' ? at + 2 : at + 1
  const nameEnd = indexOf(text, from, /[\s/>]/g)
  const name = text.slice(from, nameEnd).toLowerCase()
  const attributes: TagAttribute[] = []
  for (let next = indexOf(text, nameEnd, /[^\s/]/g); ; next = indexOf(text, next, /[^\s/]/g)) {
    if (next >= text.length) return { name, attributes, end: text.length, isClosed: false }
    if (text[next] === '>') return { name, attributes, end: next + 1, isClosed: true }
    // An equals sign begins the name of an attribute.
    const end = indexOf(text, next + 1, /[\s/>=]/g)
    const value = readValue(text, end)
    attributes.push({ name: text.slice(next, end).toLowerCase(), start: value.start, end: value.end })
    next = value.next
  }
}

/** Where the first tag begins, from an offset on, that is not closed; -1 when all are. */
export function openTagIn(text: string, from: number): number {
  tagStart.lastIndex = from
  for (let found = tagStart.exec(text); found !== null; found = tagStart.exec(text)) {
    const { isClosed, end } = readTag(text, found.index)
    if (!isClosed) return found.index
    tagStart.lastIndex = end
  }
  return -1
}

/** The value of an attribute whose name ends at an offset, and where the text goes on. */
function readValue(text: string, from: number): TextSpan & { readonly next: number } {
  const sign = indexOf(text, from, /\S/g)
  if (text[sign] !== '=') return { start: from, end: from, next: from }
  const start = indexOf(text, sign + 1, /\S/g)
  const quote = text[start]
  if (quote !== '"' && quote !== "'") {
    const end = indexOf(text, start, /[\s>]/g)
    return { start, end, next: end }
  }
  const end = text.indexOf(quote, start + 1)
  return end < 0 ? { start: start + 1, end: text.length, next: text.length } : { start: start + 1, end, next: end + 1 }
}

function indexOf(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from
  return stop.exec(text)?.index ?? text.length
}
