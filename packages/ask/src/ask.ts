import type { Clock, Runner, TraceListener } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { type CostLimits, lateBreach, readCostLimits } from '@stickler/presets/internal'
import { answerQuestion } from './answering/answer-question.ts'
import { answerReply } from './answering/answer-reply.ts'
import { type AskPipeline, prepareQuestion } from './answering/prepare-question.ts'
import { type AskRequest, requestFault } from './question/request.ts'
import { lastValue, readSteps } from './reply/read-steps.ts'
import { type AskReply, leftReply, limitReply } from './reply/reply.ts'

/** How questions are answered. */
export interface AskSettings {
  /** The model that answers. */
  readonly runner: Runner
  /** The names of its provider and of the model, for replies. */
  readonly provider?: string
  readonly model?: string
  /** The name of this provider among several; that of the provider when absent. */
  readonly upstream?: string
  /** The pipeline for requests with a type, or without sources; without it both are rejected. */
  readonly pipeline?: AskPipeline
  readonly limits?: Partial<CostLimits>
  /**
   * Whether a stream shows text that is proven safe before the verdict; otherwise nothing is shown
   * before it. When absent, only with the pipeline.
   */
  readonly live?: boolean
  readonly clock?: Clock
  /** Called with the events of the runs. */
  readonly onEvent?: TraceListener
}

/** The released text of an answer, and the reply at its end. */
export interface AskStream extends AsyncIterable<string> {
  /** Settles when the stream has been read to its end, or was abandoned. */
  readonly reply: Promise<AskReply>
}

/** Answers questions over sources, with citations that are checked. */
export interface AskService {
  /** Answers a question. */
  ask(request: AskRequest): Promise<AskReply>
  /** Like `ask`, but yields text as soon as it may be shown: strict answers without a pipeline in one piece. */
  stream(request: AskRequest): AskStream
}

/** Opens a service that answers questions with one model. Throws a ConfigurationError for invalid limits. */
export function openAsk(settings: AskSettings): AskService {
  const limits = readCostLimits(settings.limits ?? {}, ['limits'])
  return {
    ask: (request) => lastValue(answered(request, settings, limits, false)),
    stream(request) {
      const { result, ...text } = readSteps(answered(request, settings, limits, true), async () => leftReply)
      return { reply: result, ...text }
    },
  }
}

/** Answers one question. */
export function ask(options: AskRequest & AskSettings): Promise<AskReply> {
  return openAsk(options).ask(options)
}

async function* answered(
  request: AskRequest,
  settings: AskSettings,
  limits: CostLimits,
  streaming: boolean,
): AsyncGenerator<string, AskReply> {
  const { runner, provider = '', model = '', upstream = provider, pipeline, clock = systemClock, onEvent } = settings
  const fault = requestFault(request, limits, pipeline !== undefined)
  if (fault !== undefined) return fault
  const started = clock.now()
  const elapsed = (): number => Math.floor(clock.now() - started)
  const parts = await prepareQuestion(request, { pipeline, limits, clock, elapsed })
  if ('error' in parts) return parts
  const mode = request.strict === false && parts.rules.cites ? 'lenient' : 'strict'
  const { live: isLive = parts.prepared !== undefined || mode === 'lenient' } = settings
  const { outcome, nodes } = yield* answerQuestion(parts, {
    mode,
    runner,
    stream: !streaming ? 'none' : isLive ? 'live' : 'held',
    timeLeftMs: limits.timeMs - elapsed(),
    ...(request.signal ? { signal: request.signal } : {}),
    clock,
    onEvent,
  })
  if (outcome.failure?.kind === 'deadline') return limitReply(lateBreach(limits, elapsed()))
  const { usage, attempts } = outcome
  const reply = answerReply(outcome, parts, { mode, provider, upstream, model, usage, retryCount: attempts - 1, nodes })
  if (streaming && !isLive && reply.ok) yield reply.envelope.answer
  return reply
}
