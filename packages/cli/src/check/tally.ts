import type { Settled } from '@stickler/core'
import { exitCode } from '../exit-code.ts'

/** Counts what was found, for the exit code and the last words. */
export class Tally {
  #violated = 0
  #unchecked = 0
  #faults = 0

  /** Counts a result; one that may not be delivered counts as a violation, also when it is only unchecked. */
  add({ status, delivered }: Pick<Settled, 'status' | 'delivered'>): void {
    if (status === 'unresolved' || !delivered) this.#violated++
    if (status === 'unchecked') this.#unchecked++
  }

  /** Counts a line that could not be judged. */
  addBadLine(): void {
    this.#violated++
  }

  /** Counts an input that could not be read. */
  addUnreadable(): void {
    this.#faults++
  }

  /** How many answers could not be checked in full. */
  get unchecked(): number {
    return this.#unchecked
  }

  /** The exit code that all results together ask for. */
  get exitCode(): number {
    if (this.#faults > 0) return exitCode.usage
    return this.#violated > 0 ? exitCode.violated : exitCode.ok
  }
}
