import type { Reason } from '@stickler/core/internal'

/**
 * Thrown in a thread for what its host reports as a ConfigurationError: loading that class's
 * package takes longer than most searches.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly codes: Reason['codes']

  constructor({ message, codes }: Reason) {
    super(message)
    this.codes = codes
  }
}

/** Throws unless there is no problem. */
export function refuse(problem: string | Reason | undefined): void {
  if (problem !== undefined) throw new Refused(typeof problem === 'string' ? { message: problem } : problem)
}
