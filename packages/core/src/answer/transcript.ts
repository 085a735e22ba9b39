import { readToolCalls, type ToolCall } from './tool-calls.ts'
import { type Fields, field, firstField, isFields, textField } from './tool-shapes/fields.ts'
import { hasSucceeded } from './tool-shapes/tool-result.ts'

/** A call that has been made. */
export interface PastCall {
  readonly name: string
  /** Whether it succeeded; a call whose result is not known has not. */
  readonly ok?: boolean | undefined
}

/** The calls of a conversation, in their order. */
export interface Transcript {
  readonly calls: readonly PastCall[]
  /** Why earlier calls may be missing; absent when they are all here. */
  readonly gap?: string
}

/** Items that only refer to a part of the conversation which the provider keeps. */
const references: ReadonlySet<unknown> = new Set(['item_reference', 'compaction'])

const resultTypes: ReadonlySet<unknown> = new Set(['tool_result', 'tool-result', 'function_call_output', 'custom_tool_call_output'])

/**
 * Reads the calls that were made before an answer, each with its result.
 *
 * From a conversation in the shape of any API, from the body of a request that holds one, or from a list of names or `{name, ok}`.
 */
export function readTranscript(given: unknown): Transcript {
  const reader = new TranscriptReader()
  const entries = Array.isArray(given) ? given : firstField(given, 'messages', 'input', 'contents')?.given
  if (Array.isArray(entries)) for (const entry of entries) reader.take(entry)
  const kept = firstField(given, 'previous_response_id', 'conversation')
  if (kept && kept.given !== null) reader.gap ??= kept.key
  return { calls: reader.calls, ...(reader.gap === undefined ? {} : { gap: reader.gap }) }
}

interface Made {
  readonly name: string
  ok: boolean | undefined
}

class TranscriptReader {
  readonly calls: Made[] = []
  gap: string | undefined
  readonly #byId = new Map<string, Made>()
  /** Calls by name, and how many of them have their result: Gemini answers by name, in the order of the calls. */
  readonly #byName = new Map<string, { readonly calls: Made[]; answered: number }>()

  take(entry: unknown): void {
    if (typeof entry === 'string') this.#add({ name: entry }, undefined)
    if (!isFields(entry) || isPlainTurn(entry)) return
    const type = field(entry, 'type')
    if (references.has(type)) this.gap ??= String(type)
    if (isResult(entry)) this.#settle(entry)
    else for (const call of callsOf(entry)) if (call.name !== '') this.#add(call, ownResult(entry))
    for (const part of partsOf(entry)) if (isResult(part)) this.#settle(part)
  }

  #add({ id, name }: { readonly id?: string; readonly name: string }, ok: boolean | undefined): void {
    const made = { name, ok }
    this.calls.push(made)
    if (id !== undefined) this.#byId.set(id, made)
    const namesakes = this.#byName.get(name)
    if (namesakes) namesakes.calls.push(made)
    else this.#byName.set(name, { calls: [made], answered: 0 })
  }

  #settle(result: Fields): void {
    const answer = field(result, 'functionResponse') ?? result
    const id = firstField(answer, 'tool_call_id', 'call_id', 'tool_use_id', 'toolCallId', 'id')?.given
    const made = (typeof id === 'string' ? this.#byId.get(id) : undefined) ?? this.#nextOf(textField(answer, 'name'))
    if (made) made.ok = hasSucceeded(isFields(answer) ? answer : {})
  }

  #nextOf(name: string): Made | undefined {
    const namesakes = this.#byName.get(name)
    if (namesakes === undefined) return undefined
    while (namesakes.calls[namesakes.answered]?.ok !== undefined) namesakes.answered++
    return namesakes.calls[namesakes.answered]
  }
}

/** Most turns of a conversation are words and nothing else. */
function isPlainTurn({ role, content, tool_calls, function_call }: Fields): boolean {
  return (role === 'user' || role === 'assistant') && typeof content === 'string' && tool_calls === undefined && function_call === undefined
}

/** The author of a message may have a name too, which is not that of a tool. */
function callsOf(entry: Fields): readonly ToolCall[] {
  const { tool_calls: listed, invalid_tool_calls: invalid } = entry
  // Most calls stand here, and need not be looked for.
  if (Array.isArray(listed) && listed.length > 0 && invalid === undefined) return readToolCalls(listed)
  const isMessage = firstField(entry, 'role', 'getType', '_getType') !== undefined
  return readToolCalls(isMessage ? { ...entry, name: undefined } : entry)
}

function isResult(entry: Fields): boolean {
  const role = field(entry, 'role')
  // The AI SDK puts several results into one message.
  if (role === 'tool') return !Array.isArray(field(entry, 'content')) || hasId(entry)
  if (role === 'function' || resultTypes.has(field(entry, 'type')) || field(entry, 'functionResponse') !== undefined) return true
  // LangChain's messages have no role.
  return hasId(entry) && callsOf(entry).length === 0
}

function hasId(entry: Fields): boolean {
  return typeof field(entry, 'tool_call_id') === 'string'
}

function partsOf(entry: Fields): readonly Fields[] {
  const parts = field(entry, 'content') ?? field(entry, 'parts')
  return Array.isArray(parts) ? parts.filter(isFields) : []
}

/** What an entry that is a call itself says of its result. */
function ownResult(entry: Fields): boolean | undefined {
  const ok = field(entry, 'ok')
  if (typeof ok === 'boolean') return ok
  return field(entry, 'result') === undefined ? undefined : hasSucceeded(entry)
}
