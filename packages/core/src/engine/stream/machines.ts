import type { Answer } from '../../answer/answer.ts'
import { AnswerReader } from '../../answer/reader.ts'
import { allowedRepairs } from '../../contract/allowed-repairs.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Finding, Issue, IssueDraft } from '../../contract/issue.ts'
import type { CheckContext, IncrementalCheck, Progress, StreamContract } from '../../contract/validator.ts'
import { completeIssue } from '../check/check.ts'
import { contextFor } from '../check/check-scope.ts'
import type { Executor } from '../executor.ts'
import { type WaitLimit, waitAtMost } from '../waiting/wait-at-most.ts'

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
  /** The verdict that it waits for. */
  pending?: Promise<Progress> | undefined
  /** How far the text is safe however another repair changes what follows. */
  firm: number
  /** How much had been read when `safe` grew, and what it was then, in turns, as long as another repair may change some of that. */
  readonly readings: number[]
  /** Where those of them begin and end that still count; the room is used again. */
  first: number
  next: number
  /** The last `safe` among them. */
  noted: number
}

type Failed = Machine & Required<Pick<Machine, 'failure'>>

/** The incremental checks of a contract, side by side on one reading of the text. */
export class Machines {
  readonly reader = new AnswerReader()
  /** How far the text is safe for all of them. */
  safe = 0
  /** Whether one of them waits for a verdict: `settle` before more is read. */
  waits = false
  /** Whether more than one of them reads along. */
  readonly several: boolean
  readonly #machines: Machine[]
  /** Those of validators whose repairs may change the text. */
  readonly #repairing: readonly Machine[]
  #length = 0
  /** Whether a validator has failed; looked at after every chunk. */
  #failed = false

  constructor({ validators, policy }: Contract, context: CheckContext, executor?: Executor, mayBeLast = true) {
    const repairs = policy.repair !== 'never'
    const allowed = ({ prepared }: ActiveValidator) => allowedRepairs(prepared, policy, { lastResort: mayBeLast })
    const start = (validator: ActiveValidator) => {
      if (executor?.allowsStream(validator) === false) return undefined
      const { usual, now } = allowed(validator)
      return startMachine(validator, context, repairs ? { repairs, allow: usual, allowNow: now } : { repairs, allow: [], allowNow: [] })
    }
    // What only warns holds nothing.
    const judging = validators.filter(({ severity }) => severity !== 'warning')
    this.#machines = judging.map((validator) => ({
      validator,
      check: start(validator),
      safe: 0,
      firm: 0,
      readings: [],
      first: 0,
      next: 0,
      noted: 0,
    }))
    const changes = ({ validator }: Machine) => validator.prepared.repair !== undefined && allowed(validator).now.length > 0
    this.#repairing = repairs ? this.#machines.filter(changes) : []
    this.several = this.#machines.filter(({ check }) => check !== undefined).length > 1
  }

  /** Reads the next piece of text. */
  read(chunk: string): void {
    this.#length += chunk.length
    this.reader.push(chunk)
    if (this.waits) this.#abandon()
    let least = this.#length
    for (const machine of this.#machines) {
      if (machine.check !== undefined && machine.failure === undefined) advance(machine, machine.check, chunk, this.reader)
      if (machine.safe < least) least = machine.safe
      if (machine.failure !== undefined) this.#failed = true
      if (machine.pending !== undefined) this.waits = true
    }
    this.safe = this.#repairing.length > 1 ? Math.min(least, this.#firm()) : least
  }

  /** Waits for the verdicts that are pending, as long as the time limit and the run allow. */
  async settle(limit: WaitLimit): Promise<void> {
    await waitAtMost(Promise.all(this.#machines.map(follow)), limit, () => {})
    this.#abandon()
    let least = this.#length
    for (const machine of this.#machines) {
      if (machine.safe < least) least = machine.safe
      if (machine.failure !== undefined) this.#failed = true
    }
    this.safe = this.#repairing.length > 1 ? Math.min(least, this.#firm()) : least
  }

  /** How far the text is safe for all that may change it: each has judged by text that another one may still change. */
  #firm(): number {
    let first = Number.POSITIVE_INFINITY
    let second = first
    for (const { safe } of this.#repairing) {
      if (safe < second) second = Math.max(first, safe)
      if (safe < first) first = safe
    }
    let least = this.#length
    for (const machine of this.#repairing) {
      if (machine.safe !== machine.noted) {
        machine.noted = machine.safe
        machine.readings[machine.next++] = this.#length
        machine.readings[machine.next++] = machine.safe
      }
      settle(machine, machine.safe === first ? second : first)
      if (machine.firm < least) least = machine.firm
    }
    return least
  }

  /** How far the text is safe for all others. */
  safeBeside(validator: ActiveValidator): number {
    return this.#machines.reduce(
      (least, machine) => (machine.validator === validator ? least : Math.min(least, machine.safe)),
      this.#length,
    )
  }

  /** What a validator finds in an answer whose text has been read; undefined when only its check can tell. */
  end({ prepared }: ActiveValidator, answer: Answer): readonly Finding[] | undefined {
    const machine = this.#machines.find(({ validator }) => validator.prepared === prepared)
    const { check, failure, pending } = machine ?? {}
    if (machine === undefined || check?.end === undefined || failure || pending || answer.text.length !== this.#length) return undefined
    machine.check = undefined
    return check.end(answer)
  }

  /** Gives up on verdicts that are still pending: who waits for them holds the text. */
  #abandon(): void {
    for (const machine of this.#machines) if (machine.pending !== undefined) stopReading(machine)
    this.waits = false
  }

  /** The earliest failure that only the model can correct; with `repairs`, none that a repair could still make good. */
  doom(repairs: boolean): Doom | undefined {
    if (!this.#failed) return undefined
    const repairing = repairs ? this.#machines.filter(({ validator, failure }) => validator.prepared.repair && failure?.final !== true) : []
    // What is safe is not repaired either: the text before stays as it is.
    const settled = Math.min(...repairing.map(({ safe }) => safe))
    const failed = this.#machines.filter((machine): machine is Failed => machine.failure !== undefined && !repairing.includes(machine))
    const at = Math.min(...failed.map(({ failure }) => failure.at))
    if (!(at <= settled && at < Number.POSITIVE_INFINITY)) return undefined
    const issues = failed
      .filter(({ failure }) => failure.at === at)
      .flatMap(({ validator, failure }) => complete(validator, failure.issues))
    const isLast = ({ validator, failure }: Failed): boolean => validator.prepared.repair !== undefined && failure.final !== true
    const ordered = [...failed.filter((machine) => !isLast(machine)), ...failed.filter(isLast)]
    const known = ordered.flatMap(({ validator, failure }) => complete(validator, toCorrect(failure, repairs)))
    return { at, issues, known }
  }
}

/** So many numbers that no longer count may precede the others: to drop each at once would move all of them with every piece of text. */
const mostSettled = 64

/** Takes the readings up to where no other repair changes the text any more. */
function settle(machine: Machine, end: number): void {
  const { readings } = machine
  while (machine.first < machine.next && (readings[machine.first] as number) <= end) {
    machine.firm = readings[machine.first + 1] as number
    machine.first += 2
  }
  if (machine.first < machine.next && machine.first < mostSettled) return
  readings.copyWithin(0, machine.first, machine.next)
  machine.next -= machine.first
  machine.first = 0
}

/** What the model has to correct; what a repair would correct comes last. */
function toCorrect({ issues, further = [], repairable }: Failed['failure'], repairs: boolean): readonly IssueDraft[] {
  if (repairable === undefined) return [...issues, ...further]
  return repairs ? further : [...further, ...issues]
}

function complete(validator: ActiveValidator, drafts: readonly IssueDraft[]): Issue[] {
  return drafts.map((draft) => completeIssue(validator, draft))
}

/** Starts the incremental form of a validator, when it has one. */
export function startMachine(validator: ActiveValidator, context: CheckContext, told: StreamContract): IncrementalCheck | undefined {
  try {
    return validator.prepared.incremental?.(contextFor(validator.prepared, context), told)
  } catch {
    // It holds the text to the end, where the whole check tells what is wrong with it.
    return undefined
  }
}

function advance(machine: Machine, check: IncrementalCheck, chunk: string, reader: AnswerReader): void {
  try {
    note(machine, check.push(chunk, reader))
  } catch {
    machine.check = undefined
  }
}

function note(machine: Machine, { safe, failure, pending }: Progress): void {
  if (safe > machine.safe) machine.safe = safe
  if (failure) machine.failure = failure
  else if (safe === Number.POSITIVE_INFINITY) machine.check = undefined
  else if (pending !== undefined) {
    machine.pending = pending
    // Nobody may wait for it in the end.
    pending.then(undefined, ignore)
  }
}

function ignore(): void {}

/** Takes a machine's verdict when it comes, and the next one that it may wait for then. */
async function follow(machine: Machine): Promise<void> {
  try {
    while (machine.pending !== undefined) {
      const verdict = await machine.pending
      // It may have come too late.
      if (machine.pending === undefined) return
      machine.pending = undefined
      note(machine, verdict)
    }
  } catch {
    stopReading(machine)
  }
}

function stopReading(machine: Machine): void {
  machine.pending = undefined
  machine.check = undefined
}
