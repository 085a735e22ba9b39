import type { Message } from '@stickler/core'
import type { AskModel } from '@stickler/core/validators'
import type { AskSource } from '@stickler/presets/internal'
import type { NodeListener } from '../reply/node-trace.ts'
import { type QueryType, queryTypeProblem } from '../reply/query-type.ts'
import type { Fits } from './fitting.ts'
import type { RelevanceJudge } from './relevance-judge.ts'
import type { PipelineState } from './state.ts'

/** A request to a pipeline. */
export interface PipelineRequest {
  readonly query: string
  /** Previous turns, oldest first; system messages may lead. */
  readonly history?: readonly Message[]
  /** Decides the path through the graph; the classifier does when absent. */
  readonly type?: QueryType
  /** Used in place of retrieval. */
  readonly sources?: readonly AskSource[]
  /**
   * What may be sent: of the retrieved passages, the best that fit are used. All of them when
   * absent.
   */
  readonly fits?: Fits
  readonly signal?: AbortSignal
  /** Called with every node when it has ended; errors it throws are ignored. */
  readonly onNode?: NodeListener
  /** Instead of the pipeline's own, such as models whose calls are billed to this request. */
  readonly classifier?: AskModel
  readonly reformulation?: AskModel
  readonly relevance?: RelevanceJudge
}

/** Thrown for a request that cannot be answered. */
export class PipelineRefusal extends Error {
  override readonly name = 'PipelineRefusal'
  /** The invalid part of the request. */
  readonly param: string

  constructor(param: string, message: string) {
    super(`${param}: ${message}`)
    this.param = param
  }
}

/**
 * The state of a new request; a graph that stores states between requests gets all of it each time.
 * Throws a PipelineRefusal for an empty query or an unknown type.
 */
export function pipelineState(
  query: string,
  request: Pick<PipelineRequest, 'history' | 'type' | 'sources'> = {},
): PipelineState<'unspent'> {
  const { history = [], type, sources } = request
  if (typeof query !== 'string' || query.trim() === '') throw new PipelineRefusal('query', 'must be a non-empty string')
  const problem = type === undefined ? undefined : queryTypeProblem(type)
  if (problem !== undefined) throw new PipelineRefusal('type', problem)
  return {
    query,
    history,
    type: type ?? '',
    search: '',
    chunks: (sources ?? []).map(({ urn, payload }) => ({ urn, text: payload, headings: [], score: 1, ranks: {} })),
    given: sources !== undefined,
    retrievals: 0,
    retriever_failed: '',
    context_relevant: null,
    retry: 'unspent',
    answer: '',
    finish_reason: '',
    verdict: '',
    parser_trace: '',
    parser_feedback: '',
    validation_status: '',
    trace: [],
  }
}
