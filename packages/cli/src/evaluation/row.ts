import type { Usage } from '@stickler/core'
import type { Label } from '../recordings/recording.ts'
import type { Verdict } from './verdict.ts'

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
