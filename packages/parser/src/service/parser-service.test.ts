import { status } from '@grpc/grpc-js'
import { ParserUnavailable } from '@stickler/core/validators'
import { afterEach, describe, expect, test } from 'vitest'
import { certificate } from '../../../../e2e/support/certificate.ts'
import { grpcParser } from '../client/grpc-parser.ts'
import { fakeParser } from '../testing/fake-parser.ts'
import { rawClient } from '../testing/raw-client.ts'
import { loadParserProto } from '../wire/parser-proto.ts'
import { type ParserServiceOptions, startParserService } from './parser-service.ts'

const { methods } = loadParserProto()
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(options: ParserServiceOptions) {
  const service = await startParserService(options)
  closing.push(() => service.close(0))
  const raw = rawClient(service.port)
  closing.push(raw.close)
  const client = grpcParser({ url: `grpc://127.0.0.1:${service.port}` })
  closing.push(client.close)
  return { service, raw, client }
}

const fault = { line: 2, column: 3, endLine: 2, endColumn: 5, message: 'Close the bracket.', suggestion: ')' }

describe('verdicts', () => {
  test('pass in both directions', async () => {
    const { suggestion: _, ...plain } = fault
    const answers = {
      good: { verdict: 'valid' },
      bad: { verdict: 'invalid', trace: [fault, plain] },
      odd: { verdict: 'unsupported' },
    } as const
    const parser = fakeParser(({ language }) => answers[language as keyof typeof answers])
    const { client } = await serve({ parser })
    const source = 'a\nb (c\r\n\ud83d\ude00 \ud800'
    expect(await client.parse('Good {1,3}', source)).toEqual(answers.good)
    expect(await client.parse('bad', source)).toEqual(answers.bad)
    expect(await client.parse('odd', source)).toEqual(answers.odd)
    expect(await client.languages()).toEqual(['fake'])
    // Half of a surrogate pair cannot be sent; the columns behind it stay.
    expect(parser.calls[0]).toMatchObject({ language: 'good', source: 'a\nb (c\r\n\ud83d\ude00 \ufffd' })
  })

  test('a language that is no name needs no call', async () => {
    const parser = fakeParser()
    const { client } = await serve({ parser })
    for (const tag of ['', ' ', '{1,3}', 'x'.repeat(101)]) expect(await client.parse(tag, 'x')).toEqual({ verdict: 'unsupported' })
    expect(parser.calls).toEqual([])
  })
})

describe('calls without a verdict', () => {
  test.each([
    ['no language', { language: ' ', source: 'x' }, 'language is missing'],
    ['a language that is too long', { language: 'x'.repeat(201), source: 'x' }, 'language is longer than 200 characters'],
    ['bytes that are no message', Buffer.from([0x0f]), 'the request is not a ParseRequest'],
  ])('%s: INVALID_ARGUMENT', async (_, request, details) => {
    const parser = fakeParser()
    const { raw } = await serve({ parser })
    expect(await raw.call(methods.Parse, request)).toEqual({ code: status.INVALID_ARGUMENT, details })
    expect(parser.calls).toEqual([])
  })

  test('a message over the limit: RESOURCE_EXHAUSTED, and the next call is answered', async () => {
    const { raw } = await serve({ parser: fakeParser(), messageLimit: 10_000 })
    expect(await raw.call(methods.Parse, { language: 'x', source: 'x'.repeat(10_000) })).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
    expect(await raw.call(methods.Parse, { language: 'x', source: 'x'.repeat(9000) })).toMatchObject({ reply: { verdict: 'VALID' } })
  })

  test.each([
    ['too large to parse', new ParserUnavailable('the code is larger than 5 bytes', 'too-large'), status.RESOURCE_EXHAUSTED, []],
    ['too hard to parse', new ParserUnavailable('parsing took longer than 5 ms', 'too-hard'), status.RESOURCE_EXHAUSTED, []],
    [
      'a parser that cannot work',
      new ParserUnavailable('the grammar did not load', 'fault'),
      status.UNAVAILABLE,
      ['the grammar did not load'],
    ],
    ['a program that is wrong', new TypeError('secret\ninside'), status.INTERNAL, ['secret inside']],
  ])('%s', async (_, error, code, logged) => {
    const faults: string[] = []
    const parser = fakeParser(() => {
      throw error
    })
    const { raw } = await serve({ parser, onFault: (message) => faults.push(message) })
    const ended = await raw.call(methods.Parse, { language: 'x', source: 'x' })
    expect(ended).toMatchObject({ code })
    expect(JSON.stringify(ended)).not.toContain('secret')
    expect(faults).toEqual(logged)
  })

  test('calls over the limit are turned away at once, and there is room again afterwards', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const parser = fakeParser(async () => {
      await held
      return { verdict: 'valid' }
    })
    const { raw } = await serve({ parser, inFlight: 3 })
    const call = () => raw.call(methods.Parse, { language: 'x', source: 'x' })
    const first = [call(), call(), call()]
    await expect.poll(() => parser.calls.length).toBe(3)
    expect(await call()).toMatchObject({ code: status.UNAVAILABLE })
    release()
    for (const ended of await Promise.all(first)) expect(ended).toMatchObject({ reply: { verdict: 'VALID' } })
    expect(await call()).toMatchObject({ reply: { verdict: 'VALID' } })
  })

  test('a deadline that passes reaches the parser', async () => {
    const parser = fakeParser(
      ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('gone')))),
    )
    const { raw } = await serve({ parser })
    expect(await raw.call(methods.Parse, { language: 'x', source: 'x' }, 100)).toMatchObject({ code: status.DEADLINE_EXCEEDED })
    await expect.poll(() => parser.calls[0]?.signal?.aborted).toBe(true)
  })
})

describe('TLS', () => {
  test('a grpcs client that trusts the authority gets verdicts, others none', async () => {
    const { service } = await serve({ parser: fakeParser(), tls: certificate, host: '0.0.0.0' })
    const at = (url: string, more: object = {}) => {
      const client = grpcParser({ url: `${url}:${service.port}`, ...more })
      closing.push(client.close)
      return client.parse('x', 'x')
    }
    expect(await at('grpcs://localhost', { ca: certificate.cert })).toEqual({ verdict: 'valid' })
    expect(await at('grpcs://127.0.0.1', { ca: certificate.cert })).toEqual({ verdict: 'valid' })
    // The certificate is not for this address.
    await expect(at('grpcs://127.0.0.2', { ca: certificate.cert })).rejects.toMatchObject({ reason: 'fault' })
    await expect(at('grpcs://localhost')).rejects.toMatchObject({ reason: 'fault', message: expect.stringContaining('certificate') })
    await expect(at('grpc://localhost')).rejects.toMatchObject({ reason: 'fault' })
  })

  test('a certificate that is none is refused at the start', async () => {
    await expect(startParserService({ parser: fakeParser(), tls: { cert: 'x', key: 'y' } })).rejects.toThrow(
      /: the certificate or its key is wrong$/,
    )
  })
})

describe('start and end', () => {
  test('a port that is taken is refused, and the parser closed', async () => {
    const { service } = await serve({ parser: fakeParser() })
    const parser = fakeParser()
    await expect(startParserService({ parser, port: service.port })).rejects.toThrow(
      /^cannot listen on 127\.0\.0\.1:\d+: the port is in use; choose another with --port or in the configuration$/,
    )
    expect(parser.isClosed).toBe(true)
  })

  test('calls under way are answered, new ones refused', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const parser = fakeParser(async () => {
      await held
      return { verdict: 'valid' }
    })
    const { service, raw, client } = await serve({ parser })
    await client.ready()
    const call = raw.call(methods.Parse, { language: 'x', source: 'x' })
    await expect.poll(() => parser.calls.length).toBe(1)
    const closed = service.close(5000)
    await expect(client.parse('x', 'x')).rejects.toMatchObject({ reason: 'fault' })
    expect(parser.isClosed).toBe(false)
    release()
    expect(await call).toMatchObject({ reply: { verdict: 'VALID' } })
    await closed
    expect(parser.isClosed).toBe(true)
    await expect(client.ready()).rejects.toMatchObject({ reason: 'fault' })
  })

  test('a call that never ends does not outlive the grace', async () => {
    const parser = fakeParser(() => new Promise(() => {}))
    const { service, raw } = await serve({ parser })
    const call = raw.call(methods.Parse, { language: 'x', source: 'x' })
    await expect.poll(() => parser.calls.length).toBe(1)
    await service.close(50)
    expect(await call).toHaveProperty('code')
  })
})
