import type { Settled } from '@stickler/core'
import { exitCode } from '../exit-code.ts'
import { count } from '../terminal/text.ts'

/** What may count as a failure besides broken contracts. */
export const failures = ['repaired', 'unchecked', 'warnings'] as const

/** One of `repaired`, `unchecked`, `warnings`. */
export type FailOn = (typeof failures)[number]

/** How many answers had each status. */
export interface Counts {
  valid: number
  repaired: number
  unresolved: number
  unchecked: number
  /** Files that could not be read. */
  faults: number
  /** Files whose repairs were written, and those whose repairs could not be. */
  written: number
  unwritten: number
  failed: number
}

/** Counts results, for the summary and the exit code. */
export class Tally {
  readonly #failOn: ReadonlySet<FailOn>
  readonly #counts: Counts = { valid: 0, repaired: 0, unresolved: 0, unchecked: 0, faults: 0, written: 0, unwritten: 0, failed: 0 }

  constructor(failOn: readonly FailOn[] = []) {
    this.#failOn = new Set(failOn)
  }

  /** Counts a result and returns whether it is a failure; an answer that may not be delivered is one, even if only unchecked. */
  add({ status, delivered, issues }: Pick<Settled, 'status' | 'delivered' | 'issues'>): boolean {
    this.#counts[status]++
    const failed =
      status === 'unresolved' ||
      !delivered ||
      (status === 'repaired' && this.#failOn.has('repaired')) ||
      (status === 'unchecked' && this.#failOn.has('unchecked')) ||
      (this.#failOn.has('warnings') && issues.length > 0)
    if (failed) this.#counts.failed++
    return failed
  }

  /** Counts a line that could not be judged. */
  addBadLine(): void {
    this.#counts.failed++
  }

  /** Counts a file that could not be read. */
  addFault(): void {
    this.#counts.faults++
  }

  /** Counts a file whose repairs were written, or could not be. */
  addFix(written: boolean): void {
    if (written) this.#counts.written++
    else this.#counts.unwritten++
  }

  get counts(): Readonly<Counts> {
    return this.#counts
  }

  /** The exit code for all results. */
  get exitCode(): number {
    if (this.#counts.faults + this.#counts.unwritten > 0) return exitCode.usage
    return this.#counts.failed > 0 ? exitCode.violated : exitCode.ok
  }
}

/** One line about all files: `12 files: 9 valid, 2 repaired (1 written), 1 unresolved`. */
export function describeSummary({ valid, repaired, unresolved, unchecked, faults, written, unwritten }: Readonly<Counts>): string {
  const fixes = [...(written > 0 ? [`${written} written`] : []), ...(unwritten > 0 ? [`${unwritten} not written`] : [])]
  const parts = [
    ...(valid > 0 ? [`${valid} valid`] : []),
    ...(repaired > 0 ? [`${repaired} repaired${fixes.length > 0 ? ` (${fixes.join(', ')})` : ''}`] : []),
    ...(unresolved > 0 ? [`${unresolved} unresolved`] : []),
    ...(unchecked > 0 ? [`${unchecked} unchecked`] : []),
    ...(faults > 0 ? [`${faults} could not be read`] : []),
  ]
  const files = count(valid + repaired + unresolved + unchecked + faults, 'file')
  return parts.length === 0 ? files : `${files}: ${parts.join(', ')}`
}
