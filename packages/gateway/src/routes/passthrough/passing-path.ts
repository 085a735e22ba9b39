import type { z } from 'zod'
import type { Route } from '../../front/exchange.ts'

/** One pass-through path. */
export interface PassingPath {
  /** The path after `/v1` here, and after the base address there. */
  readonly path: string
  /** What it does, as one sentence in the imperative. */
  readonly summary: string
  /** Contracts apply to answers, not to data. */
  readonly carries: 'answers' | 'data'
  /** Whether a body may be a form, such as one with a file. */
  readonly takesForms?: boolean
  /** How errors are written; in OpenAI's format when absent. */
  readonly errors?: NonNullable<Route['errors']>
  /** What such errors look like. */
  readonly errorSchema?: z.ZodType
  /** Client headers of the API that are passed through. */
  readonly headers?: readonly string[]
}
