import type { AnswerReader } from '../../answer/reader.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import { type Clock, systemClock } from '../../contract/ports.ts'
import type { CheckContext } from '../../contract/validator.ts'
import type { Executor } from '../executor.ts'
import type { StopSignal } from '../stop.ts'
import { HeldText } from './held-text.ts'
import { type Doom, Machines } from './machines.ts'
import { type DoomSearch, searchDoom } from './search-doom.ts'
import type { WaitLimit } from './wait-limit.ts'

/** What a chunk brought: text that may be shown now, or the end of a doomed answer. */
export interface StreamStep {
  readonly released: string
  readonly doom?: Doom
}

/** What a chunk brought, when the reason of a doom is still to be found: it is what the search finds, or else `doom`. */
export interface OpenStep extends StreamStep {
  readonly search?: DoomSearch
  /** Whether a verdict is awaited: `settle` before the next chunk. */
  readonly waits?: true
}

/** What surrounds a stream. */
export interface StreamSetting {
  readonly executor?: Executor | undefined
  /** Limits the wait for verdicts, as `stop` does. */
  readonly clock?: Clock
  readonly stop?: StopSignal
}

/** How a stream is released. */
export interface StreamRules {
  readonly release: Contract['policy']['stream']
  /** Whether a failure that a validator knows a repair for can still be repaired at the end. */
  readonly repairs: boolean
  /** Whether a failure ends the stream; otherwise the rest is held and checked as a whole. */
  readonly stops: boolean
  /** Whether a reply that contradicts what was shown follows it as a new paragraph; otherwise it ends the stream. */
  readonly restarts?: boolean
}

const nothingReleased: StreamStep = { released: '' }
const waiting: OpenStep = { released: '', waits: true }

/** Reads a stream once and releases exactly the smallest prefix that every validator calls safe. */
export class VerifiedStream {
  readonly #held = new HeldText()
  readonly #start: () => Machines
  readonly #rules: StreamRules
  readonly #limit: WaitLimit
  /** Absent where text is only passed on or held: what is held to its end need not be read by and by. */
  readonly #machines: Machines | undefined
  #visible = false
  /** A high surrogate at the end of a chunk waits for its other half. */
  #half = ''
  /** Where the last chunk began. */
  #before = 0

  constructor(contract: Contract, context: CheckContext, rules: StreamRules, setting: StreamSetting = {}) {
    const { executor, clock = systemClock, stop } = setting
    this.#start = () => new Machines(contract, context, executor)
    this.#rules = rules
    this.#limit = { clock, timeoutMs: contract.policy.timeoutMs, stop }
    const reads = rules.release === 'verified' || (rules.release === 'hold' && rules.stops)
    this.#machines = reads ? this.#start() : undefined
  }

  /** The reader that has seen all text, when one has. */
  get reader(): AnswerReader | undefined {
    return this.#machines?.reader
  }

  /** All text so far. */
  get text(): string {
    return this.#held.text + this.#half
  }

  /** How many characters there are so far. */
  get length(): number {
    return this.#held.length + this.#half.length
  }

  /** How far the text has been released. */
  get released(): number {
    return this.#held.released
  }

  /** How far the text may be shown as far as all validators but this one are concerned. */
  safeBeside(validator: ActiveValidator): number {
    if (this.#rules.release === 'pass') return this.#held.length
    return this.#rules.release === 'hold' ? 0 : (this.#machines?.safeBeside(validator) ?? 0)
  }

  /** Takes text that has been delivered by an earlier attempt. */
  async resume(delivered: string): Promise<void> {
    this.#read(delivered)
    this.#held.releaseTo(this.#held.length)
    if (this.#machines?.waits) await this.#machines.settle(this.#limit)
  }

  /** Takes the next chunk, and waits for nothing: a check that would have to wait holds the text. */
  push(chunk: string): StreamStep {
    const step = this.take(chunk)
    if (step.search === undefined) return step
    for (;;) {
      const { done, value } = step.search.next()
      if (done) return value === undefined ? { released: '', ...(step.doom ? { doom: step.doom } : {}) } : { released: '', doom: value }
    }
  }

  /** Takes the next chunk, and leaves the search for the reason of a doom to the caller. */
  take(chunk: string): OpenStep {
    const whole = this.#joinSurrogates(chunk)
    if (whole === '') return nothingReleased
    this.#before = this.#held.length
    this.#read(whole)
    return this.#step()
  }

  /** Waits for the verdicts that the last chunk needs, and goes on with what they bring. */
  async settle(): Promise<OpenStep> {
    await this.#machines?.settle(this.#limit)
    return this.#step()
  }

  #step(): OpenStep {
    const doom = this.#rules.stops ? this.#machines?.doom(this.#rules.repairs) : undefined
    // What is doomed already is not shown; why it is may depend on a verdict.
    if (doom) return this.#machines?.waits ? waiting : { released: '', doom, ...this.#search(this.#before) }
    const released = this.#held.releaseTo(this.#safe())
    if (this.#machines?.waits) return { released, waits: true }
    return released === '' ? nothingReleased : { released }
  }

  /** Ends the text: nothing more is released before the verdict. */
  end(): void {
    if (this.#half !== '') this.#read(this.#half)
    this.#half = ''
    this.#machines?.reader.end()
  }

  #read(chunk: string): void {
    this.#visible ||= chunk.trim() !== ''
    this.#held.push(chunk)
    this.#machines?.read(chunk)
  }

  #safe(): number {
    // An answer of white space is no answer, and must not be shown as the start of one.
    if (!this.#visible || this.#rules.release === 'hold') return 0
    if (this.#rules.release === 'pass') return this.#held.length
    return this.#machines?.safe ?? 0
  }

  /** Why the answer is doomed must be the same for every way to cut it into chunks. */
  #search(before: number): Pick<OpenStep, 'search'> {
    if (!this.#machines?.several || this.#held.length - before <= 1) return {}
    return { search: searchDoom(this.#start, this.#held.text, before, this.#rules.repairs, this.#limit) }
  }

  #joinSurrogates(chunk: string): string {
    const text = this.#half === '' ? chunk : this.#half + chunk
    const last = text.charCodeAt(text.length - 1)
    const splits = last >= 0xd800 && last <= 0xdbff
    this.#half = splits ? text.slice(-1) : ''
    return splits ? text.slice(0, -1) : text
  }
}
