import { describe, expect, it } from 'vitest'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { hostFields } from '../request/host-fields.ts'
import type { FinalChoice, FinalReply } from '../shared/api.ts'
import { choice, refusalOf, reply } from '../testing/final-reply.ts'
import { framed } from '../testing/framed.ts'
import { messagesApi } from './messages.ts'

const messages = messagesApi()
const user = { role: 'user', content: 'Hello?' }
const ask = (further: Fields = {}): Fields => ({ model: 'm', max_tokens: 9, messages: [user], ...further })
const turns = (...given: unknown[]): Fields => ask({ messages: given })
const blocks = (...content: unknown[]): Fields => turns({ role: 'user', content })
const tool = { name: 'f', description: 'd', input_schema: { type: 'object' } }

function refusal(body: Fields): unknown {
  const error = refusalOf(() => messages.read(body))
  return error === undefined ? 'accepted' : [error.status, error.details.param]
}

describe('reading', () => {
  it.each<[string, Fields]>([
    ['model', ask({ model: null })],
    ['max_tokens', { model: 'm', messages: [user] }],
    ['max_tokens', ask({ max_tokens: '9' })],
    ['messages', ask({ messages: [] })],
    ['messages', ask({ messages: 'x' })],
    ['messages', turns(...Array(2001).fill(user))],
    ['messages[0]', turns(7)],
    ['messages[0].role', turns({ role: 'tool', content: 'x' })],
    ['messages[0].content', turns({ role: 'user' })],
    ['messages[0].content', turns({ role: 'user', content: {} })],
    ['messages[0].content[0]', blocks('x')],
    ['messages[0].content[0].text', blocks({ type: 'text' })],
    ['messages[0].content[0].type', blocks({ type: 'server_tool_use' })],
    ['messages[0].content[0].source', blocks({ type: 'image' })],
    ['messages[0].content[0].source.type', blocks({ type: 'image', source: { type: 'file', file_id: 'f' } })],
    ['messages[0].content[0].source.media_type', blocks({ type: 'image', source: { type: 'base64', data: 'x' } })],
    ['messages[0].content[0].source.type', blocks({ type: 'document', source: { type: 'url', url: 'http://x' } })],
    ['messages[0].content[0].tool_use_id', blocks({ type: 'tool_result' })],
    ['messages[0].content[0].content[0].type', blocks({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_reference' }] })],
    ['messages[0].content[0].type', turns({ role: 'assistant', content: [{ type: 'web_search_tool_result' }] })],
    ['messages[0].content[0].input', turns({ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: '{}' }] })],
    ['system', ask({ system: 7 })],
    ['system[0].type', ask({ system: [{ type: 'image' }] })],
    ['tools[0].type', ask({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] })],
    ['tools[1].type', ask({ tools: [tool, { type: 'bash_20250124', name: 'bash' }] })],
    ['tools[0].input_schema', ask({ tools: [{ name: 'f' }] })],
    ['tool_choice', ask({ tool_choice: 'auto' })],
    ['tool_choice.type', ask({ tool_choice: { type: 'maybe' } })],
    ['tool_choice.name', ask({ tool_choice: { type: 'tool' } })],
    ['stop_sequences', ask({ stop_sequences: 'x' })],
    ['metadata.user_id', ask({ metadata: { user_id: 1 } })],
    ['thinking.type', ask({ thinking: { type: 'hard' } })],
    ['thinking.budget_tokens', ask({ thinking: { type: 'enabled' } })],
    ['output_config.format.type', ask({ output_config: { format: { type: 'yaml' } } })],
    ['mcp_servers', ask({ mcp_servers: [{ type: 'url', url: 'http://evil' }] })],
    ['container', ask({ container: 'c' })],
    ['n', ask({ n: 2 })],
  ])('refuses a wrong %s', (param, body) => {
    expect(refusal(body)).toEqual([400, param])
  })

  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }
  const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }

  it.each<[string, Fields, Fields[]]>([
    ['a text', ask(), [user]],
    ['a system prompt', ask({ system: 'S' }), [{ role: 'system', content: 'S' }, user]],
    [
      'system blocks',
      ask({
        system: [
          { type: 'text', text: 'A', cache_control: {} },
          { type: 'text', text: 'B' },
        ],
      }),
      [{ role: 'system', content: 'A\n\nB' }, user],
    ],
    ['one block', blocks({ type: 'text', text: 'Hello?', cache_control: {} }), [user]],
    ['no blocks', blocks(), [{ role: 'user', content: '' }]],
    [
      'images and documents',
      blocks(
        { type: 'text', text: 'What?' },
        image,
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
        { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'BB==' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'D' } },
      ),
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            imagePart,
            { type: 'image_url', image_url: { url: 'https://x/y.png' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BB==' } },
            { type: 'text', text: 'D' },
          ],
        },
      ],
    ],
    [
      'a turn with tools',
      turns(
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'T', signature: 's' },
            { type: 'text', text: 'I ' },
            { type: 'text', text: 'look.' },
            { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And?' },
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [
                { type: 'text', text: '1' },
                { type: 'text', text: '2' },
              ],
            },
            { type: 'tool_result', tool_use_id: 'b', content: 'down', is_error: true },
            { type: 'tool_result', tool_use_id: 'c' },
            { type: 'tool_result', tool_use_id: 'd', content: [image], is_error: true },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'e', name: 'f', input: {} }] },
      ),
      [
        user,
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '12' },
        { role: 'tool', tool_call_id: 'b', content: 'Error: down' },
        { role: 'tool', tool_call_id: 'c', content: '' },
        { role: 'tool', tool_call_id: 'd', content: [{ type: 'text', text: 'Error:' }, imagePart] },
        { role: 'user', content: 'And?' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'e', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      ],
    ],
  ])('translates %s', (_name, body, expected) => {
    expect(messages.read(body).chat).toEqual({ model: 'm', max_completion_tokens: 9, messages: expected })
  })

  it.each<[string, Fields, Fields]>([
    ['sampling', { temperature: 1, top_p: 0.5, top_k: 3, stop_sequences: ['x'] }, { temperature: 1, top_p: 0.5, top_k: 3, stop: ['x'] }],
    [
      'tools',
      { tools: [{ ...tool, cache_control: {} }] },
      { tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }] },
    ],
    [
      'any tool',
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { tool_choice: 'required', parallel_tool_calls: false },
    ],
    ['a chosen tool', { tool_choice: { type: 'tool', name: 'f' } }, { tool_choice: { type: 'function', function: { name: 'f' } } }],
    ['no tool', { tool_choice: { type: 'none' } }, { tool_choice: 'none' }],
    ['a user', { metadata: { user_id: 'u' } }, { user: 'u' }],
    ['little thinking', { thinking: { type: 'enabled', budget_tokens: 1024 } }, { reasoning_effort: 'low' }],
    ['much thinking', { thinking: { type: 'enabled', budget_tokens: 32_000 } }, { reasoning_effort: 'high' }],
    ['no thinking', { thinking: { type: 'disabled' } }, {}],
    ['an effort', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, { reasoning_effort: 'high' }],
    [
      'a format',
      { output_config: { format: { type: 'json_schema', schema: {} } } },
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: {}, strict: true } } },
    ],
    ['what only Anthropic knows', { service_tier: 'auto', context_management: {}, container: null, mcp_servers: [], stickler: {} }, {}],
    ['hosts and keys', Object.fromEntries(hostFields.map((name) => [name, 'http://evil'])), {}],
  ])('translates %s', (_name, given, expected) => {
    expect(messages.read(ask(given)).chat).toEqual({ model: 'm', max_completion_tokens: 9, messages: [user], ...expected })
  })

  it('keeps thinking and caching for upstreams that understand them', () => {
    const thought = { type: 'thinking', thinking: 'T', signature: 's' }
    const cached = { type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    const body = ask({
      thinking,
      system: [cached],
      messages: [user, { role: 'assistant', content: [thought, { type: 'text', text: 'A' }] }],
    })
    expect(messages.read(body, true).chat).toEqual({
      model: 'm',
      max_completion_tokens: 9,
      thinking,
      messages: [{ role: 'system', content: [cached] }, user, { role: 'assistant', content: 'A', thinking_blocks: [thought] }],
    })
  })
})

describe('replies', () => {
  const body = (further: Partial<FinalChoice>, top: Partial<FinalReply> = {}): Fields =>
    JSON.parse(messages.reply(messages.read(ask({ stop_sequences: ['###'] })), { ...reply, ...top, choices: [{ ...choice, ...further }] }))
  const call = (args: string) => ({ toolCalls: [{ id: 'c', name: 'f', arguments: args }] })

  it.each<[string, Partial<FinalChoice>, string, unknown[]]>([
    ['a text', {}, 'end_turn', [{ type: 'text', text: 'Hi.' }]],
    ['nothing', { text: '' }, 'end_turn', []],
    ['a cut', { finishReason: 'length' }, 'max_tokens', [{ text: 'Hi.' }]],
    ['a filter', { finishReason: 'content_filter' }, 'refusal', [{ text: 'Hi.' }]],
    ['a refusal', { text: '', message: { refusal: 'No.' } }, 'refusal', [{ type: 'text', text: 'No.' }]],
    ['a stop sequence', { fields: { stop_reason: '###' } }, 'stop_sequence', [{ text: 'Hi.' }]],
    ['a stop sequence that nobody asked for', { fields: { stop_reason: '@@' } }, 'end_turn', [{ text: 'Hi.' }]],
    [
      'reasoning',
      { message: { reasoning_content: 'R' } },
      'end_turn',
      [{ type: 'thinking', thinking: 'R', signature: '' }, { text: 'Hi.' }],
    ],
    [
      'thinking blocks',
      { message: { reasoning_content: 'R', thinking_blocks: [{ type: 'thinking', thinking: 'R', signature: 's' }] } },
      'end_turn',
      [{ thinking: 'R', signature: 's' }, { text: 'Hi.' }],
    ],
    [
      'a call',
      { text: '', ...call('{"x": 1}'), finishReason: 'tool_calls' },
      'tool_use',
      [{ type: 'tool_use', id: 'c', name: 'f', input: { x: 1 } }],
    ],
    ['a call without arguments', { text: '', ...call('') }, 'tool_use', [{ input: {} }]],
    ['arguments that are no JSON', { text: '', ...call('{"x": ') }, 'tool_use', [{ input: { stickler_raw_arguments: '{"x": ' } }]],
    ['arguments that are no object', { text: '', ...call('[1]') }, 'tool_use', [{ input: { stickler_raw_arguments: '[1]' } }]],
  ])('hold %s', (_name, further, stop, content) => {
    expect(body(further)).toMatchObject({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: stop,
      content,
      stickler: { status: 'valid' },
    })
  })

  it.each(['{ "n": 12345678901234567890, "f": 1.10 }', '{"a":{"b":[1e400]}}', ' {"x":\n1} '])(
    'keep arguments as they were written: %s',
    (args) => {
      const request = messages.read(ask())
      expect(messages.reply(request, { ...reply, choices: [{ ...choice, ...call(args) }] })).toContain(`"input":${args}}`)
    },
  )

  it('send halves of characters in arguments as escapes', () => {
    const sent = messages.reply(messages.read(ask()), { ...reply, choices: [{ ...choice, ...call('{"q":"a\ud83db😀"}') }] })
    expect(sent).toContain('"input":{"q":"a\\ud83db😀"}}')
  })

  it('count what came from a cache on its own', () => {
    expect(body({}, { rawUsage: { prompt_tokens_details: { cached_tokens: 2 } } }).usage).toEqual({
      input_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 2,
      output_tokens: 4,
    })
  })

  it.each<[number, string]>([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [405, 'invalid_request_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    ...[400, 406, 422].map((status) => [status, 'contract_violation'] as [number, string]),
    ...[400, 406, 422, 424].map((status) => [status, 'contract_unchecked'] as [number, string]),
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('name the error of status %i: %s', (status, type) => {
    const kind = type.startsWith('contract_') ? type : 'other'
    const error = { status, message: 'm', type: kind, param: 'p', code: null, body: { validation: 1 } }
    expect(messages.errorBody(error)).toEqual({ type: 'error', error: { type, message: 'm', param: 'p' }, validation: 1 })
  })
})

describe('streams', () => {
  const events = (frames: string): Fields[] =>
    frames
      .split('\n\n')
      .filter(Boolean)
      .map((frame) => JSON.parse(frame.slice(frame.indexOf('\ndata: ') + 7)))

  it('open and close every block in its turn', () => {
    const encoder = framed((out) => messages.encoder(messages.read(ask()), out))
    const frames = [
      encoder.begin(reply),
      encoder.fields(0, { reasoning: 'R' }),
      encoder.fields(0, { thinking_blocks: [{ type: 'thinking', thinking: 'R', signature: 's' }] }),
      encoder.text(0, 'Hi.'),
      encoder.end({
        ...choice,
        toolCalls: [
          { name: 'f', arguments: '{ "x": 12345678901234567890 }' },
          { id: 'c', name: 'g', arguments: 'bad' },
        ],
      }),
      encoder.finish(reply),
    ].join('')
    expect(events(frames)).toMatchObject([
      { type: 'message_start', message: { id: 'msg_1', content: [], stop_reason: null, usage: { input_tokens: 0, output_tokens: 0 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'R' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi.' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'call_1_0_0', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{ "x": 12345678901234567890 }' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'c', name: 'g' } },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"stickler_raw_arguments":"bad"}' } },
      { type: 'content_block_stop', index: 3 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 3, output_tokens: 4 },
        stickler: { status: 'valid' },
      },
      { type: 'message_stop' },
    ])
  })

  it('tell thoughts that come as a whole, and hidden ones as they are', () => {
    const encoder = framed((out) => messages.encoder(messages.read(ask()), out))
    encoder.begin(reply)
    const hidden = { type: 'redacted_thinking', data: 'x' }
    const frames = [
      encoder.fields(0, { thinking_blocks: [{ type: 'thinking', thinking: 'R', signature: 's' }, hidden, 7] }),
      encoder.fields(0, { reasoning_content: 'Q', thinking_blocks: [{ type: 'thinking', thinking: 'Q' }] }),
      encoder.text(0, 'Hi.'),
      encoder.fields(0, { thinking_blocks: [{ type: 'thinking', thinking: 'Q', signature: 'late' }] }),
      encoder.end(choice),
    ].join('')
    expect(events(frames)).toMatchObject([
      { type: 'content_block_start', index: 0 },
      { delta: { type: 'thinking_delta', thinking: 'R' } },
      { delta: { type: 'signature_delta', signature: 's' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: hidden },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2 },
      { delta: { type: 'thinking_delta', thinking: 'Q' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'content_block_start', index: 3, content_block: { type: 'text' } },
      { delta: { type: 'text_delta' } },
      { type: 'content_block_stop', index: 3 },
    ])
  })

  it('break off with an error', () => {
    const error = { status: 503, message: 'm', type: 't', param: null, code: null, body: {} }
    expect(framed((out) => messages.encoder(messages.read(ask()), out)).error(error)).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"m"}}\n\n',
    )
  })
})
