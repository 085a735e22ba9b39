/**
 * Thrown when indexing cannot continue; what was indexed before is kept, and the next run continues
 * from there.
 */
export class IndexingStopped extends Error {
  override readonly name = 'IndexingStopped'
}
