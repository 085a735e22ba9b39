import type { CheckOptions, EnforceOptions, Message } from '@stickler/core'
import type { ChatRequest, UpstreamCall, UpstreamCallOptions } from '../upstreams/upstream.ts'
import { type CallStarter, ChoiceRunner, forOneChoice, type SideListener } from './choice-runner.ts'
import { RunLog } from './run-log.ts'
import type { Target } from './target.ts'

/** What a request asks of the engine. */
export interface JobRequest {
  readonly target: Target
  /** The request as it goes to the upstream, without messages that the engine adds. */
  readonly chat: ChatRequest
  readonly stream: boolean
  readonly context: CheckOptions['context']
  readonly requestId: string
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly keepText: boolean
}

/** One choice of a job: its runner, its log, and what the engine is given. */
export interface Choice {
  readonly index: number
  readonly runner: ChoiceRunner
  readonly log: RunLog
  readonly options: EnforceOptions
}

/** Prepares the choices of a request; nothing is sent before one of them is run. */
export function prepareChoices(
  request: JobRequest,
  onSide?: (choice: number) => SideListener,
  onEvent?: EnforceOptions['onEvent'],
): Choice[] {
  const { target, chat } = request
  const count = chat.n ?? 1
  const starter = startCalls(request, count)
  return Array.from({ length: count }, (_, index) => {
    const log = new RunLog(request.keepText)
    const runner = new ChoiceRunner(index, starter, onSide?.(index))
    const listen: EnforceOptions['onEvent'] = onEvent
      ? (event) => {
          log.listen(event)
          onEvent(event)
        }
      : log.listen
    const options: EnforceOptions = {
      contract: target.contract,
      runner,
      prompt: chat.messages,
      context: request.context ?? {},
      ports: target.ports,
      signal: request.signal,
      onEvent: listen ?? log.listen,
      runId: count === 1 ? request.requestId : `${request.requestId}-${index}`,
    }
    return { index, runner, log, options }
  })
}

function startCalls({ target, chat, stream, requestId, signal, headers }: JobRequest, count: number): CallStarter {
  let shared: UpstreamCall | undefined
  const call = (request: ChatRequest, messages: readonly Message[], options: UpstreamCallOptions): UpstreamCall =>
    target.upstream.call({ ...request, messages, stream }, options)
  const common = (given: { readonly timeLeftMs?: number }): Pick<UpstreamCallOptions, 'requestId' | 'headers' | 'timeLeftMs'> => ({
    requestId,
    headers,
    ...(given.timeLeftMs === undefined ? {} : { timeLeftMs: given.timeLeftMs }),
  })
  return {
    first(messages, options) {
      // Several choices share the call: one of them being over must not end it for the others.
      shared ??= call(chat, messages, { ...common(options), signal: count === 1 ? options.signal : signal })
      return shared
    },
    again: (messages, options) => call(forOneChoice(chat), messages, { ...common(options), signal: options.signal }),
  }
}
