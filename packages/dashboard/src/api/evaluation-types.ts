/** Answers by status. */
export type StatusCounts = Readonly<Record<string, number>>

/** A share with the range in which it lies for other answers. */
export interface Interval {
  readonly share: number
  readonly low: number
  readonly high: number
}

/** An evaluation in a list. */
export interface EvaluationEntry {
  readonly id: string
  readonly at: number
  /** A report that is too large is listed without the following. */
  readonly name?: string
  readonly contract?: string
  readonly answers?: number
  readonly statuses?: StatusCounts
}

/** An evaluation that has not ended. */
export interface RunningEvaluation {
  readonly id: string
  /** When it was last heard of. */
  readonly at: number
  readonly status: 'running' | 'stopped'
  readonly name: string
  readonly contract: string
  readonly answers: number
  readonly perSecond: number
  readonly queued?: number
  readonly workers?: number
  readonly share?: number
}

/** A status before and after. */
export interface Flip {
  readonly from: string
  readonly to: string
  readonly rule: string
  readonly answers: number
  readonly examples?: readonly string[]
}

/** A report as `stickler eval` writes it. */
export interface Evaluation extends Required<EvaluationEntry> {
  readonly against?: string
  readonly passed?: number
  readonly intervals?: { readonly passed?: Interval; readonly before?: Interval }
  readonly rules?: readonly { readonly rule: string; readonly answers: number; readonly fixed?: number; readonly warnings?: number }[]
  readonly repairs?: Readonly<Record<string, number>>
  readonly unchecked?: Readonly<Record<string, number>>
  readonly flips?: readonly Flip[]
  readonly comparison?: {
    readonly pairs: number
    readonly matrix: Readonly<Record<string, StatusCounts>>
    readonly changed?: number
    readonly better?: number
    readonly worse?: number
    readonly p?: number
  }
  readonly labels?: {
    readonly good: number
    readonly bad: number
    readonly caught: number
    readonly wronglyBlocked: number
    readonly precision?: number
    readonly recall?: number
  }
  readonly gates?: readonly { readonly gate: string; readonly limit: number; readonly observed?: number; readonly passed: boolean }[]
  readonly models?: readonly { readonly model: string; readonly answers: number; readonly statuses: StatusCounts }[]
  readonly notes?: readonly string[]
  readonly cases?: {
    readonly total: number
    readonly rows: readonly {
      readonly id: string
      readonly file?: string
      readonly line?: number
      readonly model?: string
      readonly label?: string
      readonly text?: string
      readonly before?: { readonly status: string; readonly errors?: readonly string[] }
      readonly after: { readonly status: string; readonly errors?: readonly string[]; readonly repairs?: readonly string[] }
    }[]
  }
}

/** Whether a file is such a report: files beside the store may be anything. */
export function isEvaluation(given: unknown): given is Evaluation {
  if (given === null || typeof given !== 'object') return false
  const report = given as Readonly<Record<string, unknown>>
  const lists = ['rules', 'flips', 'gates', 'models', 'notes']
  const objects = ['intervals', 'comparison', 'labels', 'cases']
  return (
    typeof report.answers === 'number' &&
    isObject(report.statuses) &&
    lists.every((name) => report[name] === undefined || Array.isArray(report[name])) &&
    objects.every((name) => report[name] === undefined || isObject(report[name]))
  )
}

/** Whether a value of a file or a record has fields. */
export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return given !== null && typeof given === 'object' && !Array.isArray(given)
}
