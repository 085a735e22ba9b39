import { hasVisible } from './characters.ts'
import { contentText } from './content.ts'
import { nameOfPart, unknownParts } from './parts.ts'
import { readToolCalls, type ToolCall } from './tool-calls.ts'
import { type Fields, field, firstField, isFields, textField } from './tool-shapes/fields.ts'
import { innerMessage } from './tool-shapes/locate.ts'
import { hasSucceeded } from './tool-shapes/tool-result.ts'

/** A call that has been made. */
export interface PastCall {
  readonly name: string
  /** Whether it succeeded; a call whose result is not known has not. */
  readonly ok?: boolean | undefined
  /** The beginning of the text of its result, where it has one. */
  readonly result?: string | undefined
  /** Set when the user has asked something since. */
  readonly earlier?: true | undefined
}

/** The calls of a conversation, in their order. */
interface Transcript {
  readonly calls: readonly PastCall[]
  /** Why earlier calls may be missing; absent when they are all here. */
  readonly gap?: string
  /** The first entry that cannot be read, by its number and what it holds; absent when all can. */
  readonly unread?: string
}

/** Items that only refer to a part of the conversation which the provider keeps. */
const references: ReadonlySet<unknown> = new Set(['item_reference', 'compaction'])

const nameless = 'a call without a name'

const resultTypes =
  /^(?:tool[_-]result|(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call_output|mcp_approval_response|tool_search_output)$/

/**
 * Reads the calls that were made before an answer, each with its result.
 *
 * From a conversation in the shape of any API, from the body of a request that holds one, or from a list of names or `{name, ok}`.
 */
export function readTranscript(given: unknown): Transcript {
  const reader = new TranscriptReader()
  const entries = Array.isArray(given) ? given : conversationIn(given)?.given
  const kept = firstField(given, 'previous_response_id', 'conversation')
  if (Array.isArray(entries)) for (const entry of entries) reader.take(entry)
  else if (!isNothing(given) && kept === undefined && isNothing(entries)) reader.miss([nameOfPart(given)])
  if (kept && kept.given !== null) reader.gap ??= kept.key
  const { calls, gap, unread } = reader
  return { calls, ...(gap === undefined ? {} : { gap }), ...(unread === undefined ? {} : { unread }) }
}

/** The conversation in the body of a request. */
export function conversationIn(request: unknown): ReturnType<typeof firstField> {
  return firstField(request, 'messages', 'input', 'contents')
}

/** The entries of a conversation, for those that may not see what was said in it. */
export function withoutSaid(entries: readonly unknown[]): readonly unknown[] {
  const unsaid = (text: unknown): unknown => (typeof text === 'string' && hasVisible(text) ? '…' : text)
  const part = (given: unknown): unknown => (isFields(given) && 'text' in given ? { ...given, text: unsaid(given.text) } : unsaid(given))
  return entries.map((entry) => {
    if (!isFields(entry) || entry.content === undefined || isResult(entry)) return entry
    return { ...entry, content: Array.isArray(entry.content) ? entry.content.map(part) : unsaid(entry.content) }
  })
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

interface Made {
  readonly name: string
  ok: boolean | undefined
  result?: string
  earlier?: true
}

/** So much of a result is kept: failures are reported in its first words. */
const longestResult = 2_000

class TranscriptReader {
  readonly calls: Made[] = []
  gap: string | undefined
  unread: string | undefined
  #taken = 0
  /** How many calls the user has asked something after. */
  #answered = 0
  /** Calls that a list names: they belong to the question, wherever the conversation is that follows. */
  #listed: Set<Made> | undefined
  #byId: Map<string, Made> | undefined
  /** Calls by name, and how many of them have their result: Gemini answers by name, in the order of the calls. */
  #byName: Map<string, { readonly calls: Made[]; answered: number }> | undefined

  take(given: unknown): void {
    this.#taken++
    if (given === '') this.miss([nameless])
    else if (typeof given === 'string') this.#add({ name: given }, undefined)
    else if (!isFields(given)) this.miss([nameOfPart(given)])
    else {
      if (this.#answered < this.calls.length && isQuestion(given)) this.#closeQuestion()
      if (!isPlainTurn(given)) this.#takeEntry(messageOf(given))
    }
  }

  #closeQuestion(): void {
    for (; this.#answered < this.calls.length; this.#answered++) {
      const call = this.calls[this.#answered] as Made
      if (!this.#listed?.has(call)) call.earlier = true
    }
  }

  /** Remembers the first entry with something in it that cannot be read. */
  miss(parts: readonly string[]): void {
    if (parts.length > 0) this.unread ??= `entry ${Math.max(1, this.#taken)} (${parts.slice(0, 5).join(', ')})`
  }

  #takeEntry(entry: Fields): void {
    const type = field(entry, 'type')
    const isReference = references.has(type)
    if (isReference) this.gap ??= String(type)
    if (isResult(entry)) this.#settle(entry)
    else {
      const calls = callsOf(entry)
      for (const call of calls) {
        if (call.name === '') this.miss([nameless])
        else this.#add(call, ownResult(entry), entry)
      }
      if (!isReference) this.miss(unreadIn(entry, calls.length > 0))
    }
    for (const part of partsOf(entry)) if (isResult(part)) this.#settle(part)
  }

  #add({ id, name }: { readonly id?: string; readonly name: string }, ok: boolean | undefined, entry?: Fields): void {
    const made: Made = { name, ok }
    if (entry?.earlier === true) made.earlier = true
    // Made on first need: most conversations have no calls.
    this.#listed ??= new Set()
    this.#byId ??= new Map()
    this.#byName ??= new Map()
    if (entry === undefined || typeof entry.ok === 'boolean') this.#listed.add(made)
    if (entry?.result !== undefined) keepResult(made, entry.result)
    this.calls.push(made)
    if (id !== undefined) this.#byId.set(id, made)
    const namesakes = this.#byName.get(name)
    if (namesakes) namesakes.calls.push(made)
    else this.#byName.set(name, { calls: [made], answered: 0 })
  }

  #settle(result: Fields): void {
    const answer = firstField(result, 'functionResponse', 'toolResult')?.given ?? result
    const id = firstField(answer, 'tool_call_id', 'call_id', 'approval_request_id', 'tool_use_id', 'toolCallId', 'toolUseId', 'id')?.given
    const made = (typeof id === 'string' ? this.#byId?.get(id) : undefined) ?? this.#nextOf(textField(answer, 'name'))
    if (made === undefined) return
    made.ok = hasSucceeded(isFields(answer) ? answer : {})
    keepResult(made, firstField(answer, 'content', 'output', 'result', 'response')?.given)
  }

  #nextOf(name: string): Made | undefined {
    const namesakes = this.#byName?.get(name)
    if (namesakes === undefined) return undefined
    while (namesakes.calls[namesakes.answered]?.ok !== undefined) namesakes.answered++
    return namesakes.calls[namesakes.answered]
  }
}

function keepResult(made: Made, given: unknown): void {
  const text = typeof given === 'string' ? given : contentText(given)
  if (text !== '') made.result = text.slice(0, longestResult)
}

/** The longest reply to the assistant, such as "Yes, please", that is no question of its own. */
const longestReply = { words: 2, characters: 30 }

/** Each letter counts as a word in scripts without upper case, most of which write no spaces. */
const word = /\p{Lo}|[^\s\p{Lo}]+/gu

/** Whether an entry is a turn in which the user says more than a short reply; results of tools, which some APIs send as the user's, are not words of theirs. */
function isQuestion(entry: Fields): boolean {
  const { role } = entry
  if (role !== 'user' && (role !== undefined || !isHuman(entry))) return false
  const { content, parts } = messageOf(entry)
  const said = [content ?? parts].flat().filter((part) => (isFields(part) ? !isResult(part) : typeof part === 'string'))
  // Pictures and files are no short reply.
  if (said.some((part) => isFields(part) && typeof part.text !== 'string')) return true
  const text = contentText(said)
  return hasVisible(text) && !isShortReply(text)
}

function isShortReply(text: string): boolean {
  if (text.length > longestReply.characters || /[?？؟]/.test(text)) return false
  return (text.match(word)?.length ?? 0) <= longestReply.words
}

/** LangChain's messages have no role, and two forms as JSON. */
function isHuman(entry: Fields): boolean {
  const { type, id } = entry
  return (
    type === 'human' ||
    (Array.isArray(id) && id.at(-1) === 'HumanMessage') ||
    (typeof entry.getType === 'function' && entry.getType() === 'human')
  )
}

/** The keys of turns that are words and nothing else, as most are; any other key may hold a call. */
const plainKeys: ReadonlySet<string> = new Set(['role', 'content', 'name', 'id', 'refusal'])

const plainRoles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

function isPlainTurn(entry: Fields): boolean {
  if (!plainRoles.has(entry.role) || typeof entry.content !== 'string') return false
  for (const key in entry) if (!plainKeys.has(key)) return false
  return true
}

/** A message of LangChain that was written as JSON is one without a role. */
function messageOf(entry: Fields): Fields {
  if (entry.kwargs === undefined && entry.data === undefined) return entry
  const inner = innerMessage(entry).value
  return isFields(inner) && inner !== entry ? { role: '', ...inner } : entry
}

/** What an entry holds that may be a call, and cannot be read. */
function unreadIn(entry: Fields, hasCalls: boolean): readonly string[] {
  const { role, content = entry.parts } = entry
  const isMessage = typeof (role ?? entry.getType ?? entry._getType) !== 'undefined'
  if (!isMessage) return hasCalls || field(entry, 'type') === 'message' ? [] : unknownParts([entry])
  // Older UI messages of the AI SDK.
  if (entry.toolInvocations !== undefined) return ['toolInvocations']
  // No other role makes calls, and the parts of users are of many kinds.
  if (role === 'user' || role === 'system' || role === 'developer' || role === 'tool') return []
  if (isFields(content)) return ['content']
  if (content === undefined && !hasCalls && firstField(entry, 'tool_calls', 'refusal', 'audio') === undefined) return [nameOfPart(entry)]
  return unknownParts(Array.isArray(content) ? content : entry.parts)
}

/** The author of a message may have a name too, which is not that of a tool. */
function callsOf(entry: Fields): readonly ToolCall[] {
  const { tool_calls: listed, invalid_tool_calls: invalid } = entry
  // Most calls are here, and need no search.
  if (Array.isArray(listed) && listed.length > 0 && invalid === undefined) return readToolCalls(listed)
  const isMessage = firstField(entry, 'role', 'getType', '_getType') !== undefined
  return readToolCalls(isMessage ? { ...entry, name: undefined } : entry)
}

function isResult(entry: Fields): boolean {
  const role = field(entry, 'role')
  // The AI SDK puts several results into one message.
  if (role === 'tool') return !Array.isArray(field(entry, 'content')) || hasId(entry)
  if (
    role === 'function' ||
    resultTypes.test(textField(entry, 'type')) ||
    firstField(entry, 'functionResponse', 'toolResult') !== undefined
  )
    return true
  // The AI SDK's UI messages keep the result in the part that holds the call.
  if (textField(entry, 'state').startsWith('output-')) return true
  // LangChain's messages have no role.
  return hasId(entry) && callsOf(entry).length === 0
}

function hasId(entry: Fields): boolean {
  return typeof field(entry, 'tool_call_id') === 'string'
}

function partsOf(entry: Fields): readonly Fields[] {
  const parts = [field(entry, 'content'), field(entry, 'parts')].find(Array.isArray)
  return parts === undefined ? [] : parts.filter(isFields)
}

/** What an entry that is a call itself says of its result. */
function ownResult(entry: Fields): boolean | undefined {
  const ok = field(entry, 'ok')
  if (typeof ok === 'boolean') return ok
  return field(entry, 'result') === undefined ? undefined : hasSucceeded(entry)
}
