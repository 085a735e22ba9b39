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
export type AddedTurns = Pick<WireTurns, 'instructions' | 'anew' | 'turns'>

/**
 * What the engine added to the messages of a request: rules, feedback before the last user message,
 * or turns at the end; undefined when it is something else.
 */
export function addedTurns(original: readonly Message[], messages: readonly Message[]): AddedTurns | undefined {
  if (messages === original) return nothing
  let added: Omit<AddedTurns, 'turns'> = {}
  let at = 0
  for (const message of original) {
    const rules = messages[at]
    if (rules !== message && added.instructions === undefined && isRules(rules) && messages.length > original.length) {
      added = { ...added, instructions: rules.content }
      at++
    }
    if (messages[at] !== message) {
      const anew = added.anew === undefined ? feedbackBefore(message, messages[at]) : undefined
      if (anew === undefined) return undefined
      added = { ...added, anew }
    }
    at++
  }
  const turns = messages.slice(at)
  const [first, ...rest] = turns
  if (added.instructions === undefined && isRules(first)) return { ...added, instructions: first.content, turns: rest }
  return { ...added, turns }
}

const nothing: AddedTurns = { turns: [] }

function isRules(message: Message | undefined): message is Message & { readonly content: string } {
  return message?.role === 'system' && typeof message.content === 'string'
}

/** The feedback before the content of a message, within another one. */
function feedbackBefore({ content: before }: Message, changed: Message | undefined): string | undefined {
  const after = changed?.content
  if (Array.isArray(before) && Array.isArray(after)) {
    const [first] = after as readonly { readonly text?: unknown }[]
    return after.length === before.length + 1 && typeof first?.text === 'string' ? withoutGap(first.text) : undefined
  }
  if (typeof after !== 'string') return undefined
  if (!before) return after
  return typeof before === 'string' && after.endsWith(before) ? withoutGap(after.slice(0, after.length - before.length)) : undefined
}

/** The wire puts the same gap between feedback and content. */
function withoutGap(feedback: string): string {
  return feedback.endsWith('\n\n') ? feedback.slice(0, -2) : feedback
}
