import { AnswerReader } from '../../answer/reader.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Issue, IssueDraft } from '../../contract/issue.ts'
import type { CheckContext, IncrementalCheck, Progress } from '../../contract/validator.ts'
import { completeIssue } from '../check/check.ts'
import type { Executor } from '../executor.ts'

/** Why only the model can correct an answer, and where the error is. */
export interface Doom {
  readonly at: number
  readonly issues: readonly Issue[]
  /** All errors that are certain in the text read so far: more than `issues` when a chunk brought several. */
  readonly known: readonly Issue[]
}

interface Machine {
  readonly validator: ActiveValidator
  /** Absent in a validator that has none, or whose has crashed: it holds the text from there on. */
  check: IncrementalCheck | undefined
  safe: number
  failure?: NonNullable<Progress['failure']>
}

type Failed = Machine & Required<Pick<Machine, 'failure'>>

/** The incremental checks of a contract, side by side on one reading of the text. */
export class Machines {
  readonly reader = new AnswerReader()
  /** How far the text is safe for all of them. */
  safe = 0
  /** Whether more than one of them reads along. */
  readonly several: boolean
  readonly #machines: Machine[]
  #length = 0
  /** Whether a validator has failed; looked at after every chunk. */
  #failed = false

  constructor({ validators }: Contract, context: CheckContext, executor?: Executor) {
    const start = (validator: ActiveValidator) =>
      executor?.allowsStream(validator) === false ? undefined : startMachine(validator, context)
    this.#machines = validators.map((validator) => ({ validator, check: start(validator), safe: 0 }))
    this.several = this.#machines.filter(({ check }) => check !== undefined).length > 1
  }

  /** Reads the next piece of text. */
  read(chunk: string): void {
    this.#length += chunk.length
    this.reader.push(chunk)
    let least = this.#length
    for (const machine of this.#machines) {
      if (machine.check !== undefined && machine.failure === undefined) advance(machine, machine.check, chunk, this.reader)
      if (machine.safe < least) least = machine.safe
      if (machine.failure !== undefined) this.#failed = true
    }
    this.safe = least
  }

  /** The earliest failure that only the model can correct; with `repairs`, none that a repair could still make good. */
  doom(repairs: boolean): Doom | undefined {
    if (!this.#failed) return undefined
    const repairing = repairs ? this.#machines.filter(({ validator }) => validator.prepared.repair) : []
    // What is safe is not repaired either: the text before stays as it is.
    const settled = Math.min(...repairing.map(({ safe }) => safe))
    const failed = this.#machines.filter((machine): machine is Failed => machine.failure !== undefined && !repairing.includes(machine))
    const at = Math.min(...failed.map(({ failure }) => failure.at))
    if (!(at <= settled && at < Number.POSITIVE_INFINITY)) return undefined
    const issues = failed
      .filter(({ failure }) => failure.at === at)
      .flatMap(({ validator, failure }) => complete(validator, failure.issues))
    const known = failed.flatMap(({ validator, failure }) => complete(validator, [...failure.issues, ...(failure.further ?? [])]))
    return { at, issues, known }
  }
}

function complete(validator: ActiveValidator, drafts: readonly IssueDraft[]): Issue[] {
  return drafts.map((draft) => completeIssue(validator, draft))
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
