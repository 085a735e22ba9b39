import type { Prompt, Runner } from '@stickler/core'
import { abortSignalOf } from '@stickler/core/runners'
import { choiceEnd, type Endings } from './choice-end.ts'
import type { ChatRequest, ChoiceEvent, ReplyHead, Upstream, UpstreamCallOptions } from './upstream.ts'

/** Makes an upstream of a runner: its text and its calls become one choice; `n` must be 1. `wire` says whose finish reasons it passes on. */
export function runnerUpstream(name: string, runner: Runner, wire?: Endings['wire']): Upstream {
  return {
    name,
    call(request, options) {
      const reply: { head: ReplyHead } = { head: { fields: {} } }
      return { choices: [play(runner, request, options, reply, wire)], head: () => reply.head, upstream: () => name }
    },
    close: async () => {},
  }
}

async function* play(
  runner: Runner,
  request: ChatRequest,
  { signal, timeLeftMs }: UpstreamCallOptions,
  reply: { head: ReplyHead },
  wire: Endings['wire'],
): AsyncGenerator<ChoiceEvent> {
  const prompt: Prompt = request.messages
  const pieces: string[] = []
  const own = { signal: abortSignalOf(signal), stream: request.stream === true, ...(timeLeftMs === undefined ? {} : { timeLeftMs }) }
  for await (const event of runner.run(undefined, prompt, own)) {
    if (event.type === 'text') {
      pieces.push(event.text)
      yield event
      continue
    }
    const { usage, finishReason, finishMissing, unread, toolCalls = [] } = event
    if (usage !== undefined) reply.head = { usage, rawUsage: rawUsage(usage), fields: {} }
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
