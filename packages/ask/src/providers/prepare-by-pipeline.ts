import { abortSignalOf, asRunnerFailure, describeFailure, openCancelScope, Stop } from '@stickler/core/runners'
import { auditPipeline } from '../audit/audit-pipeline.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import { passagesFit, promptExcess } from '../question/passage-limits.ts'
import type { QuestionParts } from '../question/question-parts.ts'
import type { AskRequest } from '../question/request.ts'
import type { NodeTrace } from '../reply/node-trace.ts'
import { type AskRefused, failureReply, limitReply, unavailableReply } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { lateVerdict } from '../spending/cost-guard.ts'
import type { AskPipeline } from './ask-pipeline.ts'
import type { EarlyEnd } from './early-end.ts'
import { partsOf } from './pipeline-parts.ts'
import { PreparingCalls } from './preparing-calls.ts'

/** A preparation that ended without a question, with its audit data. */
export interface Unprepared {
  readonly reply: AskRefused
  readonly end: EarlyEnd
}

/** Whether a request goes through the pipeline, where there is one. */
export function isPiped({ type, sources }: AskRequest): boolean {
  return type !== undefined || sources === undefined
}

/** Takes a request through the pipeline up to its generation, within the time limit of the question. */
export async function prepareByPipeline(
  request: AskRequest,
  elapsed: () => number,
  pipeline: AskPipeline,
  dependencies: AskDependencies,
): Promise<QuestionParts | Unprepared> {
  const { limits, clock } = dependencies
  const calls = new PreparingCalls({ request, limits, sourcesBytes: 0, elapsed }, dependencies)
  const nodes: NodeTrace[] = []
  const ended = (reply: AskRefused, kind: string | undefined, status: EarlyEnd['status']): Unprepared => ({
    reply: { ...reply, nodes },
    end: { status, kind, usage: calls.usage, pipeline: wayOf(nodes) },
  })
  const excess = promptExcess(request, limits)
  if (excess !== undefined) return ended(excess, 'limit', 'refused')
  const scope = openCancelScope(abortSignalOf(request.signal ?? new Stop()), clock)
  scope.limit(Math.max(0, limits.timeMs - elapsed()), 'the time limit of the question has passed')
  const onNode = (node: NodeTrace): void => void nodes.push(node)
  try {
    const wishes = { ...wishesOf(request), fits: passagesFit(request, limits), signal: scope.signal, onNode }
    const prepared = await scope.hold(pipeline.prepare(wishes, (provider) => calls.modelOf(provider)))
    if (calls.fault === undefined) return partsOf(request, prepared, pipeline, calls.usage)
    return ended(unavailableReply(calls.fault.error, 'the spending could not be read or saved'), 'unavailable', 'failed')
  } catch (thrown) {
    const failure = describeFailure(asRunnerFailure(thrown))
    // Only the request's own deadline counts as a timeout: slow parts have their own limits, and
    // are skipped.
    if (failure.kind === 'timeout') return ended(limitReply(lateVerdict(limits, elapsed())), 'limit', 'refused')
    return ended(failureReply(failure), failure.kind, 'failed')
  } finally {
    scope.release()
  }
}

function wishesOf({ question, history = [], type, sources }: AskRequest): Pick<PipelineRequest, 'query' | 'history' | 'type' | 'sources'> {
  return { query: question, history, ...(type === undefined ? {} : { type }), ...(sources === undefined ? {} : { sources }) }
}

/** Summary of a run that ended early. */
function wayOf(nodes: readonly NodeTrace[]): EarlyEnd['pipeline'] {
  const type = nodes.findLast((trace) => trace.type !== undefined)?.type?.is ?? null
  const relevance = nodes.find((trace) => trace.relevance !== undefined)?.relevance
  const known = {
    type,
    contextRelevant: relevance?.relevant ?? null,
    reformulations: nodes.filter(({ node }) => node === 'reformulate_with_hint').length,
    ...(relevance?.score === undefined ? {} : { relevanceScore: relevance.score }),
  }
  return auditPipeline(known, nodes)
}
