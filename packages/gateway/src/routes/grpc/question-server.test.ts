import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { afterEach, describe, expect, test } from 'vitest'
import { answered, type Script, saying, serveGrpc } from './testing/serve-grpc.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const serve = (script: Script) => serveGrpc(script, closing)

const ways = ['AskAgent', 'AskAgentStream'] as const
const textOf = (messages: readonly { readonly text: string }[]): string => messages.map(({ text }) => text).join('')

describe('answers', () => {
  test('AskAgent: one final message; AskAgentStream: text, then a final message without any', async () => {
    const pieces = ['Grass ', 'is ', '\ud83d', '\ude00 ', 'green.']
    const { client, ended } = await serve({ answer: saying(pieces, { validation_status: 'INVALID_UNRESOLVED' }) })
    const last = { avapCode: '', isFinal: true, validationStatus: 'INVALID_UNRESOLVED' }
    const whole = await client.ask('AskAgent', 'Which colour?', '', { metadata: { 'x-request-id': 'abc' } })
    expect(whole).toMatchObject({ code: status.OK, messages: [{ text: pieces.join(''), ...last }], headers: { 'x-request-id': 'abc' } })
    const streamed = await client.ask('AskAgentStream', 'Which colour?')
    expect(streamed.messages.at(-1)).toEqual({ text: '', ...last })
    const before = streamed.messages.slice(0, -1)
    expect(textOf(before)).toBe(pieces.join(''))
    for (const message of before) expect(message).toMatchObject({ isFinal: false, avapCode: '', validationStatus: '' })
    await expect.poll(() => ended.map(({ end }) => end.status)).toEqual([200, 200])
  })

  test('code is in the final message, as it was validated, of answers with code alone', async () => {
    const text = 'Here:\n\n```avap\naddVar(a, 1)\n```\n\nand\n\n```avap\naddResult(a)\n```\n'
    const { client } = await serve({
      answer: async function* ({ question }) {
        yield text
        return answered(text, { type: question })
      },
    })
    for (const way of ways) {
      const coded = await client.ask(way, 'CODE_GENERATION')
      expect(coded.messages.at(-1)).toMatchObject({ isFinal: true, avapCode: 'addVar(a, 1)\n\naddResult(a)\n' })
      expect((await client.ask(way, 'RETRIEVAL')).messages.at(-1)?.avapCode).toBe('')
    }
  })

  test('many small pieces become few messages, and the first one does not wait', async () => {
    const pieces = Array.from({ length: 2000 }, (_, index) => `word${index} `)
    const { client } = await serve({ answer: saying(pieces) })
    const { messages } = await client.ask('AskAgentStream', 'Many?')
    expect(messages[0]?.text).toBe('word0 ')
    expect(textOf(messages)).toBe(pieces.join(''))
    expect(messages.length).toBeLessThan(60)
  })

  test('a client that knows fields 1 to 3 alone reads the same answers', async () => {
    const { client } = await serve({ answer: saying(['Hello.'], { validation_status: 'PARSER_UNAVAILABLE' }) })
    const folder = await mkdtemp(join(tmpdir(), 'stickler-proto-'))
    closing.push(() => rm(folder, { recursive: true }))
    await writeFile(
      `${folder}/old.proto`,
      'syntax = "proto3"; package brunix; service AssistanceEngine {\n' +
        '  rpc AskAgent(AgentRequest) returns (stream AgentResponse); rpc AskAgentStream(AgentRequest) returns (stream AgentResponse); }\n' +
        'message AgentRequest { string query = 1; string session_id = 2; } message AgentResponse { string text = 1; string avap_code = 2; bool is_final = 3; }\n',
    )
    const methods = loadSync(`${folder}/old.proto`, { defaults: true, keepCase: true })['brunix.AssistanceEngine'] as unknown as Record<
      (typeof ways)[number],
      MethodDefinition<object, object>
    >
    const read = async (way: (typeof ways)[number]): Promise<readonly object[]> => {
      const { path, requestSerialize, responseDeserialize } = methods[way]
      const messages: object[] = []
      const query = { query: 'Old?' }
      const stream = client.client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, query, new Metadata())
      for await (const message of stream) messages.push(message as object)
      return messages
    }
    expect(await read('AskAgent')).toEqual([{ text: 'Hello.', avap_code: '', is_final: true }])
    expect(await read('AskAgentStream')).toEqual([
      { text: 'Hello.', avap_code: '', is_final: false },
      { text: '', avap_code: '', is_final: true },
    ])
  })
})

test.each([Buffer.alloc(0), Buffer.from([0xff, 0x01, 0x80])])(
  'EvaluateRAG is answered with what to use in its place, whatever is sent',
  async (bytes) => {
    const { client } = await serve({ answer: saying(['Hello.']) })
    const same = (given: Buffer): Buffer => given
    const error = await new Promise<ServiceError | null>((resolve) =>
      client.client.makeUnaryRequest('/brunix.AssistanceEngine/EvaluateRAG', same, same, bytes, (failure) => resolve(failure)),
    )
    expect(error).toMatchObject({
      code: status.UNIMPLEMENTED,
      details: expect.stringMatching(/EvaluateRAG is not part of this service.*AskAgent/),
    })
  },
)

describe('conversations', () => {
  test('earlier answers belong to the question of the same caller and session, and to no other', async () => {
    const { client, asked } = await serve({
      keys: 'alice:alice-key-1,bob:bob-key-12',
      answer: async function* ({ question }) {
        yield question
        return question.startsWith('fail') ? { ok: false, status: 502, error: 'the provider failed' } : answered(`re: ${question}`)
      },
    })
    const as = (key: string) => ({ metadata: { authorization: `Bearer ${key}` } })
    await client.ask('AskAgent', 'one', 's', as('alice-key-1'))
    await client.ask('AskAgentStream', 'fail', 's', as('alice-key-1'))
    await client.ask('AskAgentStream', 'two', 's', as('alice-key-1'))
    await client.ask('AskAgent', 'three', 's', as('alice-key-1'))
    await client.ask('AskAgent', 'other', 's', as('bob-key-12'))
    await client.ask('AskAgent', 'none', '', as('alice-key-1'))
    const said = asked.map(({ question }) => question.history.map(({ content }) => content))
    expect(said).toEqual([[], ['one', 're: one'], ['one', 're: one'], ['one', 're: one', 'two', 're: two'], [], []])
  })
})

describe('keys', () => {
  const script = { keys: 'alice:alice-key-1,gone:gone-key-1:2020-01-01', operators: 'olga:olga-key-1', answer: saying(['Hi.']) }
  test.each<[string, Readonly<Record<string, string | readonly string[]>>, number]>([
    ['none', {}, status.UNAUTHENTICATED],
    ['a wrong one', { authorization: 'Bearer wrong-key' }, status.UNAUTHENTICATED],
    ['one that has expired', { authorization: 'Bearer gone-key-1' }, status.UNAUTHENTICATED],
    ['another scheme', { authorization: 'Basic alice-key-1' }, status.UNAUTHENTICATED],
    ['one in each place', { authorization: 'Bearer alice-key-1', 'x-api-key': 'alice-key-1' }, status.UNAUTHENTICATED],
    ['one twice', { 'x-api-key': ['alice-key-1', 'alice-key-1'] }, status.UNAUTHENTICATED],
    ['that of an operator', { authorization: 'Bearer olga-key-1' }, status.PERMISSION_DENIED],
    ['a bearer', { authorization: 'bearer alice-key-1' }, status.OK],
    ['an API key', { 'x-api-key': 'alice-key-1' }, status.OK],
  ])('%s', async (_, metadata, code) => {
    const { client, asked, refused, ended } = await serve(script)
    const reply = await client.ask('AskAgent', 'Who?', '', { metadata })
    expect(reply.code).toBe(code)
    if (code === status.OK) expect(asked[0]?.caller.identity).toEqual({ key: 'alice', role: 'client' })
    else expect([asked, refused.length]).toEqual([[], 1])
    if (code === status.UNAUTHENTICATED) expect(reply.details).toBe('A valid API key is required.')
    expect(reply.details).not.toContain('key-1')
    if (code !== status.OK) expect(reply.trailers).toMatchObject({ 'x-request-id': 'id-1' })
    await expect.poll(() => ended.length).toBe(1)
  })

  test('without keys only this machine is served', async () => {
    await expect(serve({ answer: saying([]), options: { host: '0.0.0.0' } })).rejects.toThrow(
      /^grpc\.host: without API keys the gateway listens on a loopback address only/,
    )
  })
})

describe('questions that are not put to anybody', () => {
  test.each<[string, { query?: string; session?: string; bytes?: Buffer }, number, string | RegExp]>([
    ['an empty query', { query: '' }, status.INVALID_ARGUMENT, 'query: must be a non-empty string'],
    ['a query of white space', { query: ' \n\t' }, status.INVALID_ARGUMENT, /non-empty/],
    ['a session that is too long', { query: 'q', session: 'x'.repeat(257) }, status.INVALID_ARGUMENT, /^session_id: /],
    ['bytes that are no message', { bytes: Buffer.from([0x0f]) }, status.INVALID_ARGUMENT, 'the request is not an AgentRequest'],
    ['a text that is not UTF-8', { bytes: Buffer.from([0x0a, 2, 0xc3, 0x28]) }, status.INVALID_ARGUMENT, /not UTF-8/],
    ['a message that is too large', { query: 'x'.repeat(4 * 1024 * 1024) }, status.RESOURCE_EXHAUSTED, /larger than max/],
  ])('%s', async (_, { query = '', session = '', bytes }, code, details) => {
    const { client, asked } = await serve({ answer: saying(['Hi.']) })
    for (const way of ways) {
      const reply = await client.ask(way, query, session, bytes === undefined ? {} : { bytes })
      expect(reply).toMatchObject({ code, messages: [] })
      expect(reply.details).toMatch(details)
    }
    expect(asked).toEqual([])
    expect(await client.ask('AskAgent', 'U+FFFD \ufffd is a character.')).toMatchObject({ code: status.OK })
  })
})
