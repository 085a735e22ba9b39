import { createHash } from 'node:crypto'
import type { Clock, Message, Outcome } from '@stickler/core'
import { contentText, isFields } from '@stickler/core/internal'
import { type Continuation, findOnce } from '@stickler/core/internal/relay'
import { inTime } from './budgets/optional-work.ts'

/** Stores the sessions of commands between requests; both methods may reject when the store cannot be reached. */
export interface SessionKeeper {
  /** Takes the session of a key, so that no two requests resume the same one. */
  take(key: string): Promise<string | undefined>
  keep(key: string, session: string): Promise<void>
}

/** A keeper that never delays an answer for long: a session that is read too late is not resumed, one that is stored late is still valid. */
export function patientKeeper({ take, keep }: SessionKeeper, clock: Clock): SessionKeeper {
  return {
    take: (key) => inTime(take(key), 'the session was not read', clock),
    keep: (key, session) => inTime(keep(key, session), 'the session was not saved', clock),
  }
}

/** The owner of a conversation: all of it must match for a session to be resumed. */
export interface ConversationNames {
  /** Name of the client's key. */
  readonly owner: string
  /** The session that the client named. */
  readonly session: string
  readonly model: string
  readonly contract: string
}

/** A client's conversation, and the command sessions that have seen it. */
export class Conversation {
  readonly #names: ConversationNames
  readonly #keeper: SessionKeeper

  constructor(names: ConversationNames, keeper: SessionKeeper) {
    this.#names = names
    this.#keeper = keeper
  }

  /** What a request may continue: a session that has seen exactly the client's messages up to the last answer. */
  continuation(messages: readonly Message[]): Continuation {
    const seen = messages.findLastIndex(({ role }) => role === 'assistant') + 1
    const isContinued = seen > 0 && seen < messages.length
    return {
      take: findOnce(async (place) => {
        if (!isContinued) return undefined
        // Without the store the answer only costs more.
        const session = await this.#keeper.take(this.#key(place, messages.slice(0, seen))).catch(() => undefined)
        return session === undefined ? undefined : { session, messages: messages.slice(seen) }
      }),
    }
  }

  /** Stores the session that has seen the messages and gave the answer, as delivered. */
  async keep(
    place: string,
    session: string,
    messages: readonly Message[],
    { text, toolCalls }: Pick<Outcome, 'text' | 'toolCalls'>,
  ): Promise<void> {
    const calls = toolCalls.map(({ name, arguments: given }) => ({ function: { name, arguments: given } }))
    const answer: Message = { role: 'assistant', content: text, tool_calls: calls }
    await this.#keeper.keep(this.#key(place, [...messages, answer]), session)
  }

  /** A hash: neither names nor texts can be read from it. */
  #key(place: string, messages: readonly Message[]): string {
    const { owner, session, model, contract } = this.#names
    const digest = createHash('sha256').update(JSON.stringify([owner, session, model, contract, place]))
    for (const message of messages) digest.update(JSON.stringify(seenOf(message)))
    return digest.digest('hex')
  }
}

/** The identity of a message: clients add fields to answers, and trim them. */
function seenOf({ role, content, tool_calls: calls }: Message): readonly unknown[] {
  const text = contentText(content)
  const made = Array.isArray(calls) ? calls.map((call) => (isFields(call) && isFields(call.function) ? callOf(call.function) : call)) : []
  return [role, role === 'assistant' ? text.trim() : text, ...made]
}

function callOf({ name, arguments: given }: Record<string, unknown>): readonly unknown[] {
  return [name, given]
}
