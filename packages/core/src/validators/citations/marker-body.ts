import type { TextSpan } from '../../answer/span.ts'
import { readSign, signs } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'

/** How a citation is written: `[^N]`, `[N]` or `【N】`. */
export const citationStyles = ['caret', 'bracket', 'lenticular'] as const

/** One of `caret`, `bracket`, `lenticular`. */
export type CitationStyle = (typeof citationStyles)[number]

/** Why a marker is malformed. */
export type MarkerFault = 'empty' | 'zero' | 'large' | 'body' | 'open' | 'range'

/** The numbers that a body names, or what is wrong with it. */
type MarkerBody = readonly number[] | MarkerFault

const largestNumber = 0xffff_ffff
/** A larger range is not a useful citation. */
const longestRange = 10

const unseen = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** A caret at the start of a body, or behind another bracket in it. */
const caretBehindBracket = /(?:^|\[)[*_~]*(?=\^)/
const emphasis = /^[*_~]+|(?<![*_~])[*_~]+(?=†|$)/g

/** What a renderer shows of a body behind its last bracket: references and escapes are read; emphasis, and what cannot be seen, is left out. */
export function shownBody(written: string): string {
  // Most have nothing that could be a caret or a number.
  if (!/[\^&0-9]/.test(written)) return written
  // An escaped bracket opens nothing.
  const read = new RewrittenText(written, signs, (sign) => (sign[0] === '\\[' ? ' ' : readSign(sign))).plain.replace(unseen, '')
  const found = caretBehindBracket.exec(read)
  const start = found ? found.index + found[0].length : read.lastIndexOf('[') + 1
  return read.slice(start).replace(emphasis, '')
}

/** Reads the body of `[^N]`, which has digits alone. */
export function readCaretBody(body: string): MarkerBody {
  if (!/^[0-9]*$/.test(body)) return 'body'
  return body === '' ? 'empty' : readNumber(body)
}

/** Reads the body of `[1]`, `[1, 2]` or `[1-3]`; undefined when it is not a list of numbers, and so no marker. */
export function readListBody(body: string): MarkerBody | undefined {
  if (!/^[0-9]+(?:(?: ?[,;] ?| ?[-–] ?)[0-9]+)*$/.test(body)) return undefined
  const numbers: number[] = []
  for (const item of body.split(/ ?[,;] ?/)) {
    const read = readItem(item)
    if (typeof read === 'string') return read
    for (const number of read) numbers.push(number)
  }
  return numbers
}

function readItem(item: string): MarkerBody {
  const ends = item.split(/ ?[-–] ?/).map(readNumber)
  const faulty = ends.find((end) => typeof end === 'string')
  if (faulty !== undefined) return faulty
  const [first = 0, last = first, ...more] = ends.flat() as number[]
  if (ends.length === 1) return [first]
  if (more.length > 0 || last <= first || last - first >= longestRange) return 'range'
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function readNumber(digits: string): MarkerBody {
  if (digits.startsWith('0')) return 'zero'
  return digits.length > 10 || Number(digits) > largestNumber ? 'large' : [Number(digits)]
}

/** A well-formed marker. */
export interface Citation {
  /** The number as it is written, from 1. */
  readonly marker: number
  readonly span: TextSpan
  /** Place among the sources, from 0; there need be no such source. */
  readonly sourceIndex: number
}

/** The citation of a number. */
export function citationOf(marker: number, span: TextSpan): Citation {
  return { marker, span, sourceIndex: marker - 1 }
}
