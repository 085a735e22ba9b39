import type { z } from 'zod'
import type { Route } from '../../front/exchange.ts'

/** One path whose bodies are passed on. */
export interface PassingPath {
  /** Behind `/v1` here, and behind the base address there. */
  readonly path: string
  /** What it does, as one sentence in the imperative. */
  readonly summary: string
  /** Answers are what a contract would hold for; data is not. */
  readonly carries: 'answers' | 'data'
  /** Whether a body may be a form, such as one with a file. */
  readonly takesForms?: boolean
  /** How errors are written; as OpenAI does when absent. */
  readonly errors?: NonNullable<Route['errors']>
  /** What such errors look like. */
  readonly errorSchema?: z.ZodType
  /** Headers of clients that belong to the API and are passed on. */
  readonly headers?: readonly string[]
}
