/** A mistake on the command line or in a file it names: printed as one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
