import type { CallableTools } from '../notations/callable-tools.ts'
import { dialects } from './table.ts'

/** Every mark that is always the same, in small letters, longer ones first. */
const opens: readonly string[] = [...new Set(dialects.flatMap((dialect) => dialect.opens.map((mark) => mark.toLowerCase())))]
  .filter((mark) => mark !== 'action:' && mark !== '<tool>')
  .sort((a, b) => b.length - a.length)

/** Tags that may have attributes, without their last sign. */
const tags = `(?:${opens.flatMap((mark) => /^(<\w+)>$/.exec(mark)?.[1] ?? []).join('|')})`
const attribute = `\\s{1,9}[\\w:-]{1,40}=(?:"[^"<>]{0,80}"|'[^'<>]{0,80}')`

/** Labels that begin a call: `Action:` alone may begin any sentence. */
const named = [...'action:', '[ \\t]{0,4}', '[\\w.-]{1,64}', '[ \\t]{0,4}', '\\r?', '\\n', '\\r?', '\\n?', ...'action', '[ ]', ...'input:']
const listed = [...'action:', '\\s{0,4}', '`', '`', '`', '[a-z]{0,4}', '\\s{0,9}', '\\[', '\\s{0,9}', '\\{', '\\s{0,20}', ...'"tool_name"']
const labels = `(?<![^\\n])(?:${named.join('')}|${listed.join('')})`

/** The mark of the table that was found, in small letters: without attributes, only the label of a line, and `<tool>` for the tag of any tool. */
export function plainMark(written: string): string {
  const mark = written.toLowerCase()
  if (mark.startsWith('action:')) return 'action:'
  if (/^<\w+>$/.test(mark)) return opens.includes(mark) ? mark : '<tool>'
  return mark.replace(/^(<\w+)\s.*>$/s, '$1>')
}

/** No mark that opens calls is longer, as far as it must be seen. */
export const longestMark = 128

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

/** Finds, one by one, marks that open calls (group 1), those that end reasoning (group 2), other tokens of models, and tags that may have the name of a tool (group 3). */
export function markPattern(): RegExp {
  // backtracks: marks and names, of at most 600 characters
  return new RegExp(pattern)
}
// backtracks: marks and names, of at most 600 characters
const pattern = new RegExp(
  `(${anyOf(opens)}|${tags}(?:${attribute}){1,4}\\s{0,4}>|${labels})|(${anyOf(reasoningEnds)})|${tokens.join('|')}|<(\\w{1,64})>(?=\\s{0,9}[<{])`,
  'gi',
)

/** An end of reasoning. */
// backtracks: marks and names, of at most 600 characters
export const reasoningEnd: RegExp = new RegExp(anyOf(reasoningEnds), 'i')

/** Finds tokens around messages, one by one. */
export function tokenPattern(): RegExp {
  // backtracks: marks and names, of at most 600 characters
  return new RegExp(tokens.join('|'), 'gi')
}

/** Characters that a mark may begin with; a label is at the start of a line. */
export const markStart: RegExp = /[<[\]]|(?<![^\n])a/gi

/** What a text has at an offset: a mark that opens calls, what may become one, or neither. */
export function markAt(text: string, at: number, tools: CallableTools): 'mark' | 'start' | 'none' {
  const head = text.slice(at, at + headLength).toLowerCase()
  const isShort = head.length < headLength
  if (head.startsWith('<') && hasAttribute.test(text.slice(at, at + longestMark))) return 'mark'
  const tag = head.startsWith('<') ? toolTagAt(text.slice(at, at + longestMark), tools.tagNames) : 'none'
  if (tag !== 'none') return tag
  const marks = isShort ? opens : byHead.get(head)
  if (marks === undefined && !'action:'.startsWith(head)) return 'none'
  const piece = text.slice(at, at + longestMark).toLowerCase()
  if (marks?.some((mark) => piece.startsWith(mark))) return 'mark'
  if ('action:'.startsWith(head) && label.test(piece)) return 'mark'
  if (piece.length >= longestMark) return 'none'
  return marks?.some((mark) => mark.startsWith(piece)) || mayBecome.test(piece) ? 'start' : 'none'
}
const headLength = 4

function toolTagAt(piece: string, names: readonly string[]): 'mark' | 'start' | 'none' {
  const [all, name = '', rest, sign] = /^<(\w{1,64})(>\s{0,9}([<{])?)?/.exec(piece) ?? ['']
  if (rest === undefined) return all !== '' && all === piece && names.some((one) => one.startsWith(name)) ? 'start' : 'none'
  if (!names.includes(name)) return 'none'
  return sign === undefined ? (all === piece ? 'start' : 'none') : 'mark'
}
const byHead = new Map(opens.map((mark) => [mark.slice(0, headLength), opens.filter((one) => one.startsWith(mark.slice(0, headLength)))]))

/** Matches what is the beginning of these signs, one after the other. */
const beginningOf = (signs: readonly string[]): string => signs.reduceRight((rest, sign) => `${sign}(?:${rest})?`, '')
const attributeSigns = [tags, '\\s{1,9}', '[\\w:-]{1,40}', '=']
// backtracks: at most 128 characters
const hasAttribute = new RegExp(`^${attributeSigns.join('')}["']`, 'i')
// backtracks: at most 128 characters
const label = new RegExp(`^(?:${named.join('')}|${listed.join('')})`)
// backtracks: at most 128 characters
const mayBecome = new RegExp(`^(?:${[attributeSigns, named, listed].map(beginningOf).join('|')})$`)

/** The same for what a stream is held from: tokens around messages go with the calls in them, so that no client sees any. */
export function heldMarkAt(text: string, at: number, tools: CallableTools): 'mark' | 'start' | 'none' {
  return /^<(?:\|[a-z/]|｜[^｜<>])/i.test(text.slice(at, at + 3)) ? 'mark' : markAt(text, at, tools)
}
