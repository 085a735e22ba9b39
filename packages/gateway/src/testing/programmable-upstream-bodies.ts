import type { RecordedRequest } from './programmable-upstream.ts'

/** A call of a tool in an answer. */
interface AnsweredCall {
  readonly id?: string
  readonly name: string
  readonly arguments: string
}

/** What an answer says beside its text. */
export interface AnswerOptions {
  /** The text in exactly these pieces when it is streamed; otherwise pieces of 8 characters. */
  readonly chunks?: readonly string[]
  readonly usage?: { readonly prompt: number; readonly completion: number } | undefined
  readonly finishReason?: string
  readonly toolCalls?: readonly AnsweredCall[]
  readonly reasoning?: string
  readonly refusal?: string
  readonly model?: string
  /** Texts of further choices. */
  readonly more?: readonly string[]
  /** Further fields at the top of the answer or of every chunk. */
  readonly fields?: Readonly<Record<string, unknown>>
}

const created = 1_700_000_000

/** The body of an answer that is no stream, in the words of the API that was asked. */
export function wholeBody(text: string, options: AnswerOptions, request: RecordedRequest): object {
  const path = request.path.split('?')[0] ?? ''
  if (path.endsWith('/messages')) return anthropicMessage(text, options, request)
  if (path.endsWith('/embeddings')) return embeddings(request)
  if (path.endsWith('/models'))
    return { object: 'list', data: [{ id: modelOf(options, request), object: 'model', created, owned_by: 'test' }] }
  const isLegacy = path.endsWith('/completions') && !path.endsWith('/chat/completions')
  const { finishReason = options.toolCalls === undefined ? 'stop' : 'tool_calls' } = options
  const texts = [text, ...(options.more ?? [])]
  return {
    id: 'chatcmpl-1',
    object: isLegacy ? 'text_completion' : 'chat.completion',
    created,
    model: modelOf(options, request),
    ...options.fields,
    choices: texts.map((own, index) => ({
      index,
      ...(isLegacy ? { text: own } : { message: chatMessage(own, options) }),
      finish_reason: finishReason,
    })),
    ...usageOf(options),
  }
}

/** The events of a stream, in the words of the API that was asked: pairs of an event name, which may be empty, and its data. */
export function streamEvents(text: string, options: AnswerOptions, request: RecordedRequest): readonly (readonly [string, string])[] {
  const path = request.path.split('?')[0] ?? ''
  return path.endsWith('/messages') ? anthropicEvents(text, options, request) : chatEvents(text, options, request)
}

function chatMessage(text: string, { toolCalls, reasoning, refusal }: AnswerOptions): object {
  return {
    role: 'assistant',
    content: text === '' && toolCalls !== undefined ? null : text,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls.map(callOf) }),
  }
}

function callOf({ id, name, arguments: given }: AnsweredCall): object {
  return { ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: given } }
}

function chatEvents(text: string, options: AnswerOptions, request: RecordedRequest): [string, string][] {
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created, model: modelOf(options, request), ...options.fields }
  const { toolCalls, reasoning, refusal, finishReason = toolCalls === undefined ? 'stop' : 'tool_calls' } = options
  const texts = [text, ...(options.more ?? [])]
  const chunk = (index: number, delta: object, finish: string | null = null): object => ({
    ...frame,
    choices: [{ index, delta, finish_reason: finish }],
  })
  const each = (make: (index: number) => object[]): object[] => texts.flatMap((_, index) => make(index))
  const calls = (toolCalls ?? []).flatMap((call, index) => [
    { index, ...callOf({ ...call, arguments: '' }) },
    ...pieces(call.arguments, 5).map((piece) => ({ index, function: { arguments: piece } })),
  ])
  const chunks = [
    ...each((index) => [chunk(index, { role: 'assistant', content: toolCalls === undefined ? '' : null })]),
    ...pieces(reasoning ?? '', 8).map((piece) => chunk(0, { reasoning_content: piece })),
    ...pieces(refusal ?? '', 8).map((piece) => chunk(0, { refusal: piece })),
    // Choices come by turns, as they do from providers.
    ...interleave(
      texts.map((own, index) =>
        (index === 0 && options.chunks ? options.chunks : pieces(own, 8)).map((piece) => chunk(index, { content: piece })),
      ),
    ),
    ...calls.map((call) => chunk(0, { tool_calls: [call] })),
    ...each((index) => [chunk(index, {}, finishReason)]),
    ...(options.usage === undefined || !wantsUsage(request) ? [] : [{ ...frame, choices: [], ...usageOf(options) }]),
  ]
  return [...chunks.map((data): [string, string] => ['', JSON.stringify(data)]), ['', '[DONE]']]
}

function wantsUsage({ json }: RecordedRequest): boolean {
  return (json?.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
}

function anthropicMessage(text: string, options: AnswerOptions, request: RecordedRequest): object {
  const { toolCalls = [], reasoning, usage = { prompt: 1, completion: 1 } } = options
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: modelOf(options, request),
    content: [
      ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'signed' }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_use', id, name, input: JSON.parse(given) })),
    ],
    stop_reason: options.finishReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: usage.prompt, output_tokens: usage.completion },
    ...options.fields,
  }
}

function anthropicEvents(text: string, options: AnswerOptions, request: RecordedRequest): [string, string][] {
  const { toolCalls = [], reasoning, usage = { prompt: 1, completion: 1 } } = options
  const message = {
    ...anthropicMessage('', { ...options, toolCalls: [] }, request),
    content: [],
    stop_reason: null,
    usage: { input_tokens: usage.prompt, output_tokens: 0 },
  }
  const events: { readonly type: string; readonly [field: string]: unknown }[] = [{ type: 'message_start', message }, { type: 'ping' }]
  let index = 0
  const block = (start: object, deltas: readonly object[]): void => {
    events.push({ type: 'content_block_start', index, content_block: start })
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
    index++
  }
  if (reasoning !== undefined) {
    const deltas = pieces(reasoning, 8).map((thinking) => ({ type: 'thinking_delta', thinking }))
    block({ type: 'thinking', thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: 'signed' }])
  }
  if (text !== '')
    block(
      { type: 'text', text: '' },
      (options.chunks ?? pieces(text, 8)).map((piece) => ({ type: 'text_delta', text: piece })),
    )
  for (const { id, name, arguments: given } of toolCalls) {
    block(
      { type: 'tool_use', id, name, input: {} },
      pieces(given, 5).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    )
  }
  const reason = options.finishReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn')
  events.push({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: usage.completion } })
  events.push({ type: 'message_stop' })
  return events.map((event) => [event.type, JSON.stringify(event)])
}

function embeddings({ json }: RecordedRequest): object {
  const inputs = Array.isArray(json?.input) ? json.input : [json?.input]
  const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding: [0.25, -0.5, index] }))
  return { object: 'list', data, model: json?.model, usage: { prompt_tokens: inputs.length, total_tokens: inputs.length } }
}

function modelOf({ model }: AnswerOptions, { json }: RecordedRequest): string {
  return model ?? String(json?.model ?? 'test-model')
}

function usageOf({ usage }: AnswerOptions): object {
  if (usage === undefined) return {}
  const { prompt, completion } = usage
  return { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } }
}

function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
