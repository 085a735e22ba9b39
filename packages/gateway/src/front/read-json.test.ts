import { isDeeperThan } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonBody } from './client-exchange.ts'

const read = (body: string | Buffer, maxDepth = 256) => parseJsonBody(typeof body === 'string' ? Buffer.from(body) : body, maxDepth).value

function codeOf(body: string | Buffer): unknown {
  try {
    return read(body)
  } catch (thrown) {
    if (thrown instanceof HttpError) return `${thrown.status} ${thrown.details.code}`
    throw thrown
  }
}

const nested = (open: string, close: string, depth: number) => `{"a":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`

describe('parseJsonBody', () => {
  const good: [name: string, body: string | Buffer, value: unknown][] = [
    ['an object', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['white space around', ' \r\n\t{"a":1}\n', { a: 1 }],
    ['a byte order mark', Buffer.from('\ufeff{"a":1}'), { a: 1 }],
    ['the last of two equal keys', '{"model":"a","model":"b"}', { model: 'b' }],
    ['a lone surrogate', '{"a":"\\ud800"}', { a: '\ud800' }],
    ['a NUL', '{"a":"\\u0000"}', { a: '\0' }],
    ['many languages', '{"ä":"€😀\u2028"}', { ä: '€😀\u2028' }],
    ['text about __proto__', '{"a":"what is __proto__? \\u0041"}', { a: 'what is __proto__? A' }],
    ['256 arrays', nested('[', ']', 256), expect.any(Object)],
    ['256 objects', nested('{"a":', '}', 256), expect.any(Object)],
    ['brackets in text', `{"a":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}\\\\"}`, expect.any(Object)],
    ['many side by side', `{"a":[${'[],'.repeat(10_000)}[]]}`, expect.any(Object)],
    ['constructor and prototype as plain keys', '{"constructor":{"prototype":{"a":1}}}', { constructor: { prototype: { a: 1 } } }],
  ]
  it.each(good)('%s', (_name, body, value) => {
    expect(read(body)).toEqual(value)
  })

  const bad: [name: string, body: string | Buffer, error: string][] = [
    ['nothing', '', '400 invalid_json'],
    ['half an object', '{"a":', '400 invalid_json'],
    ['two objects', '{}{}', '400 invalid_json'],
    ['a comment', '{} // x', '400 invalid_json'],
    ['single quotes', "{'a':1}", '400 invalid_json'],
    ['NaN', '{"a":NaN}', '400 invalid_json'],
    ['a raw line break in a string', '{"a":"\n"}', '400 invalid_json'],
    ['an array', '[]', '400 not_an_object'],
    ['null', 'null', '400 not_an_object'],
    ['a string', '"a"', '400 not_an_object'],
    ['a number', '1', '400 not_an_object'],
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '400 invalid_utf8'],
    ['half a character', Buffer.from('{"a":"€').subarray(0, -1), '400 invalid_utf8'],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), '400 invalid_utf8'],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), '400 invalid_utf8'],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le'), '400 invalid_utf8'],
    ['a second byte order mark', Buffer.from('\ufeff\ufeff{}'), '400 invalid_json'],
    ['257 arrays', nested('[', ']', 257), '400 nested_too_deeply'],
    ['100 000 brackets', '['.repeat(100_000), '400 nested_too_deeply'],
    ['50 000 objects', '{"a":'.repeat(50_000), '400 nested_too_deeply'],
    ['__proto__', '{"__proto__":{"polluted":1}}', '400 forbidden_key'],
    ['__proto__ deep inside', '{"a":[1,{"b":{"__proto__":null}}]}', '400 forbidden_key'],
    ['__proto__ in disguise', '{"\\u005f_pr\\u006fto__":1}', '400 forbidden_key'],
    ['__proto__ in another disguise', '{"__\\u0070roto__":1}', '400 forbidden_key'],
  ]
  it.each(bad)('%s is refused', (_name, body, error) => {
    expect(codeOf(body)).toBe(error)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('takes every JSON object as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        expect(codeOf(text)).toEqual(text.includes('"__proto__":') ? '400 forbidden_key' : JSON.parse(text))
      }),
    )
  })
})

describe('isDeeperThan', () => {
  it('counts as a parser does', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.json({ depthSize: 'large' }), fc.nat(6), (text, limit) => {
        expect(isDeeperThan(text, limit)).toBe(depthOf(JSON.parse(text)) > limit)
      }),
    )
  })

  it.each([['"'.repeat(1_000_001)], ['\\'.repeat(1_000_000)], [`"${'\\'.repeat(1_000_000)}"`], [`"${'\\"'.repeat(500_000)}`]])(
    'comes to an end with quotes and backslashes',
    (text) => {
      expect(isDeeperThan(text, 10)).toBe(false)
    },
  )
})
