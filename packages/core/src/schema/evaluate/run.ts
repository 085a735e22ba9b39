import type { Place } from '../problem.ts'
import type { SchemaResource } from '../read/document.ts'
import { SchemaError } from '../schema-error.ts'
import type { StepBudget } from '../step-budget.ts'
import { Evaluated } from './evaluated.ts'

/** Something wrong that was found, before it is put into words. */
export interface Finding {
  readonly place: Place | undefined
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly value: unknown
}

/** The resources through which a check came, for dynamic references. */
export interface Scope {
  readonly resource: SchemaResource
  readonly outer: Scope | undefined
}

/** The state of a check: its place in the value, and where findings and evaluated keys go. */
export interface Frame {
  readonly run: Run
  readonly place: Place | undefined
  readonly scope: Scope
  /** Undefined while only the verdict is wanted. */
  readonly findings: Finding[] | undefined
  /** Undefined in documents that never ask for it. */
  readonly evaluated: Evaluated | undefined
}

/** One keyword, or all of a schema, ready to run. */
export type Check = (value: unknown, frame: Frame) => boolean

/** Levels of schemas within schemas that one check may go down. */
const deepest = 600

/** Findings that cost nothing, and steps that each further one is worth: all of them are kept. */
const freeFindings = 100
const stepsOfFinding = 16

/** What a schema said of a value: its verdict, what it looked at, and what it found wrong. */
interface Verdict {
  readonly valid: boolean
  readonly evaluated: Evaluated | undefined
  readonly findings: readonly Finding[] | undefined
}

/** The budget of one check, and the verdicts that it need not reach twice. */
export class Run {
  /** Most findings that are reported. */
  readonly limit: number
  /** Whether properties that a schema does not declare are remarked. */
  readonly remarks: boolean
  /** Whether there was something to remark. */
  remarked = false
  readonly #budget: StepBudget
  #depth = 0
  /** Made when they are needed: most checks come to no value twice. */
  #verdicts: Map<Check, Map<unknown, Verdict>> | undefined
  #explained: Map<Check, Map<Place | undefined, Verdict>> | undefined

  constructor(budget: StepBudget, limit: number, remarks = false) {
    this.#budget = budget
    this.limit = limit
    this.remarks = remarks
  }

  /** Pays for a step; throws a SchemaError when the budget is used up. */
  charge(steps: number): void {
    this.#budget.charge(steps)
  }

  /** Goes one schema down and pays for it; throws a SchemaError when that is too deep or too much. */
  enter(): void {
    this.charge(1)
    if (++this.#depth > deepest)
      throw new SchemaError('too-costly', 'the schema refers to itself without end, or the value is nested too deeply')
  }

  leave(): void {
    this.#depth--
  }

  /** Applies a schema to the same value once, however many ways lead to it. */
  once(check: Check, value: unknown, frame: Frame): boolean {
    const known = frame.findings ? this.#explainedBy(check) : this.#reachedBy(check)
    // Findings belong to a place; a verdict alone holds wherever the value is.
    const key = frame.findings ? frame.place : value
    const verdict = known.get(key) ?? reach(check, value, frame)
    known.set(key, verdict)
    this.charge(1)
    if (verdict.valid && verdict.evaluated) this.charge(frame.evaluated?.merge(verdict.evaluated) ?? 0)
    if (verdict.findings) report(frame, verdict.findings)
    return verdict.valid
  }

  #explainedBy(check: Check): Map<Place | undefined, Verdict> {
    this.#explained ??= new Map()
    return at(this.#explained, check)
  }

  #reachedBy(check: Check): Map<unknown, Verdict> {
    this.#verdicts ??= new Map()
    return at(this.#verdicts, check)
  }
}

const plainYes: Verdict = { valid: true, evaluated: undefined, findings: undefined }
const plainNo: Verdict = { valid: false, evaluated: undefined, findings: undefined }

function at<Key>(all: Map<Check, Map<Key, Verdict>>, check: Check): Map<Key, Verdict> {
  const known = all.get(check) ?? new Map<Key, Verdict>()
  all.set(check, known)
  return known
}

/** Applies a schema so that nothing of it counts yet. */
function reach(check: Check, value: unknown, frame: Frame): Verdict {
  if (!frame.findings && !frame.evaluated) return check(value, frame) ? plainYes : plainNo
  const findings = frame.findings && []
  const evaluated = frame.evaluated && new Evaluated()
  return { valid: check(value, { ...frame, findings, evaluated }), evaluated, findings }
}

/** Applies a schema to the same value; what it has looked at counts only when it holds. */
export function apply(check: Check, value: unknown, frame: Frame): boolean {
  if (!frame.evaluated) return check(value, frame)
  const evaluated = new Evaluated()
  const valid = check(value, { ...frame, evaluated })
  if (valid) frame.run.charge(frame.evaluated.merge(evaluated))
  return valid
}

/** Notes what was found wrong, as far as it is wanted. */
export function report(frame: Frame, found: readonly Finding[]): false {
  for (const one of frame.findings ? found : []) if (!isEnough(frame)) frame.findings?.push(one)
  return false
}

/** Notes what is wrong, when that is wanted. */
export function fail(frame: Frame, keyword: string, params: Readonly<Record<string, unknown>>, value: unknown): false {
  if (!frame.findings || frame.findings.length >= frame.run.limit) return false
  if (frame.findings.length >= freeFindings) frame.run.charge(stepsOfFinding)
  frame.findings.push({ place: frame.place, keyword, params, value })
  return false
}

/** Whether searching further would report nothing new. */
export function isEnough({ findings, run }: Frame): boolean {
  return !findings || findings.length >= run.limit
}

/** The frame of a key or index inside. */
export function inside(frame: Frame, key: string | number): Frame {
  // A caller that only wants the verdict does not need the path.
  if (!frame.findings && !frame.evaluated) return frame
  return { ...frame, place: { parent: frame.place, key }, evaluated: frame.evaluated && new Evaluated() }
}

/** The frame of a check whose findings are discarded. */
export function quietly(frame: Frame): Frame {
  return frame.findings ? { ...frame, findings: undefined } : frame
}

/** The frame of a check that returns only its verdict. */
export function apart(frame: Frame): Frame {
  return frame.evaluated ? { ...frame, findings: undefined, evaluated: new Evaluated() } : quietly(frame)
}
