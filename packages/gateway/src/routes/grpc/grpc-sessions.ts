import type { Clock, Message } from '@stickler/core'
import { utf8Length } from '@stickler/core/internal'

/** Limits on the stored conversations. */
interface SessionLimits {
  /** Questions of one conversation, each with its answer. */
  readonly turns: number
  /** Bytes of one conversation. */
  readonly bytes: number
  /** Conversations of all callers. */
  readonly sessions: number
  /** Milliseconds after its last answer. */
  readonly ms: number
}

/** The gateway's limits. */
const usualSessionLimits: SessionLimits = { turns: 8, bytes: 12 * 1024, sessions: 1000, ms: 30 * 60_000 }

interface Turn {
  readonly question: string
  readonly answer: string
  readonly bytes: number
}

interface Session {
  readonly turns: readonly Turn[]
  readonly until: number
}

/** Stores the last turns of conversations in memory, separately for each caller. */
export class Sessions {
  readonly #limits: SessionLimits
  readonly #clock: Clock
  /** The most recently used is last. */
  readonly #sessions = new Map<string, Session>()

  constructor(clock: Clock, limits = usualSessionLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** The turns before a question, oldest first; none for a question without a session. */
  history(key: string, session: string): readonly Message[] {
    const { turns } = this.#find(key, session) ?? { turns: [] }
    return turns.flatMap(({ question, answer }) => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ])
  }

  /** Stores a delivered answer. */
  add(key: string, session: string, question: string, answer: string): void {
    if (session === '') return
    const { turns: most, bytes: limit, sessions, ms } = this.#limits
    const turn = { question, answer, bytes: utf8Length(question) + utf8Length(answer) }
    const turns = [...(this.#find(key, session)?.turns ?? []), turn].slice(-most)
    let bytes = turns.reduce((sum, one) => sum + one.bytes, 0)
    // Without its beginning a turn would be misunderstood.
    while (bytes > limit) bytes -= turns.shift()?.bytes ?? bytes
    const name = nameOf(key, session)
    this.#sessions.delete(name)
    if (turns.length === 0) return
    this.#sessions.set(name, { turns, until: this.#clock.now() + ms })
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= sessions) break
      this.#sessions.delete(oldest)
    }
  }

  #find(key: string, session: string): Session | undefined {
    if (session === '') return undefined
    const name = nameOf(key, session)
    const found = this.#sessions.get(name)
    if (found === undefined || found.until > this.#clock.now()) return found
    this.#sessions.delete(name)
    return undefined
  }
}

/** Unique for each pair. */
function nameOf(key: string, session: string): string {
  return JSON.stringify([key, session])
}
