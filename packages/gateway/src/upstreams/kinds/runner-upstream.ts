import type { Prompt, Runner } from '@stickler/core'
import { abortSignalOf } from '@stickler/core/runners'
import { type ChoiceEvent, choiceEnd, type Endings } from '@stickler/core/wire'
import type { ChatRequest, ProcessNotes, ReplyHead, Upstream, UpstreamCallOptions } from '../upstream.ts'

/** How a runner is called for a request. */
export interface RunnerCall {
  readonly session?: string
  readonly prompt: Prompt
  /** Additional options of the runner. */
  readonly options?: object
}

/** What differs between runners. */
export interface RunnerManner {
  /** The provider of its finish reasons. */
  readonly wire?: Endings['wire']
  /** Resolves how to call it; `note` takes details of its process. */
  prepare?(request: ChatRequest, options: UpstreamCallOptions, note: (process: ProcessNotes) => void): Promise<RunnerCall>
}

/** Makes an upstream of a runner: its text and its calls become one choice; `n` must be 1. */
export function runnerUpstream(name: string, runner: Runner, manner: RunnerManner = {}): Upstream {
  return {
    name,
    call(request, options) {
      const reply: { head: ReplyHead } = { head: { fields: {} } }
      return { choices: [play(runner, request, options, reply, manner)], head: () => reply.head, upstream: () => name }
    },
    close: async () => {},
  }
}

async function* play(
  runner: Runner,
  request: ChatRequest,
  options: UpstreamCallOptions,
  reply: { head: ReplyHead },
  { wire, prepare }: RunnerManner,
): AsyncGenerator<ChoiceEvent> {
  const { signal, timeLeftMs } = options
  const note = (process: ProcessNotes): void => {
    reply.head = { ...reply.head, process }
  }
  const { session, prompt, options: further }: RunnerCall = (await prepare?.(request, options, note)) ?? { prompt: request.messages }
  const pieces: string[] = []
  const own = { signal: abortSignalOf(signal), stream: request.stream === true, ...(timeLeftMs === undefined ? {} : { timeLeftMs }) }
  for await (const event of runner.run(session, prompt, { ...own, ...further })) {
    if (event.type === 'text') {
      pieces.push(event.text)
      yield event
      continue
    }
    const { usage, finishReason, finishMissing, unread, toolCalls = [] } = event
    if (usage !== undefined) reply.head = { ...reply.head, usage, rawUsage: rawUsage(usage) }
    const tool_calls = toolCalls.map(({ id, name, arguments: given }) => ({
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name, arguments: given },
    }))
    const content = pieces.length === 0 && tool_calls.length > 0 ? null : pieces.join('')
    const message = { role: 'assistant', content, ...(tool_calls.length === 0 ? {} : { tool_calls }) }
    const end = choiceEnd(message, finishReason, { always: finishMissing === 'unexpected', wire })
    yield unread === undefined ? end : { ...end, unread }
  }
}

function rawUsage({ promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number }) {
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens }
}
