import { endOfMatch, matchAt } from '../../../../answer/span.ts'
import { type ReadForm, readArguments } from './reading.ts'
import { readTags } from './tags.ts'

/** The parts of the head of a message, which come in any order, and the mark before its text. */
const part = /<\|start\|>assistant|<\|channel\|>[a-z]{1,40}|<\|constrain\|>\w{1,40}|to=[\w.:-]{1,200}|json|\s{1,20}/y
const textMark = /<\|message\|>\s*/y
/** So many parts are looked at. */
const mostParts = 14

const recipient = /\bto=([\w.:-]{1,200})/
const people = new Set(['user', 'self', 'assistant', 'all'])
const ending = /\s*(?:<\|(?:call|end|eom|eot|return)\|>)?/y
const openCalls = /<atem:function_calls>\s*/y
const closeCalls = /\s*<\/atem:function_calls>/y
const atem = readTags({ open: '<atem:', end: '>', close: '</atem:' })

/** Whom the message that begins at an offset is for, and where its text starts; undefined when none does. */
export function messageAt(text: string, at: number): { readonly head: string; readonly to: string | undefined } | undefined {
  let end = at
  for (let count = 0; count < mostParts; count++) end = endOfMatch(part, text, end) ?? end
  const mark = matchAt(textMark, text, end)?.[0]
  if (mark === undefined) return undefined
  const head = text.slice(at, end) + mark
  const to = recipient.exec(head)?.[1]
  return { head, to: to === undefined || people.has(to) ? undefined : to }
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
    const end = endOfMatch(closeCalls, text, read.end) ?? read.end
    return { calls: read.calls, end: endOfMatch(ending, text, end) ?? end }
  }
  if (text[start] !== '{') return start >= text.length ? 'cut' : undefined
  return readArguments(text, start, message.to, tools, ending)
}
