/** What a pipeline did before an answer was generated, as reported to clients. */
export interface PipelineVerdict {
  readonly name: string
  /** Absent when the request ended before it was known. */
  readonly type?: string
  /** Absent when the passages were not judged. */
  readonly contextRelevant?: boolean
  /** Number of reformulations because the passages were not relevant. */
  readonly reformulations: number
  /** What the answer may cite: source N is the Nth. */
  readonly sources: readonly { readonly urn: string; readonly headings: readonly string[]; readonly text: string; readonly score: number }[]
  /** What was degraded: the retriever, or the name of a node. */
  readonly degraded?: string
}
