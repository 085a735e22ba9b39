import { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { ToolCall } from '../../../answer/tool-calls.ts'
import { parseJson } from '../../../json/parse-json.ts'
import { findBlocks } from '../dialects/blocks.ts'
import { markAt, tokenPattern } from '../dialects/marks.ts'
import type { Dialect } from '../dialects/table.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { readCalls } from '../notations/read-calls.ts'

/** Tool calls that the model wrote as text, with the text that they are. */
export interface TextToolCalls {
  readonly calls: readonly ToolCall[]
  readonly span: TextSpan
  /** The name of the dialect that they are written in. */
  readonly dialect: string
  /** Set for calls in marks. */
  readonly marks?: Dialect
  /** Whether they are a fence of their own. */
  readonly isFenced?: boolean
}

/** Whether nothing but white space and tokens is outside of these pieces. */
export function isBlankAround(text: string, from: number, found: readonly { readonly span: TextSpan }[]): boolean {
  const starts = [from, ...found.map(({ span }) => span.end)]
  return starts.every((start, index) => isBlank(text.slice(start, found[index]?.span.start ?? text.length)))
}

/** Whether a text has nothing but white space and tokens around messages. */
export function isBlank(text: string): boolean {
  return text.trim() === '' || text.replace(tokenPattern(), '').trim() === ''
}

/** Reads the content of a fence that is nothing but calls, perhaps in marks. */
export function readFencedCalls(content: string, tools: CallableTools): readonly ToolCall[] | undefined {
  const plain = readCalls(content, tools)
  if (plain || markAt(content.trimStart(), 0, tools) !== 'mark') return plain
  const { blocks } = findBlocks(new Answer(content), tools)
  const isRead = blocks.length > 0 && blocks.every(({ dialect, quotation }) => dialect && quotation === 'none')
  return isRead && isBlankAround(content, 0, blocks) ? blocks.flatMap(({ calls }) => calls) : undefined
}

/** Equal for calls that are the same. */
export function keyOf({ name, arguments: given }: ToolCall): string {
  return `${name}\n${JSON.stringify(parseJson(given)) ?? given}`
}

/** A text without a fence, or the start of one, on its last line: some prompts end with the fence that it closes. Without a token that ends messages, too. */
export function withoutEnd(text: string, isComplete = true): string {
  const last = text.lastIndexOf('<')
  const rest = last > 0 && text.length - last < 300 ? text.slice(last) : ''
  if (rest !== '' && (endToken.test(rest.trimEnd()) || (!isComplete && endTokenStart.test(rest))))
    return withoutEnd(text.slice(0, last), isComplete)
  return withoutClosingFence(text, isComplete)
}

const endToken = /^<(?:\|[\w:]{1,40}\|>|\/s>|end_of_turn>)$/
const endTokenStart = /^<(?:\|[\w:]{0,40}\|?|\/s?|e(?:n(?:d[a-z_]{0,8})?)?)?$/

function withoutClosingFence(text: string, isComplete: boolean): string {
  const { length } = text.trimEnd()
  let start = length
  while (start > 0 && text[start - 1] === '`') start--
  if (start === length || (isComplete && length - start < 3)) return text
  const before = text.slice(0, start)
  return /[\r\n]/.test(before.slice(before.trimEnd().length)) ? before : text
}
