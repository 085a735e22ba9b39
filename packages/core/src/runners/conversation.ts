import { isHighSurrogate, isLowSurrogate } from '../answer/characters.ts'
import { type Fields, isFields } from '../answer/tool-shapes/fields.ts'
import type { ContinueOptions, Message, Prompt, RejectedCalls } from '../engine/runner.ts'
import { parseJson } from '../json/parse-json.ts'

/** How much of a rejected answer is shown to the model again by default. */
export const defaultEchoLimit = 8000

/** Gives any prompt the shape of a conversation. */
export function asMessages(prompt: Prompt): readonly Message[] {
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : (prompt as readonly Message[])
}

/** What a retry shows of a rejected answer. */
type Rejected = Pick<ContinueOptions, 'rejected' | 'rejectedCalls'>

/**
 * The conversation of a retry for runners that keep no sessions: what was asked at first, and the turns that follow it.
 * Earlier retries are left out, so its size does not grow with their number.
 */
export function retryMessages(
  feedback: string,
  { original, ...rejected }: Pick<ContinueOptions, 'original'> & Rejected,
  echoLimit: number = defaultEchoLimit,
): readonly Message[] {
  return [...asMessages(original), ...retryTurns(feedback, rejected, echoLimit)]
}

/** The rejected answer and the feedback; after calls, each is followed by what is said in the place of its result. */
export function retryTurns(
  feedback: string,
  { rejected, rejectedCalls }: Rejected,
  echoLimit: number = defaultEchoLimit,
): readonly Message[] {
  if (rejectedCalls === undefined) {
    const echo = clampMiddle(rejected, echoLimit)
    return [...(echo === '' ? [] : [{ role: 'assistant', content: echo }]), { role: 'user', content: feedback }]
  }
  const { calls, rest, message = {} } = rejectedCalls
  const echo = clampMiddle(rejected, Math.ceil(echoLimit / 2))
  const room = Math.floor((echoLimit - echo.length) / calls.length)
  const ids = distinctIds(calls)
  const { extra_content: extras, api: _api, parts: _parts, ...thoughts } = message
  const extra = Array.isArray(extras) && extras.length === calls.length ? extras : []
  const made = calls.map((call, at) => ({ ...(extra[at] && { extra_content: extra[at] }), ...writtenCall(call, ids[at] as string, room) }))
  return [
    { role: 'assistant', content: echo.trim() === '' ? null : echo, ...thoughts, tool_calls: made },
    // Some providers refuse a turn of the user that follows results.
    ...calls.map(({ error }, at) =>
      failedResult(ids[at] as string, rest !== '' && at === calls.length - 1 ? `${error}\n\n${rest}` : error),
    ),
  ]
}

/** What of a message with calls must come back beside them: some models refuse calls without the reasoning that led to them, or without their signatures. */
export function neededBack({ reasoning_content, reasoning_details, thinking_blocks, tool_calls }: Fields): Fields | undefined {
  const calls = Array.isArray(tool_calls) ? tool_calls.map((call) => (isFields(call) ? call.extra_content : undefined)) : []
  const extra_content = calls.some((extra) => extra !== undefined) ? calls : undefined
  const entries = Object.entries({ reasoning_content, reasoning_details, thinking_blocks, extra_content })
  const found = entries.filter(([, value]) => value !== undefined && value !== null)
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** A result that says what is wrong; as text, since chat completions know no failed results, and marked for APIs that do. */
function failedResult(id: string, content: string): Message {
  return Object.defineProperty({ role: 'tool', tool_call_id: id, content }, 'is_error', { value: true })
}

/** The ids of the model where they are of use; others are made, in the form of which all providers approve. */
function distinctIds(calls: RejectedCalls['calls']): readonly string[] {
  const taken = new Set(calls.flatMap(({ id }) => id ?? []))
  const used = new Set<string>()
  let made = 0
  return calls.map(({ id }) => {
    let own = id ?? ''
    if (!/^[!-~]{1,64}$/.test(own) || used.has(own))
      do own = `call${String(++made).padStart(5, '0')}`
      while (taken.has(own))
    used.add(own)
    return own
  })
}

/** A call as the model made it, but with a name and arguments that providers take. */
function writtenCall({ name, arguments: given, kind }: RejectedCalls['calls'][number], id: string, room: number): Fields {
  const called = name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown'
  const value = given.length <= room ? parseJson(given) : undefined
  if (kind === 'custom') {
    const input = isFields(value) && typeof value.input === 'string' ? value.input : clampMiddle(given, room)
    return { id, type: 'custom', custom: { name: called, input } }
  }
  const written = isFields(value)
    ? given
    : given.trim() === ''
      ? '{}'
      : JSON.stringify({ arguments: clampMiddle(given, room).replace(/\p{Cc}/gu, ' ') })
  return { id, type: 'function', function: { name: called, arguments: written } }
}

/** Cuts the middle out of a text that is longer than `limit`, and says so in its place. */
export function clampMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = limit - mark(text.length).length
  if (room < 2) return text.slice(0, wholeBefore(text, limit))
  const head = wholeBefore(text, Math.ceil(room / 2))
  const tail = wholeAfter(text, text.length - Math.floor(room / 2))
  return text.slice(0, head) + mark(tail - head) + text.slice(tail)
}

function mark(count: number): string {
  return `\n[… ${count} characters left out …]\n`
}

function wholeBefore(text: string, index: number): number {
  return isInsidePair(text, index) ? index - 1 : index
}

function wholeAfter(text: string, index: number): number {
  return isInsidePair(text, index) ? index + 1 : index
}

function isInsidePair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index - 1)) && isLowSurrogate(text.charCodeAt(index))
}
