import { AnswerReader } from '../answer/reader.ts'
import type { Contract } from '../contract/contract.ts'
import type { Issue } from '../contract/issue.ts'
import type { ActiveValidator } from '../contract/read-checks.ts'
import type { CheckContext, IncrementalCheck, Progress } from '../contract/validator.ts'
import { completeIssue } from './check.ts'
import { HeldText } from './held-text.ts'

/** What a chunk brought: text that may be shown now, or the end of a doomed answer. */
export interface StreamStep {
  readonly released: string
  readonly doom?: { readonly at: number; readonly issues: readonly Issue[] }
}

/** How a stream is released. */
export interface StreamRules {
  readonly release: Contract['policy']['stream']
  /** Whether a failure that a validator knows a repair for can still be repaired at the end. */
  readonly repairs: boolean
  /** Whether a failure ends the stream; otherwise the rest is held and checked as a whole. */
  readonly stops: boolean
}

interface Machine {
  readonly validator: ActiveValidator
  /** Absent in a validator that has none, or whose has crashed: it holds the text from there on. */
  check: IncrementalCheck | undefined
  safe: number
  failure?: NonNullable<Progress['failure']>
}

const nothingReleased: StreamStep = { released: '' }

/** Reads a stream once and releases exactly the smallest prefix that every validator calls safe. */
export class VerifiedStream {
  readonly reader = new AnswerReader()
  /** Whether the reader sees all text: it reads only what machines need. */
  readonly readAll: boolean
  readonly #held = new HeldText()
  readonly #machines: Machine[]
  readonly #rules: StreamRules
  #visible = false
  /** Whether a validator has failed; looked at after every chunk. */
  #failed = false
  #leastSafe = 0
  /** A high surrogate at the end of a chunk waits for its other half. */
  #half = ''

  constructor(contract: Contract, context: CheckContext, rules: StreamRules) {
    this.#rules = rules
    // What is held to its end need not be read by and by, unless that spares the rest of a doomed answer.
    this.readAll = rules.release === 'verified' || (rules.release === 'hold' && rules.stops)
    this.#machines = contract.validators.map((validator) => ({
      validator,
      check: this.readAll ? startMachine(validator, context) : undefined,
      safe: 0,
    }))
  }

  /** All text so far. */
  get text(): string {
    return this.#held.text + this.#half
  }

  /** How far the text has been released. */
  get released(): number {
    return this.#held.released
  }

  /** Takes text that has been delivered by an earlier attempt. */
  resume(delivered: string): void {
    this.#read(delivered)
    this.#held.releaseTo(delivered.length)
  }

  /** Takes the next chunk. */
  push(chunk: string): StreamStep {
    const whole = this.#joinSurrogates(chunk)
    if (whole === '') return nothingReleased
    this.#read(whole)
    const doom = this.#failed ? this.#findDoom() : undefined
    if (doom) return { released: '', doom }
    const released = this.#held.releaseTo(this.#safe())
    return released === '' ? nothingReleased : { released }
  }

  /** Ends the text: nothing more is released before the verdict. */
  end(): void {
    if (this.#half !== '') this.#read(this.#half)
    this.#half = ''
    this.reader.end()
  }

  #read(chunk: string): void {
    this.#visible ||= chunk.trim() !== ''
    this.#held.push(chunk)
    if (!this.readAll) return
    this.reader.push(chunk)
    let least = this.#held.length
    for (const machine of this.#machines) {
      if (machine.check !== undefined && machine.failure === undefined) advance(machine, machine.check, chunk, this.reader)
      if (machine.safe < least) least = machine.safe
      if (machine.failure !== undefined) this.#failed = true
    }
    this.#leastSafe = least
  }

  #safe(): number {
    // An answer of white space is no answer, and must not be shown as the start of one.
    if (!this.#visible || this.#rules.release === 'hold') return 0
    if (this.#rules.release === 'pass') return this.#held.length
    return this.#leastSafe
  }

  /** The earliest failure that only the model can mend. */
  #findDoom(): StreamStep['doom'] {
    if (!this.#rules.stops) return undefined
    const failed = this.#machines.filter(({ failure, validator }) => failure && !(this.#rules.repairs && validator.prepared.repair))
    if (failed.length === 0) return undefined
    const at = Math.min(...failed.map(({ failure }) => failure?.at ?? 0))
    const first = failed.filter(({ failure }) => failure?.at === at)
    return {
      at,
      issues: first.flatMap(({ validator, failure }) => (failure?.issues ?? []).map((draft) => completeIssue(validator, draft))),
    }
  }

  #joinSurrogates(chunk: string): string {
    const text = this.#half === '' ? chunk : this.#half + chunk
    const last = text.charCodeAt(text.length - 1)
    const splits = last >= 0xd800 && last <= 0xdbff
    this.#half = splits ? text.slice(-1) : ''
    return splits ? text.slice(0, -1) : text
  }
}

function startMachine(validator: ActiveValidator, context: CheckContext): IncrementalCheck | undefined {
  try {
    return validator.prepared.incremental?.(context)
  } catch {
    // It holds the text to the end, where the whole check tells what is wrong with it.
    return undefined
  }
}

function advance(machine: Machine, check: IncrementalCheck, chunk: string, reader: AnswerReader): void {
  try {
    const { safe, failure } = check.push(chunk, reader)
    if (safe > machine.safe) machine.safe = safe
    if (failure) machine.failure = failure
    if (safe === Number.POSITIVE_INFINITY) machine.check = undefined
  } catch {
    machine.check = undefined
  }
}
