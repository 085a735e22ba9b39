/** A mistake on the command line or in a file it names: printed as one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Thrown when a gateway or a database does not answer, though the command line is valid. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}
