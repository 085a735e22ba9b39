import type { Clock, Contract } from '@stickler/core'
import type { RunRecord } from '../records/run/run-record.ts'
import { isInferred, stepIn } from '../records/run/stored-names.ts'
import type { SessionStep } from '../records/store/queries/session-queries.ts'
import { inTime } from './budgets/optional-work.ts'

/** The session state for validators, as `context.session_state`. */
export interface SessionState {
  readonly session: string
  /** The step that was named last; absent before the first. */
  readonly step?: string
  /** Every change of the step, the first first. */
  readonly steps: readonly SessionStep[]
}

/** The known sessions. */
interface SessionStatePorts {
  /** The steps that are stored; those of one key where there are keys. */
  read(session: string, owner: string | undefined): Promise<readonly SessionStep[]>
  readonly clock: Clock
  /** Called when the steps cannot be read in time: the answer is then checked without them. */
  tell(error: unknown): void
}

/**
 * Number of sessions cached in this process, because a run reaches the database a moment after its
 * answer is sent.
 */
const mostSessions = 1000

/** And so many of the last steps of each. */
const mostRecent = 16

/** Returns the state of sessions: what is stored, and what this process has recorded since. */
export class SessionStates {
  readonly #ports: SessionStatePorts
  readonly #recent = new Map<string, readonly SessionStep[]>()

  constructor(ports: SessionStatePorts) {
    this.#ports = ports
  }

  /** Takes a finished run. */
  note({ session, key, facts, at }: RunRecord): void {
    const step = stepIn(facts)
    if (session === undefined || step === undefined) return
    const name = nameOf(session, key)
    const before = this.#recent.get(name) ?? []
    this.#recent.delete(name)
    this.#recent.set(name, [...before, { step, at, ...(isInferred(facts) && { inferred: true as const }) }].slice(-mostRecent))
    if (this.#recent.size > mostSessions)
      for (const oldest of [...this.#recent.keys()].slice(0, mostSessions / 10)) this.#recent.delete(oldest)
  }

  /**
   * The state of a session for a contract that records the step of its answers; undefined for any
   * other.
   */
  of(session: string | undefined, key: string, { declared }: Pick<Contract, 'declared'>): Promise<SessionState | undefined> | undefined {
    return session === undefined || declared?.step === undefined ? undefined : this.#read(session, key)
  }

  async #read(session: string, key: string): Promise<SessionState | undefined> {
    try {
      const read = this.#ports.read(session, key === '' ? undefined : key)
      const steps = [...(await inTime(read, 'the steps of a session were not read', this.#ports.clock))]
      for (const recent of this.#recent.get(nameOf(session, key)) ?? []) {
        const before = steps.at(-1)
        if (before === undefined || (recent.at >= before.at && recent.step !== before.step)) steps.push(recent)
      }
      const step = steps.at(-1)?.step
      return { session, ...(step === undefined ? {} : { step }), steps }
    } catch (error) {
      this.#ports.tell(error)
      return undefined
    }
  }
}

function nameOf(session: string, key: string): string {
  return `${key}\n${session}`
}
