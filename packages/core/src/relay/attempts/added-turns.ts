import type { ChatRequest, ClientRequest } from '../../apis/shared/api.ts'
import type { WireTurns } from '../../apis/shared/wire.ts'
import type { Message } from '../../engine/runner.ts'
import { hasDuplicateKeys } from '../../json/duplicate-keys.ts'

/** The body as sent, unless a provider could read it differently than it was checked here. */
export function soundSource(source: string, body: ClientRequest['body']): string {
  return hasDuplicateKeys(source) ? JSON.stringify(body) : source
}

/** The request of one choice alone. */
export function forOneChoice({ n: _n, best_of: _best, ...request }: ChatRequest): ChatRequest {
  return request
}

/** What the engine added to a request. */
type AddedTurns = Pick<WireTurns, 'instructions' | 'anew' | 'turns'>

/**
 * What the engine added to the messages of a request: rules, feedback before the last user message,
 * or turns at the end; undefined when it is something else.
 */
export function addedTurns(original: readonly Message[], messages: readonly Message[]): AddedTurns | undefined {
  if (messages === original) return nothing
  let added: Omit<AddedTurns, 'turns'> = {}
  const [rules] = isSystem(original[0]) ? [] : messages
  if (rules?.role === 'system' && typeof rules.content === 'string') added = { instructions: rules.content }
  let at = added.instructions === undefined ? 0 : 1
  for (const message of original) {
    const changed = messages[at++]
    if (changed === message) continue
    const name = isSystem(message) ? 'instructions' : 'anew'
    const text = added[name] === undefined ? addedTo(message, changed) : undefined
    if (text === undefined) return undefined
    added = { ...added, [name]: text }
  }
  return { ...added, turns: messages.slice(at) }
}

const nothing: AddedTurns = { turns: [] }

function isSystem(message: Message | undefined): boolean {
  return message?.role === 'system' || message?.role === 'developer'
}

/** The feedback before the content of a message, or the rules after that of a system message, within a changed message. */
function addedTo(message: Message, changed: Message | undefined): string | undefined {
  const { content: before } = message
  const after = changed?.content
  if (Array.isArray(before) && Array.isArray(after)) {
    const part: { readonly text?: unknown } | undefined = after.at(isSystem(message) ? -1 : 0)
    return after.length === before.length + 1 && typeof part?.text === 'string' ? withoutGap(part.text) : undefined
  }
  if (typeof after !== 'string') return undefined
  if (!before) return after
  if (isSystem(message)) return typeof before === 'string' && after.startsWith(before) ? after.slice(before.length + 2) : undefined
  return typeof before === 'string' && after.endsWith(before) ? withoutGap(after.slice(0, after.length - before.length)) : undefined
}

/** The wire puts the same gap between feedback and content. */
function withoutGap(feedback: string): string {
  return feedback.endsWith('\n\n') ? feedback.slice(0, -2) : feedback
}
