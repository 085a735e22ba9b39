import type { Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { Cli } from '../cli.ts'
import type { ContractChoice } from '../config/choose-contract.ts'
import type { Input } from '../inputs/inputs.ts'
import type { Tally } from '../reports/tally.ts'
import type { ProgressBar } from '../terminal/progress-bar.ts'

/** What to check, and everything needed for it. */
export interface CheckJob {
  readonly cli: Cli
  readonly inputs: readonly Input[]
  readonly choice: ContractChoice
  /** The ports of validators, for the common root or another one. */
  portsFor(root?: string): Ports
  /** Runs validators of plugins; undefined without plugins. */
  executorFor(root?: string): Executor | undefined
  readonly tally: Tally
  readonly progress: ProgressBar
}
