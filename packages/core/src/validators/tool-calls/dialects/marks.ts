import { dialects } from './table.ts'

/** Every mark that opens calls, in small letters, longer ones first. */
const opens: readonly string[] = [...new Set(dialects.flatMap((dialect) => dialect.opens.map((mark) => mark.toLowerCase())))].sort(
  (a, b) => b.length - a.length,
)

/** The length of the longest mark that opens calls. */
export const longestMark: number = opens[0]?.length ?? 0

/** What models write after reasoning whose start was part of the prompt. */
const reasoningEnds = [
  ...['</think>', '</thinking>', '</reasoning>', '</thought>', '</mm:think>', '</seed:think>', '[/think]', '◁/think▷'],
  ...['<|end_thinking|>', '<|close|>think<|sep|>', '</ifm|think>', '<channel|>', '<|thought_end|>'],
]

/** Tokens around messages: they are never text that somebody is meant to read. */
const tokens = [
  '<\\|(?:open|close)\\|>(?:response|message|tools|think)<\\|sep\\|>',
  '<\\|channel\\|?>\\w{0,40}\\s?(?:<\\|constrain\\|>\\w{1,40})?(?:<\\|message\\|>)?',
  '<\\|/?[a-z][\\w:]{0,40}\\|>',
  '<｜[^｜<>]{1,40}｜>',
  '</s>|<end_of_turn>',
]

const escaped = (mark: string): string => mark.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const anyOf = (marks: readonly string[]): string => marks.map(escaped).join('|')

/** Finds, one by one, marks that open calls (group 1), those that end reasoning (group 2), and other tokens of models. */
export function markPattern(): RegExp {
  // backtracks: marks and names, of at most 600 characters
  return new RegExp(pattern)
}
// backtracks: marks and names, of at most 600 characters
const pattern = new RegExp(`(${anyOf(opens)})|(${anyOf(reasoningEnds)})|${tokens.join('|')}`, 'gi')

/** An end of reasoning. */
// backtracks: marks and names, of at most 600 characters
export const reasoningEnd: RegExp = new RegExp(anyOf(reasoningEnds), 'i')

/** Finds tokens around messages, one by one. */
export function tokenPattern(): RegExp {
  // backtracks: marks and names, of at most 600 characters
  return new RegExp(tokens.join('|'), 'gi')
}

/** Characters that a mark may begin with. */
export const markStart: RegExp = /[<[\]]/g

/** What a text has at an offset: a mark that opens calls, what may become one, or neither. */
export function markAt(text: string, at: number): 'mark' | 'start' | 'none' {
  const head = text.slice(at, at + headLength).toLowerCase()
  const marks = head.length < headLength ? opens : byHead.get(head)
  if (marks === undefined) return 'none'
  const piece = text.slice(at, at + longestMark).toLowerCase()
  if (marks.some((mark) => piece.startsWith(mark))) return 'mark'
  return piece.length < longestMark && marks.some((mark) => mark.startsWith(piece)) ? 'start' : 'none'
}
const headLength = 4

/** The same for what a stream is held from: tokens around messages go with the calls in them, so that no client sees any. */
export function heldMarkAt(text: string, at: number): 'mark' | 'start' | 'none' {
  return /^<(?:\|[a-z/]|｜[^｜<>])/i.test(text.slice(at, at + 3)) ? 'mark' : markAt(text, at)
}
const byHead = new Map(opens.map((mark) => [mark.slice(0, headLength), opens.filter((one) => one.startsWith(mark.slice(0, headLength)))]))
