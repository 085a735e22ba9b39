import type { SchemaNode, SchemaResource } from './document.ts'
import { Evaluated } from './evaluated.ts'
import type { Place } from './problem.ts'
import { SchemaError } from './schema-error.ts'

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

/** Where a check stands: its place in the value, and where findings and evaluated keys go. */
export interface Frame {
  readonly run: Run
  readonly place: Place | undefined
  readonly scope: Scope
  /** Undefined while only the verdict is wanted. */
  readonly findings: Finding[] | undefined
  /** Undefined in documents that never ask for it. */
  readonly evaluated: Evaluated | undefined
}

/** One keyword, ready to run. */
export type Check = (value: unknown, frame: Frame) => boolean

/** Evaluates a schema at a place; what it calls in turn. */
export type Evaluate = (node: SchemaNode, value: unknown, frame: Frame) => boolean

/** Levels of schemas within schemas that one check may go down. */
const deepest = 600

/** The budget of one check, and the verdicts that it need not reach twice. */
export class Run {
  /** Most findings that are reported. */
  readonly limit: number
  #steps: number
  #depth = 0
  readonly #verdicts = new Map<SchemaNode, WeakMap<object, boolean>>()

  constructor(steps: number, limit: number) {
    this.#steps = steps
    this.limit = limit
  }

  /** Pays for a step; throws a SchemaError when the budget is used up. */
  charge(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new SchemaError('too-costly', 'checking the value against the schema takes too many steps')
  }

  /** Goes one schema down; throws a SchemaError when that is too deep. */
  enter(): void {
    if (++this.#depth > deepest)
      throw new SchemaError('too-costly', 'the schema refers to itself without end, or the value is nested too deeply')
  }

  leave(): void {
    this.#depth--
  }

  /** The verdict over a value that was reached before, or is reached now. */
  remembered(node: SchemaNode, value: unknown, evaluate: () => boolean): boolean {
    if (typeof value !== 'object' || value === null) return evaluate()
    const verdicts = this.#verdicts.get(node) ?? new WeakMap<object, boolean>()
    this.#verdicts.set(node, verdicts)
    const known = verdicts.get(value)
    if (known !== undefined) return known
    const verdict = evaluate()
    verdicts.set(value, verdict)
    return verdict
  }
}

/** Notes what is wrong, when that is wanted. */
export function fail(frame: Frame, keyword: string, params: Readonly<Record<string, unknown>>, value: unknown): false {
  if (frame.findings && frame.findings.length < frame.run.limit) frame.findings.push({ place: frame.place, keyword, params, value })
  return false
}

/** The frame of a key or index inside. */
export function inside(frame: Frame, key: string | number): Frame {
  // Who only wants the verdict need not know where it was reached.
  if (!frame.findings && !frame.evaluated) return frame
  return { ...frame, place: { parent: frame.place, key }, evaluated: frame.evaluated && new Evaluated() }
}

/** The frame of a check whose findings are nobody's business. */
export function quietly(frame: Frame): Frame {
  return frame.findings ? { ...frame, findings: undefined } : frame
}

/** The frame of a check that leaves nothing behind but its verdict. */
export function apart(frame: Frame): Frame {
  return frame.evaluated ? { ...frame, findings: undefined, evaluated: new Evaluated() } : quietly(frame)
}
