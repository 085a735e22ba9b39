import type { Answer } from '../../answer/answer.ts'
import type { CodeBlock } from '../../answer/outline.ts'
import type { TextSpan } from '../../answer/span.ts'
import { endOfBrackets } from './brackets.ts'

/** Where the JSON of an answer stands. */
export interface JsonPlace {
  /** From the first character of the value to the last one that may belong to it. */
  readonly region: TextSpan
  /** Whether the region is a JSON value, and what stands around it is white space, a fence or prose. */
  readonly valid: boolean
}

/** Only so many brackets in prose are tried, so that time stays linear. */
const mostTries = 32

/** Finds the one JSON value that an answer is or holds: alone, in a fence, or amid prose; undefined when nothing looks like one. */
export function locateJson(answer: Answer): JsonPlace | undefined {
  const body = trimmed(answer.text, { start: answer.bodyStart, end: answer.text.length })
  if (body.start >= body.end) return undefined
  if (isJson(answer.text, body)) return { region: body, valid: true }
  // What begins with a bracket is the value itself, and no prose with a value in it.
  if (isBracket(answer.text, body.start)) return atStart(answer.text, body)
  return inFence(answer) ?? inProse(answer.text, body) ?? alone(answer.text, body)
}

/** Tells whether a part of a text is JSON. */
export function isJson(text: string, { start, end }: TextSpan): boolean {
  // A letter of prose: the parser would say the same with an error, which is dear.
  if (!/[\s"{[\-\dtfn]/.test(text.charAt(start))) return false
  try {
    JSON.parse(text.slice(start, end))
    return true
  } catch {
    return false
  }
}

function isBracket(text: string, at: number): boolean {
  return text.charCodeAt(at) === 123 || text.charCodeAt(at) === 91
}

function atStart(text: string, body: TextSpan): JsonPlace {
  const end = endOfBrackets(text, body.start, body.end)
  const region = { start: body.start, end: end ?? body.end }
  if (end !== undefined && isProse(text.slice(end, body.end), 'behind') && isJson(text, region)) return { region, valid: true }
  return { region: body, valid: false }
}

function inFence(answer: Answer): JsonPlace | undefined {
  const blocks = answer.codeBlocks.filter((block) => block.verbatim && looksLikeJson(block))
  const regions = blocks.map(({ contentSpan }) => trimmed(answer.text, contentSpan))
  const right = regions.find((region) => isJson(answer.text, region))
  if (right) return { region: right, valid: true }
  return regions[0] && { region: regions[0], valid: false }
}

function looksLikeJson({ language, content }: CodeBlock): boolean {
  return /^json/.test(language) || /^\s*[[{]/.test(content)
}

/** A value in brackets between words: the first one that is right, else the first that could be meant. */
function inProse(text: string, body: TextSpan): JsonPlace | undefined {
  let first: TextSpan | undefined
  let at = nextBracket(text, body.start, body.end)
  for (let tries = 0; at >= 0 && tries < mostTries; tries++) {
    const end = endOfBrackets(text, at, body.end)
    const region = { start: at, end: end ?? body.end }
    const holds = end !== undefined && isJson(text, region)
    if (holds && isProse(text.slice(body.start, at), 'before') && isProse(text.slice(region.end, body.end), 'behind'))
      return { region, valid: true }
    if (first === undefined && text[at] === '{') first = { start: at, end: body.end }
    at = nextBracket(text, holds && end !== undefined ? end : at + 1, body.end)
  }
  return first && { region: first, valid: false }
}

function nextBracket(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (isBracket(text, at)) return at
  }
  return -1
}

/** Prose keeps its distance from the value, and has words; anything else around it is a mistake. */
function isProse(text: string, side: 'before' | 'behind'): boolean {
  if (text === '') return true
  const apart = side === 'before' ? /[\s:>]$/.test(text) : /^\s/.test(text)
  return apart && (/\p{L}{2}/u.test(text) || text.trim() === '')
}

/** A value without brackets that is not quite right; a sentence is none. */
function alone(text: string, body: TextSpan): JsonPlace | undefined {
  const piece = text.slice(body.start, Math.min(body.end, body.start + 64))
  const couldBe =
    /^["'“]/.test(piece) ||
    /^(?:-?\d|true|false|null|nul?$|tru?$|fals?$|True|False|None)[^\s]{0,32}\s*,?$/.test(piece) ||
    /^(?:\/\/|\/\*)/.test(piece)
  return couldBe ? { region: body, valid: false } : undefined
}

function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  let from = start
  let to = end
  while (from < to && /\s/.test(text[from] as string)) from++
  while (to > from && /\s/.test(text[to - 1] as string)) to--
  return { start: from, end: to }
}
