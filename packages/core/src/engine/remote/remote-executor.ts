import type { Answer } from '../../answer/answer.ts'
import { errorMessage } from '../../answer/thrown.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Finding, Issue } from '../../contract/issue.ts'
import type { AllowedRepairs } from '../../contract/validator.ts'
import { withoutPrompt } from '../check/check-scope.ts'
import { type Collected, errorsOf, type Report, type Unchecked } from '../check/report.ts'
import type { ExecutedRepair, Executor, Surroundings } from '../executor.ts'
import { unrepaired } from '../repair/conclude.ts'
import type { RepairResult } from '../repair/repair-result.ts'
import type { StopSignal } from '../stop.ts'
import type { AnswerData, AnswerJob, CheckData, CheckJob, JobResult, ProposeJob, RepairData, RepairJob } from './job.ts'
import { type Plan, type Plans, ToolsSizes } from './plan.ts'

/** Why a job has no result: never a verdict on the answer. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  readonly reason: Unchecked['cause']

  constructor(reason: Unchecked['cause'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** An answer is large, too, when its characters times those of the largest tool are more than the threshold times this. */
const charactersOfTool = 2048

/** What an executor in another thread is made with. */
export interface RemoteOptions {
  readonly plans: Plans
  /** Answers with more characters are judged elsewhere. */
  readonly threshold: number
  /** What ports are made from where the job is performed. */
  readonly around?: unknown
  /** Whether the values that validators read from answers are wanted; they can be as large as the answer. */
  readonly values: boolean
  /** Most changes of a repair that are listed; all of them are made. */
  readonly mostRepairs: number
  /** Runs a job remotely when it is the caller's turn; throws a RemoteFailure when there is no result. */
  send(job: AnswerJob, stop: StopSignal | undefined, caller?: string): Promise<JobResult>
  /** Lets other work run. */
  pause(caller?: string): Promise<void>
}

/** An executor that sends large answers, answers to large tools, and every answer for validators from outside, to another thread. */
export class RemoteExecutor implements Executor {
  readonly pause: () => Promise<void>
  readonly #with: RemoteOptions
  readonly #caller: string
  readonly #sizes: ToolsSizes

  constructor(options: RemoteOptions, caller = '', sizes = new ToolsSizes()) {
    this.#with = options
    this.#caller = caller
    this.#sizes = sizes
    const pause = (): Promise<void> => options.pause(caller)
    this.pause = pause
  }

  for(caller: string): RemoteExecutor {
    return new RemoteExecutor(this.#with, caller, this.#sizes)
  }

  check(contract: Contract, answer: Answer, around: Surroundings): readonly (Promise<Collected<Finding>> | undefined)[] | undefined {
    const plan = this.#with.plans.of(contract.validators)
    const isLarge = plan.own.length > 0 && this.#isLarge(answer, around.context)
    if (!isLarge && plan.outside.length === 0) return undefined
    const results: (Promise<Collected<Finding>> | undefined)[] = []
    const ask = (run: readonly number[]): void => {
      const job: CheckJob = { kind: 'check', ...this.#base(contract, plan, answer, run, around.context), run }
      const collected = this.#collect(job, around.signal)
      run.forEach((check, at) => {
        results[plan.places[check] as number] = collected.then((all) => all[at] as Collected<Finding>)
      })
    }
    // One that never ends must not leave the others unchecked.
    for (const index of plan.outside) ask([index])
    if (isLarge) ask(plan.own)
    return results
  }

  repair(contract: Contract, answer: Answer, report: Report, options: ExecutedRepair): Promise<RepairResult> | undefined {
    const plan = this.#with.plans.of(contract.validators)
    const { protect, allow, lastResort, edits, only, context, signal } = options
    const chosen = [...plan.checks.keys()].filter((index) => only?.includes((plan.checks[index] as CheckData).name) ?? true)
    // With validators from outside, only what they propose is asked of their threads: none runs beside another one's.
    const isTaken = plan.complete && !chosen.some((index) => plan.outside.includes(index)) && this.#isLarge(answer, context)
    if (!isTaken) return undefined
    const job: RepairJob = {
      kind: 'repair',
      ...this.#base(contract, plan, answer, chosen, context),
      run: chosen,
      // A repair reads only what is wrong.
      report: { ...report, facts: {} },
      ...(protect === undefined ? {} : { protect }),
      ...(allow === undefined ? {} : { allow }),
      ...(lastResort === undefined ? {} : { lastResort }),
      ...(edits === undefined ? {} : { edits }),
    }
    return this.#repair(job, answer, report, signal)
  }

  propose(
    contract: Contract,
    validator: ActiveValidator,
    answer: Answer,
    issues: readonly Issue[],
    allowed: AllowedRepairs,
    { context, signal }: Surroundings,
  ): Promise<Collected<Certificate>> | undefined {
    const plan = this.#with.plans.of(contract.validators)
    const index = plan.places.indexOf(contract.validators.indexOf(validator))
    if (index < 0 || !(plan.outside.includes(index) || this.#isLarge(answer, context))) return undefined
    const job: ProposeJob = { kind: 'propose', ...this.#base(contract, plan, answer, [index], context), run: [index], issues, allowed }
    return this.#with.send(job, signal, this.#caller).then(
      (result) => (result.kind === 'propose' ? result.proposed : []),
      (error: unknown) => uncheckedOf(validator.name, error),
    )
  }

  takesText(length: number): boolean {
    return length > this.#with.threshold
  }

  allowsStream(validator: ActiveValidator): boolean {
    return !this.#with.plans.isOutside(validator)
  }

  /** A schema costs by itself to be read, and by the value that is checked against it. */
  #isLarge(answer: Answer, context: Surroundings['context'] = {}): boolean {
    const { threshold } = this.#with
    const size = sizeOf(answer)
    if (size > threshold) return true
    if (context.tools === undefined) return false
    const tool = this.#sizes.largest(context.tools)
    return tool * 2 > threshold || size * tool > threshold * charactersOfTool
  }

  #base(contract: Contract, plan: Plan, answer: Answer, run: readonly number[], given: Surroundings['context'] = {}) {
    const { contract: number, checks, places } = plan
    const { around, values, mostRepairs } = this.#with
    const { text, toolCalls, finishReason, finishMissing, unread } = answer
    const isRead = run.some((check) => contract.validators[places[check] as number]?.prepared.readsPrompt)
    const context = isRead || given.prompt === undefined ? given : withoutPrompt(given)
    const data: AnswerData = { text, toolCalls, finishReason, finishMissing, unread }
    return { contract: number, checks, policy: contract.policy, answer: data, context, around, values, mostRepairs }
  }

  async #collect(job: CheckJob, stop: StopSignal | undefined): Promise<readonly Collected<Finding>[]> {
    try {
      const result = await this.#with.send(job, stop, this.#caller)
      if (result.kind === 'check') return result.collected
      throw new RemoteFailure('crash', 'the result is not that of a check')
    } catch (error) {
      return job.run.map((check) => uncheckedOf((job.checks[check] as CheckData).name, error))
    }
  }

  async #repair(job: RepairJob, answer: Answer, before: Report, stop: StopSignal | undefined): Promise<RepairResult> {
    const data = await this.#with.send(job, stop, this.#caller).then(
      (result) => (result.kind === 'repair' ? result.repair : undefined),
      () => undefined,
    )
    return resultOf(data, answer, before)
  }
}

/** A repair without a result has repaired nothing. */
function resultOf(data: RepairData | undefined, answer: Answer, before: Report): RepairResult {
  const { repaired, remaining = errorsOf(before) } = data ?? {}
  if (repaired === undefined) return unrepaired(answer, before, remaining)
  const { clean, text, toolCalls = answer.toolCalls, report, certificates, fixed } = repaired
  return { clean, answer: answer.changed(text, toolCalls), report, certificates, fixed, remaining }
}

function uncheckedOf(validator: string, error: unknown): Unchecked {
  const message = errorMessage(error)
  return { validator, cause: error instanceof RemoteFailure ? error.reason : 'crash', message }
}

function sizeOf({ text, toolCalls }: Answer): number {
  let size = text.length
  for (const call of toolCalls) size += call.name.length + call.arguments.length
  return size
}
