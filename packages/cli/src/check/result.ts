import type { Answer, Settled } from '@stickler/core'
import type { Fix } from './fix/fix.ts'
import type { Proposal } from './proposals.ts'
import type { Secrets } from './secrets.ts'

/** The result for one answer. */
export interface Checked {
  readonly name: string
  readonly answer: Answer
  readonly settled: Settled
  readonly proposals: readonly Proposal[]
  /** What no report may show. */
  readonly secrets: Secrets
}

/** The result for one file, and what was done with it. */
export interface FileResult extends Checked {
  /** The file as it was found; absent for standard input. */
  readonly file?: string
  readonly failed: boolean
  /** Milliseconds that reading and checking took. */
  readonly ms: number
  readonly fix?: Fix
}
