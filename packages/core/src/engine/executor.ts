import type { Answer } from '../answer/answer.ts'
import type { Certificate } from '../contract/certificate.ts'
import type { ActiveValidator } from '../contract/configuration/read-checks.ts'
import type { Contract } from '../contract/contract.ts'
import type { Finding, Issue } from '../contract/issue.ts'
import type { AllowedRepairs } from '../contract/validator.ts'
import type { Collected, Report } from './check/report.ts'
import type { RepairResult, RepairTerms } from './repair/repair-result.ts'
import type { StopSignal } from './stop.ts'

/** What surrounds work that is done elsewhere. */
export interface Surroundings {
  /** Given to validators, never to a model. */
  readonly context?: Readonly<Record<string, unknown>>
  /** Signals that the result is no longer needed. */
  readonly signal?: StopSignal
}

/** What a remote repair receives. */
export interface ExecutedRepair extends Surroundings, RepairTerms {
  readonly only?: readonly string[]
}

/** Runs checks and repairs in another place, where a slow one can be ended; what it does not take runs in place. */
export interface Executor {
  /** What the validators find that it takes, by their index in the contract; undefined when it takes none. */
  check(contract: Contract, answer: Answer, around: Surroundings): readonly (Promise<Collected<Finding>> | undefined)[] | undefined
  /** What the repair achieves; undefined when it does not take it. */
  repair(contract: Contract, answer: Answer, report: Report, options: ExecutedRepair): Promise<RepairResult> | undefined
  /** The changes that a validator proposes for its issues; undefined when it does not take it. */
  propose?(
    contract: Contract,
    validator: ActiveValidator,
    answer: Answer,
    issues: readonly Issue[],
    allowed: AllowedRepairs,
    around: Surroundings,
  ): Promise<Collected<Certificate>> | undefined
  /** Whether an answer with so many characters of text is judged elsewhere. */
  takesText(length: number): boolean
  /** Whether a validator's incremental form may run in place. */
  allowsStream(validator: ActiveValidator): boolean
  /** Lets other work run between the slices of a large chunk. */
  pause(): Promise<void>
  /** The same for one caller, whose work takes turns with that of others. */
  for?(caller: string): Executor
}
