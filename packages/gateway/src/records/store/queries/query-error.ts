/** Thrown for an invalid query, such as a malformed cursor. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
}
