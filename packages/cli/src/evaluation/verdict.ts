import type { Decision, Settled, Usage } from '@stickler/core'
import { statusAsFirst } from '@stickler/core/internal'
import type { Label } from '../recordings/recording.ts'

/** How an answer fares under a contract. */
export type VerdictStatus = Settled['status']

/** What a contract says of one answer: no text of it, so that verdicts are few and can be kept. */
export interface Verdict {
  readonly status: VerdictStatus
  /** Whether the answer would be delivered, if no retry were left. */
  readonly delivered: boolean
  /** Rules whose errors remain, as `validator/CODE`, sorted. */
  readonly errors: readonly string[]
  /** Rules whose errors were repaired. */
  readonly fixed: readonly string[]
  readonly warnings: readonly string[]
  /** Repairs, as `class rule`. */
  readonly repairs: readonly string[]
  /** Validators that could not run, as `validator cause`. */
  readonly unchecked: readonly string[]
  /** What the enforcement loop would do with it as a first attempt. */
  readonly action: Decision['action']
}

/** A verdict as far as it is compared: that of another contract, or of a baseline. */
export type Before = Pick<Verdict, 'status' | 'errors'>

/** One answer and its verdicts. */
export interface Row {
  readonly id: string
  readonly file: string
  readonly line: number
  readonly after: Verdict
  readonly before?: Before
  readonly label?: Label
  readonly model?: string
  readonly usage?: Usage
  /** Only when texts are asked for. */
  readonly text?: string
}

/** A recording that cannot be read under any contract. */
export interface Fault {
  readonly id: string
  readonly file: string
  readonly line: number
  readonly message: string
}

/** What a verdict is made from: a settled answer, or the outcome of a run. */
type Found = Pick<Settled, 'delivered' | 'issues' | 'fixed' | 'repairs' | 'unchecked'> & { readonly status: VerdictStatus }

/** The verdict on an answer. */
export function verdictOf(found: Found, first: Pick<Decision, 'action'>): Verdict {
  const { status, delivered, issues, fixed, repairs, unchecked } = found
  const errors = issues.filter(({ severity }) => severity === 'error')
  return {
    status,
    delivered,
    errors: names(errors.map(ruleOf)),
    fixed: names(fixed.filter(({ severity }) => severity === 'error').map(ruleOf)),
    warnings: names(issues.filter(({ severity }) => severity !== 'error').map(ruleOf)),
    repairs: names(repairs.map(({ class: repairClass, rule }) => `${repairClass} ${rule}`)),
    unchecked: names(unchecked.map(({ validator, cause }) => `${validator} ${cause}`)),
    action: first.action,
  }
}

/** The verdict on an answer as a first attempt, before any repair: as it is recorded for runs. */
export function firstVerdictOf(settled: Settled, first: Decision): Verdict {
  const status = statusAsFirst(settled, first)
  const errors = status === 'unresolved' ? names(settled.found.issues.filter(({ severity }) => severity === 'error').map(ruleOf)) : []
  return { ...verdictOf(settled, first), status, errors }
}

/** Whether an answer passes: it keeps its contract as it is, or by repairs. What could not be checked has not passed. */
export function passes({ status }: Pick<Verdict, 'status'>): boolean {
  return status === 'valid' || status === 'repaired'
}

/** Whether an answer would not reach its reader without another attempt. */
export function blocks({ action }: Pick<Verdict, 'action'>): boolean {
  return action === 'retry' || action === 'give-up'
}

function ruleOf({ validator, code }: { readonly validator: string; readonly code: string }): string {
  return `${validator}/${code}`
}

function names(all: readonly string[]): readonly string[] {
  return all.length < 2 ? all : [...new Set(all)].sort()
}
