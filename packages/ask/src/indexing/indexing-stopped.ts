/** Thrown when indexing cannot go on; what was indexed before is kept, and the next run goes on from there. */
export class IndexingStopped extends Error {
  override readonly name = 'IndexingStopped'
}
