/** Thrown when a question to the store cannot be right, such as a cursor that is none. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
}
