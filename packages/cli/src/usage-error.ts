/** Something wrong with the command line or a file it names: one line, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
