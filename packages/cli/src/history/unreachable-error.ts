/** Thrown when a gateway or a database does not answer: the command line is right, what it names is not there. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}
