import type { Prompt, Runner } from '@stickler/core'
import { abortSignalOf } from '@stickler/core/internal'
import { type ChatRequest, type ChoiceEvent, choiceEnd, DroppedFields, type Endings } from '@stickler/core/internal/apis'
import type { ProcessNotes, ReplyHead, UpstreamCallOptions } from '@stickler/core/internal/relay'
import type { Upstream } from '../upstream.ts'

/** The options of one call of a runner. */
interface RunnerCall {
  readonly session?: string
  readonly prompt: Prompt
  /** Additional options of the runner. */
  readonly options?: object
}

/** The differences between runners. */
interface RunnerManner {
  /** The provider whose finish reasons it uses. */
  readonly wire?: Endings['wire']
  /** The fields of a request that it reads, when the others are reported as dropped. */
  readonly reads?: ReadonlySet<string>
  /** Resolves how to call it; `note` takes details of its process. */
  prepare?(request: ChatRequest, options: UpstreamCallOptions, note: (process: ProcessNotes) => void): Promise<RunnerCall>
}

/** Makes an upstream of a runner: its text and its calls become one choice; `n` must be 1. */
export function runnerUpstream(name: string, runner: Runner, manner: RunnerManner = {}): Upstream {
  return {
    name,
    call(request, options) {
      const reply: { head: ReplyHead } = { head: { asked: request.model, fields: {}, ...droppedOf(request, manner.reads) } }
      return { choices: [play(runner, request, options, reply, manner)], head: () => reply.head, upstream: () => name }
    },
    close: async () => {},
  }
}

function droppedOf(request: ChatRequest, reads: ReadonlySet<string> | undefined): Pick<ReplyHead, 'dropped'> {
  if (reads === undefined) return {}
  const noted = new DroppedFields()
  noted.dropOthers(request, reads)
  return noted.dropped.length === 0 ? {} : { dropped: noted.dropped }
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
  const common = { signal: abortSignalOf(signal), stream: request.stream === true, ...(timeLeftMs === undefined ? {} : { timeLeftMs }) }
  for await (const event of runner.run(session, prompt, { ...common, ...further })) {
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
    // The common word is not the provider's own, so each API writes its own word.
    const own = finishReason === 'stop' ? undefined : wire
    const end = choiceEnd(message, finishReason, { always: finishMissing === 'unexpected', wire: own })
    yield unread === undefined ? end : { ...end, unread }
  }
}

function rawUsage({ promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number }) {
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens }
}
