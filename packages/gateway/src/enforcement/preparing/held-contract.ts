import type { Contract, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'

/** A contract that answers are held to, with what its checks need. */
export interface HeldContract {
  /** Empty when answers are passed on unenforced. */
  readonly contractName: string
  readonly contract: Contract
  readonly ports: Ports
  /** Judges large answers in another thread. */
  readonly executor: Executor
}
