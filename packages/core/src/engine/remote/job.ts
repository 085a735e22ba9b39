import type { AnswerParts } from '../../answer/answer.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import type { Certificate, RepairClass } from '../../contract/certificate.ts'
import type { Finding, Issue } from '../../contract/issue.ts'
import type { Policy } from '../../contract/policy.ts'
import type { AllowedRepairs } from '../../contract/validator.ts'
import type { Collected, Report } from '../check/report.ts'
import type { DefinitionData } from './definition-data.ts'
import type { PreparedData } from './prepared-data.ts'

/** A check as plain data, from which another thread can build it again. */
export interface CheckData {
  /** What the contract calls it. */
  readonly name: string
  /** The name of the validator, where it is another one. */
  readonly validator?: string
  /** As it was written; absent when only the name was. */
  readonly options?: unknown
  /** Address of the module that exports the validator; absent when it ships with Stickler. */
  readonly module?: string
  /** Set when it only warns. */
  readonly severity?: 'warning'
}

/** An answer as plain data. */
export interface AnswerData extends Omit<AnswerParts, 'reader'> {
  readonly text: string
}

/** Common to every job. */
interface JobBase {
  /** The same number means the same checks. */
  readonly contract: number
  readonly checks: readonly CheckData[]
  readonly policy: Policy
  readonly answer: AnswerData
  readonly context: Readonly<Record<string, unknown>>
  /** What ports are created from, in a format agreed between sender and performer. */
  readonly around: unknown
  /** Whether the values that validators read from answers are wanted. */
  readonly values: boolean
  /** Most changes of a repair that are listed. */
  readonly mostRepairs: number
}

/** Asks what some validators find. */
export interface CheckJob extends JobBase {
  readonly kind: 'check'
  /** Indexes of the checks to run. */
  readonly run: readonly number[]
}

/** Asks for a repair. */
export interface RepairJob extends JobBase {
  readonly kind: 'repair'
  /** Indexes of the checks that take part. */
  readonly run: readonly number[]
  readonly report: Report
  readonly protect?: number
  readonly allow?: readonly RepairClass[]
  readonly lastResort?: boolean
  readonly edits?: 'allowed' | 'secrets'
}

/** Asks for the changes that one validator proposes. */
export interface ProposeJob extends JobBase {
  readonly kind: 'propose'
  /** The index of its check. */
  readonly run: readonly [number]
  readonly issues: readonly Issue[]
  readonly allowed: AllowedRepairs
}

/** Asks what validators a module exports. */
interface DescribeJob {
  readonly kind: 'describe'
  /** As it was written: a path, an address or the name of a package. */
  readonly specifier: string
  /** Address of the file in which it was written. */
  readonly from: string
}

/** Asks for options to be bound. */
export interface PrepareJob {
  readonly kind: 'prepare'
  readonly checks: readonly CheckData[]
}

/** Work on an answer as plain data. */
export type AnswerJob = CheckJob | RepairJob | ProposeJob

/** Work for another thread as plain data. */
export type Job = AnswerJob | DescribeJob | PrepareJob

/** What a repair achieved, without what has not changed. */
export interface RepairData {
  /** Absent when nothing was changed. */
  readonly repaired?: {
    readonly clean: boolean
    readonly text: string
    /** Absent when they are as they were. */
    readonly toolCalls?: readonly ToolCall[]
    readonly report: Report
    readonly certificates: readonly Certificate[]
    readonly fixed: readonly Issue[]
  }
  readonly remaining: readonly Issue[]
}

/** What a module exports, or why it could not be loaded. */
export interface DescribedModule {
  /** The address that the specifier leads to; absent when it leads nowhere. */
  readonly module?: string
  readonly validators: readonly DefinitionData[]
  readonly problems: readonly string[]
  /** Set when it could not be found or loaded. */
  readonly failure?: { readonly code?: string; readonly message: string }
}

/** The result of a job as plain data. */
export type JobResult =
  | { readonly kind: 'check'; readonly collected: readonly Collected<Finding>[] }
  | { readonly kind: 'repair'; readonly repair: RepairData }
  | { readonly kind: 'propose'; readonly proposed: Collected<Certificate> }
  | { readonly kind: 'describe'; readonly described: DescribedModule }
  | { readonly kind: 'prepare'; readonly prepared: readonly PreparedData[] }
