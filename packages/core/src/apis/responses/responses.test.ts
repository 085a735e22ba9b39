import { describe, expect, it } from 'vitest'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { hostFields } from '../request/host-fields.ts'
import type { FinalChoice } from '../shared/api.ts'
import { choice, refusalOf, reply } from '../testing/final-reply.ts'
import { framed } from '../testing/framed.ts'
import { responsesApi } from './responses.ts'

const responses = responsesApi()
const ask = (further: Fields = {}): Fields => ({ model: 'm', input: 'Hello?', ...further })
const item = (...items: unknown[]): Fields => ask({ input: items })
const user = { role: 'user', content: 'Hello?' }

function refusal(body: Fields): unknown {
  const error = refusalOf(() => responses.read(body))
  return error === undefined ? 'accepted' : [error.status, error.details.param]
}

describe('reading', () => {
  it.each<[string, Fields]>([
    ['model', { input: 'x' }],
    ['input', { model: 'm' }],
    ['input', ask({ input: 7 })],
    ['input', ask({ input: null })],
    ['input', item()],
    ['input', item({ type: 'reasoning', summary: [] })],
    ['input', item(...Array(2001).fill(user))],
    ['input[0]', item('x')],
    ['input[0].role', item({ content: 'x' })],
    ['input[0].role', item({ role: 'tool', content: 'x' })],
    ['input[0].content', item({ role: 'user' })],
    ['input[0].content[0].type', item({ role: 'user', content: [{ type: 'video' }] })],
    ['input[0].content[0].text', item({ role: 'user', content: [{ type: 'input_text' }] })],
    ['input[0].content[0].file_id', item({ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] })],
    ['input[0].content[0].image_url', item({ role: 'user', content: [{ type: 'input_image' }] })],
    ['input[0].content[0].file_url', item({ role: 'user', content: [{ type: 'input_file', file_url: 'http://x' }] })],
    ['input[1].type', item(user, { type: 'item_reference', id: 'x' })],
    ['input[0].type', item({ type: 'computer_call' })],
    ['input[0].call_id', item({ type: 'function_call', name: 'f', arguments: '' })],
    ['input[0].arguments', item({ type: 'function_call', call_id: 'c', name: 'f', arguments: {} })],
    ['input[0].output', item({ type: 'function_call_output', call_id: 'c' })],
    ['instructions', ask({ instructions: 7 })],
    ['tools', ask({ tools: {} })],
    ['tools[0].type', ask({ tools: [{ type: 'web_search' }] })],
    [
      'tools[1].type',
      ask({
        tools: [
          { type: 'function', name: 'f' },
          { type: 'mcp', server_url: 'http://evil' },
        ],
      }),
    ],
    ['tools[0].name', ask({ tools: [{ type: 'function' }] })],
    ['tools[0].parameters', ask({ tools: [{ type: 'function', name: 'f', parameters: 1 }] })],
    ['tool_choice', ask({ tool_choice: 'maybe' })],
    ['tool_choice.type', ask({ tool_choice: { type: 'file_search' } })],
    ['tool_choice.name', ask({ tool_choice: { type: 'function' } })],
    ['text.format', ask({ text: { format: 'json' } })],
    ['text.format.type', ask({ text: { format: { type: 'yaml' } } })],
    ['text.format.schema', ask({ text: { format: { type: 'json_schema', name: 'x' } } })],
    ['reasoning.effort', ask({ reasoning: { effort: 3 } })],
    ['max_output_tokens', ask({ max_output_tokens: 0 })],
    ['previous_response_id', ask({ previous_response_id: 'resp_0' })],
    ['conversation', ask({ conversation: { id: 'c' } })],
    ['prompt', ask({ prompt: { id: 'p' } })],
    ['background', ask({ background: true })],
    ['messages', ask({ messages: [user] })],
    ['n', ask({ n: 2 })],
  ])('refuses a wrong %s', (param, body) => {
    expect(refusal(body)).toEqual([400, param])
  })

  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x": 1}' }
  const toolCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } }

  it.each<[string, Fields, Fields[]]>([
    ['a text', ask(), [user]],
    ['instructions', ask({ instructions: 'Be brief.' }), [{ role: 'system', content: 'Be brief.' }, user]],
    ['one text part', item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] }), [user]],
    ['a developer', item({ role: 'developer', content: 'D' }, user), [{ role: 'system', content: 'D' }, user]],
    [
      'an image, a file and audio',
      item({
        role: 'user',
        content: [
          { type: 'input_text', text: 'What?' },
          { type: 'input_image', image_url: 'data:x', detail: 'low' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:y' },
          { type: 'input_audio', input_audio: { data: 'z', format: 'wav' } },
        ],
      }),
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url: 'data:x', detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:y' } },
            { type: 'input_audio', input_audio: { data: 'z', format: 'wav' } },
          ],
        },
      ],
    ],
    [
      'a turn with calls',
      item(
        user,
        { type: 'reasoning', id: 'rs', summary: [] },
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'I ' },
            { type: 'output_text', text: 'look.' },
          ],
        },
        call,
        { ...call, call_id: 'b' },
        { type: 'function_call_output', call_id: 'a', output: '1' },
        {
          type: 'function_call_output',
          call_id: 'b',
          output: [
            { type: 'input_text', text: '2' },
            { type: 'input_text', text: '3' },
          ],
        },
        call,
      ),
      [
        user,
        { role: 'assistant', content: 'I look.', tool_calls: [toolCall, { ...toolCall, id: 'b' }] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '23' },
        { role: 'assistant', content: null, tool_calls: [toolCall] },
      ],
    ],
    [
      'outputs that say whether their calls came to an end',
      item(
        user,
        call,
        { ...call, call_id: 'b' },
        { type: 'function_call_output', call_id: 'a', output: '1', status: 'completed' },
        { type: 'function_call_output', call_id: 'b', output: 'gone', status: 'incomplete' },
      ),
      [
        user,
        { role: 'assistant', content: null, tool_calls: [toolCall, { ...toolCall, id: 'b' }] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: 'Error: gone' },
      ],
    ],
  ])('translates %s', (_name, body, messages) => {
    expect(responses.read(body).chat).toEqual({ model: 'm', messages })
  })

  it.each<[string, Fields, Fields]>([
    ['limits and sampling', { max_output_tokens: 9, temperature: 1, top_p: 0.5 }, { max_completion_tokens: 9, temperature: 1, top_p: 0.5 }],
    [
      'tools',
      { tools: [{ type: 'function', name: 'f', description: 'd', parameters: {}, strict: null }] },
      { tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {} } }] },
    ],
    ['a mode', { tool_choice: 'required', parallel_tool_calls: false }, { tool_choice: 'required', parallel_tool_calls: false }],
    ['a chosen tool', { tool_choice: { type: 'function', name: 'f' } }, { tool_choice: { type: 'function', function: { name: 'f' } } }],
    [
      'allowed tools',
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] } },
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] } } },
    ],
    [
      'a schema',
      { text: { format: { type: 'json_schema', name: 's', schema: {}, strict: true } } },
      { response_format: { type: 'json_schema', json_schema: { name: 's', schema: {}, strict: true } } },
    ],
    [
      'plain JSON',
      { text: { format: { type: 'json_object' }, verbosity: 'low' } },
      { response_format: { type: 'json_object' }, verbosity: 'low' },
    ],
    ['text', { text: { format: { type: 'text' } } }, {}],
    ['reasoning', { reasoning: { effort: 'low', summary: 'auto' } }, { reasoning_effort: 'low' }],
    ['log probabilities', { include: ['message.output_text.logprobs'] }, { logprobs: true }],
    ['top log probabilities', { top_logprobs: 2 }, { logprobs: true, top_logprobs: 2 }],
    [
      'what needs no translation',
      { user: 'u', service_tier: 'flex', top_k: 3, stream: true },
      { user: 'u', service_tier: 'flex', top_k: 3, stream: true },
    ],
    [
      'what has no counterpart',
      { store: true, metadata: { a: 'b' }, truncation: 'auto', include: [], stickler: {}, background: false },
      {},
    ],
    ['hosts and keys', Object.fromEntries(hostFields.map((name) => [name, 'http://evil'])), {}],
  ])('translates %s', (_name, given, expected) => {
    expect(responses.read(ask(given)).chat).toEqual({ model: 'm', messages: [user], ...expected })
  })
})

describe('replies', () => {
  const body = (further: Partial<FinalChoice>, asked: Fields = {}): Fields =>
    JSON.parse(responses.reply(responses.read(ask(asked)), { ...reply, choices: [{ ...choice, ...further }] }))

  it('repeats what was asked, and keeps nothing', () => {
    const asked = {
      instructions: 'I',
      store: true,
      metadata: { a: 'b' },
      tools: [{ type: 'function', name: 'f' }],
      temperature: 0.5,
      max_output_tokens: 9,
    }
    expect(body({}, asked)).toMatchObject({
      ...asked,
      store: false,
      id: 'resp_1',
      object: 'response',
      created_at: 5,
      status: 'completed',
      error: null,
      incomplete_details: null,
    })
    expect(body({})).toMatchObject({
      usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
      stickler: { status: 'valid', attempts: 1 },
    })
  })

  it.each<[string, Partial<FinalChoice>, string, unknown[]]>([
    [
      'a text',
      {},
      'completed',
      [{ id: 'msg_1_0', type: 'message', content: [{ type: 'output_text', text: 'Hi.', annotations: [], logprobs: [] }] }],
    ],
    ['nothing', { text: '' }, 'completed', [{ type: 'message', content: [{ text: '' }] }]],
    [
      'a refusal',
      { text: '', message: { refusal: 'No.' } },
      'completed',
      [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }],
    ],
    ['a refusal without words', { finishReason: 'refusal' }, 'incomplete', [{ type: 'message', status: 'incomplete' }]],
    ['a cut', { finishReason: 'length' }, 'incomplete', [{ type: 'message', status: 'incomplete' }]],
    ['a filter', { finishReason: 'content_filter' }, 'incomplete', [{ type: 'message', status: 'incomplete' }]],
    [
      'reasoning and calls',
      { text: '', message: { reasoning: 'R' }, toolCalls: [{ name: 'f', arguments: '{ }' }] },
      'completed',
      [
        { id: 'rs_1_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'R' }] },
        { id: 'fc_1_1', type: 'function_call', call_id: 'call_1_0_0', name: 'f', arguments: '{ }' },
      ],
    ],
    [
      'annotations and log probabilities',
      {
        message: { annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't' } }, { type: 'other' }] },
        fields: { logprobs: { content: [1] } },
      },
      'completed',
      [{ content: [{ annotations: [{ type: 'url_citation', url: 'u', title: 't' }, { type: 'other' }], logprobs: [1] }] }],
    ],
  ])('hold %s', (_name, further, status, output) => {
    expect(body(further)).toMatchObject({ status, output })
  })
})

describe('streams', () => {
  const events = (frames: string): Fields[] =>
    frames
      .split('\n\n')
      .filter(Boolean)
      .map((frame) => JSON.parse(frame.slice(frame.indexOf('\ndata: ') + 7)))
  const types = (frames: string): unknown[] => events(frames).map(({ type }) => type)

  it('open and close every item in its turn', () => {
    const encoder = framed((out) => responses.encoder(responses.read(ask()), out))
    const call = { id: 'c', name: 'f', arguments: '{}' }
    const frames = [
      encoder.begin(reply),
      encoder.fields(0, { reasoning_content: 'R' }),
      encoder.text(0, 'H', { content: [1] }),
      encoder.text(0, 'i.'),
      encoder.fields(0, { annotations: [{ type: 'url_citation', url_citation: { url: 'u' } }] }),
      encoder.fields(0, { refusal: 'No.' }),
      encoder.end({ ...choice, toolCalls: [call] }),
      encoder.finish(reply),
    ].join('')
    expect(types(frames)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.annotation.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.content_part.added',
      'response.refusal.delta',
      'response.refusal.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events(frames).map(({ sequence_number }) => sequence_number)).toEqual([...Array(25).keys()])
    expect(events(frames).at(-1)).toMatchObject({
      response: {
        status: 'completed',
        output: [
          { type: 'reasoning', summary: [{ text: 'R' }] },
          { content: [{ text: 'Hi.', annotations: [{ url: 'u' }], logprobs: [1] }, { refusal: 'No.' }] },
          { type: 'function_call', call_id: 'c', status: 'completed' },
        ],
        stickler: { status: 'valid' },
      },
    })
  })

  it('hold an empty message when nothing was said, as replies do', () => {
    const encoder = framed((out) => responses.encoder(responses.read(ask()), out))
    encoder.begin(reply)
    encoder.end({ ...choice, text: '' })
    expect(events(encoder.finish(reply))).toMatchObject([{ response: { output: [{ type: 'message', content: [{ text: '' }] }] } }])
  })

  it('keep the id that they began with', () => {
    const encoder = framed((out) => responses.encoder(responses.read(ask()), out))
    encoder.begin(reply)
    expect(events(encoder.finish({ ...reply, id: 'chatcmpl-2', created: 6 }))).toMatchObject([
      { response: { id: 'resp_1', created_at: 5 } },
    ])
  })

  it('break off with an error at the top and inside of the event', () => {
    const error = { status: 422, message: 'm', type: 't', param: null, code: 'C', body: { validation: {} } }
    const frames = framed((out) => responses.encoder(responses.read(ask()), out)).error(error)
    expect(frames.startsWith('event: error\ndata: ')).toBe(true)
    expect(events(frames)).toEqual([
      {
        type: 'error',
        sequence_number: 0,
        message: 'm',
        param: null,
        code: 'C',
        validation: {},
        error: { message: 'm', type: 't', param: null, code: 'C' },
      },
    ])
  })

  it('tell no progress, which the API has no event for', () => {
    expect(framed((out) => responses.encoder(responses.read(ask()), out)).progress('x', true)).toBe('')
  })
})
