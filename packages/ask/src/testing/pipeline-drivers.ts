import { enforce } from '@stickler/core'
import { pipelines } from '@stickler/presets/internal'
import { answered } from '../pipeline/generation.ts'
import { generationNodes } from '../pipeline/generation-nodes.ts'
import { openPipeline } from '../pipeline/open-pipeline.ts'
import type { PipelineOptions } from '../pipeline/options.ts'
import { pipelineNodes } from '../pipeline/pipeline-nodes.ts'
import { preparePipeline } from '../pipeline/prepare.ts'
import { type PipelineRequest, pipelineState } from '../pipeline/request.ts'
import type { NodeTrace } from '../reply/node-trace.ts'
import { graphOf } from './pipeline-graph.ts'

/** The pipeline that tests run. */
export const pipeline = pipelines.avap

/** What every way of running the graph has in common. */
interface Driven {
  readonly answer: string
  readonly type: string
  readonly validation_status: string
  readonly context_relevant: boolean | undefined
  readonly trace: readonly NodeTrace[]
  /** The text as it was streamed. */
  readonly streamed?: readonly string[]
}

type Driver = (options: PipelineOptions, request: PipelineRequest) => Promise<Driven>

/** The ways of running the graph. */
export const drivers: Readonly<Record<'by itself' | 'streamed' | 'prepared, then the engine' | 'as a LangGraph graph', Driver>> = {
  'by itself': async (options, request) => {
    const { answer, type, validation_status, context_relevant, trace } = await openPipeline(options).run(request)
    return { answer, type, validation_status, context_relevant, trace }
  },
  streamed: async (options, request) => {
    const stream = openPipeline(options).stream(request)
    const streamed: string[] = []
    for await (const text of stream) streamed.push(text)
    const { answer, type, validation_status, context_relevant, trace } = await stream.result
    return { answer, type, validation_status, context_relevant, trace, streamed }
  },
  'prepared, then the engine': async ({ runner, parser, onUnvalidated: _, ...options }, request) => {
    const prepared = await preparePipeline(options)(request)
    const { contract, prompt, context, type, context_relevant } = prepared
    const trace = [...prepared.trace]
    const onEvent = generationNodes(prepared, (node) => trace.push(node))
    const ports = parser === undefined ? {} : { parser }
    const signal = request.signal === undefined ? {} : { signal: request.signal }
    const { text, validationStatus = '' } = answered(await enforce({ contract, prompt, context, runner, ports, onEvent, ...signal }))
    return { answer: text, type, validation_status: validationStatus, context_relevant, trace }
  },
  'as a LangGraph graph': async (options, { query, signal, onNode, ...request }) => {
    const graph = graphOf(pipelineNodes({ ...options, ...(onNode === undefined ? {} : { onNode }) })).compile()
    const state = await graph.invoke(pipelineState(query, request), signal === undefined ? {} : { signal })
    const { answer, type, validation_status, context_relevant, trace } = state
    return { answer, type, validation_status, context_relevant: context_relevant ?? undefined, trace }
  },
}
