import fc from 'fast-check'
import { expect, it } from 'vitest'
import { messagesApi } from '../messages.ts'
import { anthropicRequest } from './anthropic-request.ts'

const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }

/** Any subset of these fields. */
const some = (fields: Record<string, unknown>) =>
  fc.subarray(Object.keys(fields)).map((names) => Object.fromEntries(names.map((name) => [name, fields[name]])))
const chatParts = fc.constantFrom<object>(
  { type: 'text', text: 'T', cache_control: { type: 'ephemeral' } },
  { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'low' }, x: 1 },
  { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a', x: 1 }, x: 1 },
  { type: 'refusal', refusal: 'R', x: 1 },
  { type: 'document', source: { type: 'url', url: 'https://x' } },
)
const chatContent = fc.oneof(fc.constant('said'), fc.array(chatParts, { minLength: 1, maxLength: 2 }))
const call = { id: 'i', type: 'function', function: { name: 'f', arguments: '{"a":1}', x: 1 }, x: 1 }
const anyChatMessage = fc.oneof(
  fc
    .tuple(fc.constantFrom('system', 'developer', 'user'), chatContent, some({ name: 'N', x_new: { a: [1] }, tool_calls: [call] }))
    .map(([role, said, more]) => ({ ...more, role, content: said })),
  fc
    .tuple(
      chatContent,
      some({
        name: 'N',
        refusal: 'R',
        tool_calls: [call, call],
        reasoning_content: 'T',
        annotations: [{ a: 1 }],
        thinking_blocks: [{ type: 'thinking', thinking: 't', signature: 's' }],
      }),
    )
    .map(([said, more]) => ({ ...more, role: 'assistant', content: said })),
  fc
    .tuple(chatContent, some({ tool_call_id: 'i', is_error: true, name: 'f', cache_control: { type: 'ephemeral' } }))
    .map(([said, more]) => ({ ...more, role: 'tool', content: said })),
)
const schema = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' }, description: 'd', x: 1 }, x: 1 }
const anyChat = fc
  .tuple(
    fc.array(anyChatMessage, { minLength: 1, maxLength: 3 }),
    some({
      ...{
        max_tokens: 7,
        temperature: 0.5,
        top_p: 0.5,
        top_k: 3,
        stop: ['a', 'b'],
        user: 'u',
        safety_identifier: 's',
        metadata: { user_id: 'i', run: 'r' },
      },
      ...{
        thinking: { type: 'adaptive' },
        cache_control: { type: 'ephemeral' },
        service_tier: 'flex',
        seed: 1,
        store: true,
        verbosity: 'low',
      },
      ...{
        prediction: { type: 'content' },
        prompt_cache_key: 'k',
        x_new: { a: 1 },
        frequency_penalty: 1,
        reasoning_effort: 'high',
        response_format: schema,
      },
      ...{
        tools: [{ ...tool, x: 1, function: { ...tool.function, description: 'd', strict: true, x: 1 } }],
        tool_choice: 'required',
        parallel_tool_calls: false,
      },
      ...{ stream: true },
    }),
  )
  .map(([messages, more]) => ({ model: 'm', ...more, messages }))

const cache_control = { type: 'ephemeral', ttl: '1h' }
const blocks = fc.constantFrom<object>(
  { type: 'text', text: 'T', cache_control, citations: [{ cited_text: 'c' }] },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==', x: 1 }, cache_control },
  { type: 'image', source: { type: 'url', url: 'https://x.example/a.png', x: 1 } },
  {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'D' },
    title: 't',
    context: 'c',
    citations: { enabled: false },
  },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 't', context: 'c', cache_control },
)
const results = fc.constantFrom<object>(
  { type: 'tool_result', tool_use_id: 't', content: 'r', is_error: true, cache_control },
  { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'T', cache_control }], x: 1 },
)
const said = fc.constantFrom<object>(
  { type: 'text', text: 'T', citations: [{ cited_text: 'c' }] },
  { type: 'thinking', thinking: 't', signature: 's' },
  { type: 'redacted_thinking', data: 'd' },
  { type: 'tool_use', id: 't', name: 'f', input: { a: 1 }, cache_control, caller: { type: 'direct' } },
)
const anyTurn = fc.oneof(
  fc
    .tuple(fc.array(fc.oneof(blocks, results), { minLength: 1, maxLength: 2 }), some({ x: { a: 1 } }))
    .map(([content, more]) => ({ role: 'user', content, ...more })),
  fc.array(said, { minLength: 1, maxLength: 3 }).map((content) => ({ role: 'assistant', content })),
  fc.constantFrom({ role: 'user', content: 'hi' }, { role: 'system', content: 'mid' }),
)
const anyMessages = fc
  .tuple(
    fc.array(anyTurn, { minLength: 1, maxLength: 3 }),
    some({
      ...{
        temperature: 0.5,
        top_p: 0.5,
        top_k: 3,
        stop_sequences: ['a'],
        metadata: { user_id: 'i', x: 'r' },
        stream: true,
        service_tier: 'auto',
      },
      ...{
        system: [{ type: 'text', text: 'S', cache_control }],
        cache_control,
        thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' },
      },
      ...{
        context_management: { edits: [{ type: 'clear' }] },
        speed: 'fast',
        betas: ['b'],
        x_new: { a: 1 },
        api_base: 'https://evil.example',
      },
      ...{ output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' }, x: 1 }, task_budget: { total: 1 } } },
      ...{ output_format: { type: 'json_schema', schema: { type: 'array' } } },
      ...{
        tools: [
          {
            name: 'f',
            description: 'd',
            input_schema: { type: 'object' },
            strict: true,
            defer_loading: true,
            input_examples: [{}],
            cache_control,
          },
        ],
      },
      ...{ tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true, x: 1 } },
    }),
  )
  .map(([messages, more]) => ({ model: 'm', max_tokens: 9, ...more, messages }))

/** Every way to take one field out of a value, with the path of that field. */
function* withoutOne(given: unknown, path: string): Generator<readonly [path: string, value: unknown]> {
  if (Array.isArray(given)) {
    for (const [index, entry] of given.entries())
      for (const [at, rest] of withoutOne(entry, `${path}[]`)) yield [at, given.with(index, rest)]
  } else if (typeof given === 'object' && given !== null) {
    for (const [name, inner] of Object.entries(given)) {
      const { [name]: _gone, ...rest } = given as Record<string, unknown>
      const at = path === '' ? name : `${path}.${name}`
      yield [at, rest]
      for (const [deeper, changed] of withoutOne(inner, at)) yield [deeper, { ...given, [name]: changed }]
    }
  }
}

interface Translated {
  readonly made: unknown
  readonly dropped: readonly string[]
}

/** Fails for a field that is neither listed nor makes a difference. */
function checkNothingVanishes<Given extends object>(request: Given, translate: (request: Given) => Translated, labels: RegExp): void {
  const whole = translate(request)
  const isListed = (path: string) =>
    whole.dropped.some((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
  for (const [path, rest] of withoutOne(request, '')) {
    if (labels.test(path) || isListed(path)) continue
    let other: unknown
    try {
      other = translate(rest as Given)
    } catch (error) {
      other = error
    }
    expect([path, other]).not.toEqual([path, whole])
  }
}

it('no field of a chat request vanishes on its way to the Messages API', () => {
  // A type says what stands beside it, and a name of a schema is a label.
  const labels = /^(?:model|messages|response_format\.json_schema\.name|tools\[\]\.type|messages\[\]\.tool_calls\[\]\.type)$/
  const translate = (request: Parameters<typeof anthropicRequest>[0]): Translated => {
    const { body, dropped } = anthropicRequest(request, 9)
    return { made: body, dropped }
  }
  fc.assert(
    fc.property(anyChat, (request) => checkNothingVanishes(request, translate, labels)),
    { numRuns: 100 },
  )
})

it.each([false, true])('no field of a messages request vanishes on its way to chat completions, native %s', (native) => {
  const labels = /^(?:model|messages|max_tokens|.*\.(?:thinking|signature|data|media_type|type))$/
  const api = messagesApi()
  const translate = (body: Readonly<Record<string, unknown>>): Translated => {
    const { chat, dropped = [], refused } = api.read(body, native)
    return { made: [chat, refused?.message], dropped }
  }
  fc.assert(
    fc.property(anyMessages, (request) => checkNothingVanishes(request, translate, labels)),
    { numRuns: 100 },
  )
})
