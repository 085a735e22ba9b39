import { endOfBrackets } from '../../../../json/scan.ts'
import { calledName, matchAt, type ReadForm } from './reading.ts'
import { readTags } from './tags.ts'

/** The head of a message: its parts in any order, up to the mark before its text. */
const head =
  /\s{0,9}(?:<\|start\|>assistant|<\|channel\|>[a-z]{1,40}|<\|constrain\|>\w{1,40}|\bto=[\w.:-]{1,200}|\s{1,9}|json){0,12}<\|message\|>\s*/y
const recipient = /\bto=([\w.:-]{1,200})/
const people = new Set(['user', 'self', 'assistant', 'all'])
const ending = /\s*(?:<\|(?:call|end|eom|eot|return)\|>)?/y
const openCalls = /<atem:function_calls>\s*/y
const closeCalls = /\s*<\/atem:function_calls>/y
const atem = readTags({ open: '<atem:', end: '>', close: '</atem:' })

/** Whom the message that begins at an offset is for, and where its text starts; undefined when none does. */
export function messageAt(text: string, at: number): { readonly head: string; readonly to: string | undefined } | undefined {
  const found = matchAt(head, text, at)?.[0]
  const to = found && recipient.exec(found)?.[1]
  return found === undefined ? undefined : { head: found, to: to === undefined || people.has(to) ? undefined : to }
}

/** Reads a message that is for a tool. */
export const readMessage: ReadForm = (text, at, tools) => {
  const message = messageAt(text, at)
  if (message?.to === undefined) return undefined
  const start = at + message.head.length
  const opened = matchAt(openCalls, text, start)
  if (opened) {
    const read = atem(text, start + opened[0].length, tools)
    if (typeof read !== 'object') return read
    const end = read.end + (matchAt(closeCalls, text, read.end)?.[0].length ?? 0)
    return { calls: read.calls, end: end + (matchAt(ending, text, end)?.[0].length ?? 0) }
  }
  if (text[start] !== '{') return start >= text.length ? 'cut' : undefined
  const end = endOfBrackets(text, start, text.length)
  if (end === undefined) return 'cut'
  const call = { name: calledName(message.to, tools), arguments: text.slice(start, end) }
  return { calls: [call], end: end + (matchAt(ending, text, end)?.[0].length ?? 0) }
}
