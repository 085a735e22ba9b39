import { describe, expect, it } from 'vitest'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { hostFields } from '../request/host-fields.ts'
import type { ClientRequest, FinalChoice, FinalReply } from '../shared/api.ts'
import { choice as plain, reply as plainReply, refusalOf } from '../testing/final-reply.ts'
import { framed } from '../testing/framed.ts'
import { chatApi } from './chat.ts'

const chat = chatApi()
const user = { role: 'user', content: 'Hello?' }
const ask = (further: Fields = {}): Fields => ({ model: 'm', messages: [user], ...further })

const choice: FinalChoice = { ...plain, message: { role: 'assistant', content: 'raw', refusal: null } }
const reply: FinalReply = { ...plainReply, choices: [choice] }
const call = { id: 'c1', name: 'f', arguments: '{ "n": 12345678901234567890 }' }

function refusal(read: () => ClientRequest): unknown {
  const error = refusalOf(read)
  return error === undefined ? 'accepted' : { status: error.status, param: error.details.param, type: error.details.type }
}

const chunks = (frames: string): Fields[] =>
  frames
    .split('\n\n')
    .filter((frame) => frame !== '' && frame !== 'data: [DONE]')
    .map((frame) => JSON.parse(frame.slice(6)))

describe('reading', () => {
  it.each<[string, Fields]>([
    ['model', { messages: [user] }],
    ['model', ask({ model: '' })],
    ['model', ask({ model: 7 })],
    ['model', ask({ model: 'a\r\nx: y' })],
    ['model', ask({ model: 'x'.repeat(257) })],
    ['messages', { model: 'm' }],
    ['messages', ask({ messages: {} })],
    ['messages', ask({ messages: 'x' })],
    ['messages', ask({ messages: [] })],
    ['messages', ask({ messages: Array(100_000).fill(user) })],
    ['messages[0]', ask({ messages: [null] })],
    ['messages[1]', ask({ messages: [user, 'x'] })],
    ['messages[0].role', ask({ messages: [{ content: 'x' }] })],
    ['messages[0].role', ask({ messages: [{ role: 1, content: 'x' }] })],
    ['messages[0].content', ask({ messages: [{ role: 'user', content: {} }] })],
    ['messages[0].content[0]', ask({ messages: [{ role: 'user', content: ['x'] }] })],
    ['messages[0].content', ask({ messages: [{ role: 'user', content: Array(1001).fill({}) }] })],
    ['messages[0].tool_calls', ask({ messages: [{ role: 'assistant', tool_calls: 'x' }] })],
    ['messages[0].tool_call_id', ask({ messages: [{ role: 'tool', tool_call_id: 1 }] })],
    ['n', ask({ n: 0 })],
    ['n', ask({ n: 1e9 })],
    ['n', ask({ n: 1.5 })],
    ['max_tokens', ask({ max_tokens: -1 })],
    ['max_tokens', ask({ max_tokens: '9' })],
    ['max_completion_tokens', ask({ max_completion_tokens: 0 })],
    ['stream', ask({ stream: 'yes' })],
    ['stream_options', ask({ stream_options: [] })],
    ['stream_options.include_usage', ask({ stream_options: { include_usage: 1 } })],
    ['temperature', ask({ temperature: 'hot' })],
    ['stop', ask({ stop: [1] })],
    ['tools', ask({ tools: 'x' })],
    ['tools', ask({ tools: Array(513).fill({ type: 'x' }) })],
    ['tools[0]', ask({ tools: ['x'] })],
    ['tools[0].type', ask({ tools: [{}] })],
    ['tools[0].function', ask({ tools: [{ type: 'function' }] })],
    ['tools[0].function.name', ask({ tools: [{ type: 'function', function: {} }] })],
    ['tools[0].function.parameters', ask({ tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] })],
    ['tool_choice', ask({ tool_choice: 1 })],
    ['response_format', ask({ response_format: 'json' })],
    ['stickler', ask({ stickler: 'off' })],
  ])('refuses a wrong %s', (param, body) => {
    expect(refusal(() => chat.read(body))).toEqual({ status: 400, param, type: 'invalid_request_error' })
  })

  it('keeps every other field, null and unknown ones too', () => {
    const body = ask({
      messages: [user, { role: 'assistant', content: null, tool_calls: [{ id: 'x' }] }],
      n: null,
      top_k: 5,
      chat_template_kwargs: { a: [1] },
    })
    expect(chat.read(body).chat).toEqual(body)
  })

  it('passes neither our own field on nor any that names a host, a key or headers', () => {
    const body = ask({
      stickler: { contract: 'x' },
      stream_options: { include_usage: true },
      seed: 1,
      ...Object.fromEntries(hostFields.map((name) => [name, 'http://evil'])),
    })
    expect(chat.read(body).chat).toEqual(ask({ seed: 1, stream_options: { include_usage: true } }))
    expect(chat.read(body)).toMatchObject({ includeUsage: true, stream: false, body: { stickler: { contract: 'x' } } })
  })

  it('is not polluted by keys of prototypes', () => {
    const { chat: read } = chat.read(
      JSON.parse('{"model":"m","messages":[{"role":"user"}],"__proto__":{"polluted":1},"constructor":{"x":1}}'),
    )
    expect(Object.hasOwn(read, '__proto__')).toBe(false)
    expect(read.polluted).toBeUndefined()
  })

  it('has limits that can be set', () => {
    expect(refusal(() => chatApi({ messages: 1 }).read(ask({ messages: [user, user] })))).toMatchObject({ param: 'messages' })
    expect(refusal(() => chatApi({ choices: 20 }).read(ask({ n: 20 })))).toBe('accepted')
  })
})

describe('replies', () => {
  const body = (further: Partial<FinalChoice>, top: Partial<FinalReply> = {}): Fields =>
    JSON.parse(chat.reply(chat.read(ask()), { ...reply, ...top, choices: [{ ...choice, ...further }] }))

  it.each<[string, Partial<FinalChoice>, Fields]>([
    ['delivers the enforced text', {}, { role: 'assistant', content: 'Hi.', refusal: null }],
    [
      'keeps fields of the provider',
      { message: { annotations: [1], reasoning: 'r' } },
      { role: 'assistant', content: 'Hi.', annotations: [1], reasoning: 'r' },
    ],
    [
      'has no content beside calls',
      { text: '', toolCalls: [call] },
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: call.arguments } }],
      },
    ],
    ['has no content beside a refusal', { text: '', message: { refusal: 'No.' } }, { role: 'assistant', content: null, refusal: 'No.' }],
    ['has empty content without either', { text: '' }, { role: 'assistant', content: '', refusal: null }],
    [
      'drops calls that were not delivered',
      { message: { tool_calls: [{ id: 'c1' }], function_call: {} } },
      { role: 'assistant', content: 'Hi.' },
    ],
    [
      'keeps what stands beside a call',
      { toolCalls: [call], message: { tool_calls: [{ id: 'c1', extra_content: 1, function: { name: 'raw' } }] } },
      {
        role: 'assistant',
        content: 'Hi.',
        tool_calls: [{ id: 'c1', extra_content: 1, type: 'function', function: { name: 'f', arguments: call.arguments } }],
      },
    ],
    [
      'makes up ids',
      { toolCalls: [{ name: 'f', arguments: '' }], message: {} },
      { role: 'assistant', content: 'Hi.', tool_calls: [{ id: 'call_1_0_0', type: 'function', function: { name: 'f', arguments: '' } }] },
    ],
    [
      'answers in the words of functions',
      { toolCalls: [call], message: { function_call: { name: 'raw' } } },
      { role: 'assistant', content: 'Hi.', function_call: { name: 'f', arguments: call.arguments } },
    ],
  ])('%s', (_name, further, message) => {
    expect(body(further).choices).toEqual([{ index: 0, message, finish_reason: 'stop' }])
  })

  it.each([
    ['stop', {}, 'stop'],
    ['eos', {}, 'eos'],
    ['refusal', {}, 'content_filter'],
    ['refusal', { refusal: 'No.' }, 'stop'],
  ])('calls the end %s with %o %s', (finishReason, message, expected) => {
    expect(body({ finishReason, message }).choices).toMatchObject([{ finish_reason: expected }])
    const encoder = framed((out) => chat.encoder(chat.read(ask()), out))
    expect(chunks(encoder.end({ ...choice, finishReason, message }))).toMatchObject([{ choices: [{ finish_reason: expected }] }])
  })

  it('lets no provider set what is ours', () => {
    const fields = { event: { type: 'execute' }, error: { message: 'x' }, choices: [], stickler: 1, system_fingerprint: 'fp' }
    expect(body({ fields: { message: 1, event: 1, logprobs: { content: [] } } }, { fields })).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      system_fingerprint: 'fp',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hi.', refusal: null }, logprobs: { content: [] }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      stickler: { status: 'valid', contract: 'demo', attempts: 1, issues: [], fixed: [], repairs: [], unchecked: [] },
    })
  })

  it('has a list of verdicts for several choices', () => {
    const two = JSON.parse(chat.reply(chat.read(ask({ n: 2 })), { ...reply, choices: [choice, { ...choice, index: 1 }] }))
    expect(two.stickler).toMatchObject([
      { choice: 0, status: 'valid' },
      { choice: 1, status: 'valid' },
    ])
  })

  it('names all four keys of an error', () => {
    const error = { status: 422, message: 'm', type: 't', param: null, code: null, body: { validation: 1 } }
    expect(chat.errorBody(error)).toEqual({ error: { message: 'm', type: 't', param: null, code: null }, validation: 1 })
  })
})

describe('streams', () => {
  it('begin, speak, end and finish in chunks that all have choices', () => {
    const encoder = framed((out) => chat.encoder(chat.read(ask({ n: 2, stream_options: { include_usage: true } })), out))
    const done = { ...choice, toolCalls: [call], fields: { logprobs: { content: [1] }, stop_reason: 's' } }
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 5, model: 'm' }
    const delta = (index: number, delta: Fields, further: Fields = {}) => ({
      ...head,
      choices: [{ index, delta, finish_reason: null, ...further }],
    })
    expect(chunks(encoder.begin({ ...reply, fields: { event: 1 } }))).toEqual(
      [0, 1].map((index) => delta(index, { role: 'assistant', content: '' })),
    )
    expect(chunks(encoder.text(1, 'Hi.', { content: [1] }))).toEqual([delta(1, { content: 'Hi.' }, { logprobs: { content: [1] } })])
    expect(chunks(encoder.fields(0, { annotations: [1], content: 'x', tool_calls: [], role: 'x' }))).toEqual([
      delta(0, { annotations: [1] }),
    ])
    expect(chunks(encoder.end(done))).toEqual([
      delta(0, { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: call.arguments } }] }),
      { ...head, choices: [{ index: 0, delta: {}, stop_reason: 's', finish_reason: 'stop' }], stickler: choice.verdict },
    ])
    const finish = encoder.finish(reply)
    expect(chunks(finish)).toEqual([{ ...head, choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }])
    expect(finish.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('tells usage only to those who asked for it', () => {
    expect(framed((out) => chat.encoder(chat.read(ask()), out)).finish(reply)).toBe('data: [DONE]\n\n')
  })

  it('shows progress beside empty choices, before the beginning too', () => {
    const encoder = framed((out) => chat.encoder(chat.read(ask()), out))
    const event = { type: 'status', data: { description: 'Attempt 2', done: false } }
    expect(chunks(encoder.progress('Attempt 2', false))).toEqual([{ object: 'chat.completion.chunk', model: 'm', choices: [], event }])
    encoder.begin(reply)
    expect(chunks(encoder.progress('Attempt 2', false))).toMatchObject([{ id: 'chatcmpl-1', choices: [], event }])
  })

  it('breaks off with an error that has no choices and no end mark', () => {
    const error = { status: 422, message: 'm', type: 't', param: null, code: 'C', body: { choices: [], validation: {} } }
    expect(framed((out) => chat.encoder(chat.read(ask()), out)).error(error)).toBe(
      'data: {"validation":{},"error":{"message":"m","type":"t","param":null,"code":"C"}}\n\n',
    )
  })

  it('answers in the words of functions', () => {
    const encoder = framed((out) => chat.encoder(chat.read(ask()), out))
    const [first] = chunks(encoder.end({ ...choice, toolCalls: [call], message: { function_call: {} }, finishReason: 'function_call' }))
    expect(first).toMatchObject({ choices: [{ delta: { function_call: { name: 'f', arguments: call.arguments } } }] })
  })
})
