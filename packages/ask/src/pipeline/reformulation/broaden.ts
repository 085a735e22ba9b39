/** A broader wording of a query. */
export function broadened(query: string): string {
  return query
}
