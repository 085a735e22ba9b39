/** The verdict on the answer that a state holds; empty until it was validated. */
export type CodeVerdict = '' | 'VALID' | 'INVALID' | 'UNAVAILABLE'

/** What the nodes of the code path pass on: plain data, so that a graph can store it. */
export interface CodeState {
  /** What the user asked. */
  readonly query: string
  /** The type of the query; the code path is that of `CODE_GENERATION`. */
  readonly type: string
  /** The last answer of the model. */
  readonly answer: string
  /** Why the model stopped, in the provider's own word; empty when it did not say. */
  readonly finish_reason: string
  readonly verdict: CodeVerdict
  /** The parser's trace of the first answer; empty when that is valid. */
  readonly parser_trace: string
  /** What a retry asks with; empty when there is nothing to ask again. */
  readonly parser_feedback: string
  /** `""`, or what the contract's preset declares for invalid code and for code without a verdict. Set when the answer is final. */
  readonly validation_status: string
  /** How often the model was asked again: never more than once. */
  readonly retries: number
}

/** The state of a new request; a graph that keeps states between requests is given all of it each time. */
export function codeState(query: string): CodeState {
  return {
    query,
    type: 'CODE_GENERATION',
    answer: '',
    finish_reason: '',
    verdict: '',
    parser_trace: '',
    parser_feedback: '',
    validation_status: '',
    retries: 0,
  }
}
