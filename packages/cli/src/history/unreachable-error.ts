/** Thrown when a gateway or a database does not answer, though the command line is valid. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}
