import { enforce, enforceStream, type Outcome, RunnerFailure, type TraceListener } from '@stickler/core'
import { notify } from '@stickler/core/internal'
import type { NodeTrace } from '../reply/node-trace.ts'
import { lastValue, readSteps } from '../reply/read-steps.ts'
import { answered, enforceOptionsFor } from './generation.ts'
import { generationNodes } from './generation-nodes.ts'
import { type GenerationNeeds, type PipelineOptions, readGenerationNeeds } from './options.ts'
import { prepareRequest } from './prepare.ts'
import type { Prepared } from './prepared.ts'
import type { PipelineRequest } from './request.ts'
import { refuseAborted } from './step.ts'

/** The result of a pipeline. */
export interface PipelineResult
  extends Pick<Prepared, 'type' | 'sources' | 'search' | 'context_relevant' | 'reformulations' | 'retriever_failed' | 'trace'> {
  readonly answer: string
  /** `""`, or the contract's value for an answer that stayed invalid or has no verdict. */
  readonly validation_status: string
  /** The engine's result for the answer. */
  readonly outcome: Outcome
}

/** The released text of an answer, and the result at its end. */
export interface PipelineStream extends AsyncIterable<string> {
  /** Settles when the stream has been read to its end, failed or was abandoned. */
  readonly result: Promise<PipelineResult>
}

/** Answers requests through the whole graph. */
export interface Pipeline {
  /** Answers a request; rejects with a RunnerFailure when there is no answer, and with a PipelineRefusal for an empty query. */
  run(request: PipelineRequest): Promise<PipelineResult>
  /** Like `run`, but yields text as soon as it is released: code never before its verdict. */
  stream(request: PipelineRequest): PipelineStream
}

/** Opens a pipeline that generates answers; throws a ConfigurationError for invalid options. */
export function openPipeline(options: PipelineOptions): Pipeline {
  const needs = readGenerationNeeds(options)
  return {
    run: async (request) => lastValue(answer(request, needs, false)),
    stream: (request) => readSteps(answer(request, needs, true), abandoned),
  }
}

async function* answer(request: PipelineRequest, needs: GenerationNeeds, streaming: boolean): AsyncGenerator<string, PipelineResult> {
  const prepared = await prepareRequest(request, needs)
  const trace = [...prepared.trace]
  const onEvent = generationNodes(prepared, (node) => {
    trace.push(node)
    for (const listener of [needs.onNode, request.onNode]) notify(listener, node)
  })
  const outcome = yield* generated(prepared, request, needs, streaming, onEvent)
  refuseAborted(request.signal)
  return resultOf(prepared, answered(outcome), trace, needs)
}

async function* generated(
  prepared: Prepared,
  { signal }: PipelineRequest,
  needs: GenerationNeeds,
  streaming: boolean,
  onEvent: TraceListener,
): AsyncGenerator<string, Outcome> {
  const options = enforceOptionsFor(prepared, needs, signal, onEvent)
  if (!streaming) return await enforce(options)
  const enforced = enforceStream(options)
  yield* enforced
  return await enforced.outcome
}

function resultOf(prepared: Prepared, outcome: Outcome, trace: readonly NodeTrace[], { onUnvalidated }: GenerationNeeds): PipelineResult {
  const { type, sources, search, context_relevant, reformulations, retriever_failed, contract } = prepared
  const validation_status = outcome.validationStatus ?? ''
  if (validation_status === contract.declared?.validationStatus?.unchecked) onUnvalidated()
  return {
    answer: outcome.text,
    type,
    validation_status,
    sources,
    search,
    ...(context_relevant === undefined ? {} : { context_relevant }),
    reformulations,
    ...(retriever_failed === undefined ? {} : { retriever_failed }),
    outcome,
    trace,
  }
}

async function abandoned(): Promise<never> {
  throw new RunnerFailure('aborted', 'the stream was abandoned before its end')
}
