import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { failureOf } from './failure-of.ts'

const failed = (code: string) => Object.assign(new Error(`connect ${code}`), { code })
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause })
const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more })
const circle = new Error('round and round')
circle.cause = circle
const inner = new RunnerFailure('protocol', 'inner')

describe('failureOf', () => {
  it.each<[string, unknown, object]>([
    [
      'fetch in Node',
      fetchFailed(failed('ECONNREFUSED')),
      { kind: 'connection', message: 'the provider could not be reached: ECONNREFUSED' },
    ],
    [
      'fetch without a cause',
      new TypeError('fetch failed'),
      { kind: 'connection', message: 'the provider could not be reached: fetch failed' },
    ],
    ['several addresses', fetchFailed(new AggregateError([failed('EHOSTUNREACH'), failed('ECONNREFUSED')])), { kind: 'connection' }],
    [
      'a body that breaks off',
      new TypeError('terminated', { cause: failed('UND_ERR_SOCKET') }),
      { kind: 'connection', message: 'the connection broke: UND_ERR_SOCKET', details: { isMidway: true } },
    ],
    ['the same in Chromium', new TypeError('network error'), { kind: 'connection', message: 'the connection broke: network error' }],
    [
      'the same in node-fetch',
      failed('ERR_STREAM_PREMATURE_CLOSE'),
      { kind: 'connection', message: 'the connection broke: ERR_STREAM_PREMATURE_CLOSE' },
    ],
    ['Chromium', new TypeError('Failed to fetch'), { kind: 'connection' }],
    ['Firefox', new TypeError('NetworkError when attempting to fetch resource.'), { kind: 'connection' }],
    ['Safari', new TypeError('Load failed'), { kind: 'connection' }],
    ['Deno', new TypeError('error sending request for url (http://x/): client error'), { kind: 'connection' }],
    ['Bun', Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' }), { kind: 'connection' }],
    ['a socket', failed('ECONNRESET'), { kind: 'connection' }],
    ['a name', failed('ENOTFOUND'), { kind: 'connection' }],
    ['a certificate', fetchFailed(failed('CERT_HAS_EXPIRED')), { kind: 'connection' }],
    ['a time limit of the system', failed('ETIMEDOUT'), { kind: 'timeout' }],
    ['a time limit of undici', fetchFailed(failed('UND_ERR_HEADERS_TIMEOUT')), { kind: 'timeout' }],
    ['a signal that timed out', named('TimeoutError'), { kind: 'timeout' }],
    ['an abort because of a time limit', named('AbortError', { cause: named('TimeoutError') }), { kind: 'timeout' }],
    ['not HTTP', fetchFailed(failed('HPE_INVALID_CONSTANT')), { kind: 'protocol' }],
    ['an abort', new DOMException('This operation was aborted', 'AbortError'), { kind: 'aborted' }],
    ['an abort of axios', Object.assign(new Error('canceled'), { name: 'CanceledError', code: 'ERR_CANCELED' }), { kind: 'aborted' }],
    [
      'a status of axios',
      Object.assign(new Error('Request failed with status code 429'), {
        response: { status: 429, headers: { 'retry-after': '2' }, data: { error: { message: 'slow down' } } },
      }),
      { kind: 'http', message: 'the provider answered with status 429: slow down', details: { status: 429, retryAfterMs: 2000 } },
    ],
    ['a status of AWS', named('ThrottlingException', { $metadata: { httpStatusCode: 429 } }), { kind: 'http', details: { status: 429 } }],
    ['a status of a cause', new Error('outer', { cause: named('Error', { status: 503 }) }), { kind: 'http', details: { status: 503 } }],
    ['a failure of a runner inside', new Error('outer', { cause: inner }), inner],
  ])('knows %s', (_, thrown, expected) => {
    expect(failureOf(thrown)).toMatchObject(expected)
    if (!(expected instanceof RunnerFailure)) expect(failureOf(thrown).details.cause).toBe(thrown)
  })

  it.each<[string, unknown]>([
    ['a bug', new TypeError('x is not a function')],
    ['a file that is not there', failed('ENOENT')],
    ['a status of success', named('Error', { status: 200 })],
    ['a status in words', named('Error', { status: 'busy' })],
    ['a status of 64 bits', named('Error', { status: 2 ** 40 })],
    ['text', 'fetch failed'],
    ['nothing', undefined],
    ['null', null],
    ['a circle', circle],
    [
      'fields that throw',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
        },
      ),
    ],
    ['a long message', new Error(`fetch failed${'!'.repeat(1e6)}`)],
  ])('takes %s for a crash', (_, thrown) => {
    expect(failureOf(thrown)).toMatchObject({ kind: 'crash' })
  })

  it('has a failure for everything that can be thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withTypedArray: true }), (thrown) => {
        expect(failureOf(thrown)).toBeInstanceOf(RunnerFailure)
        expect(failureOf(Object.assign(new Error('x'), { cause: thrown, headers: thrown, response: thrown, status: 503 }))).toMatchObject({
          details: { status: 503 },
        })
      }),
    )
  })
})
