/**
 * Thrown in a thread for what its host reports as a ConfigurationError: loading that class's
 * package takes longer than most searches.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Throws unless there is no problem. */
export function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Refused(problem)
}
