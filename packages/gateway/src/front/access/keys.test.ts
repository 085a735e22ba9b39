import { createHash } from 'node:crypto'
import { ConfigurationError } from '@stickler/core'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { createKeyring, expiredKeys, namingKeys } from './keys.ts'
import { authenticate } from './roles.ts'

const hex = (text: string) => createHash('sha256').update(text).digest('hex')
const noon = Date.parse('2026-06-15T12:00:00Z')
const ring = (keys: string | readonly string[], now = noon) => createKeyring({ clients: keys }, () => now)

describe('namingKeys', () => {
  const names = namingKeys('web:key-of-web,old:key-of-old:2020-01-01', () => noon)
  it.each([
    ['key-of-web', { key: 'web', role: 'client' }],
    ['key-of-old', { key: '', role: 'local' }],
    ['another-key', { key: '', role: 'local' }],
    ['', { key: '', role: 'local' }],
  ])('%j is %j', (key, identity) => {
    expect(names.size).toBe(0)
    expect(authenticate({ authorization: `Bearer ${key}` }, names)).toEqual(identity)
  })

  it('name nobody where keys are needed', () => {
    expect(() => authenticate({ authorization: 'Bearer key-of-web' }, ring('me:secret-one'))).toThrow('A valid API key')
  })
})

describe('createKeyring', () => {
  it.each([
    ['secret-one', 'secret-one', 'key-8f3ae6cd'],
    ['me:secret-one', 'secret-one', 'me'],
    ['a:aaaaaaaa,b:bbbbbbbb\nc:cccccccc\n', 'cccccccc', 'c'],
    [' a:aaaaaaaa \r\n, ,\n b:bbbbbbbb', 'bbbbbbbb', 'b'],
    [`me:sha256:${hex('secret-one')}`, 'secret-one', 'me'],
    [`me:sha256:${hex('secret-one').toUpperCase()}`, 'secret-one', 'me'],
    ['me:secret-one:2026-06-15', 'secret-one', 'me'],
    ['secret-one:2026-06-15', 'secret-one', 'key-8f3ae6cd'],
    [`me:sha256:${hex('secret-one')}:2026-12-31`, 'secret-one', 'me'],
    ['me:old-secret:2020-01-01,me:new-secret', 'new-secret', 'me'],
  ])('%j knows %j as %s', (keys, key, name) => {
    expect(ring(keys).identify(key)).toEqual({ key: name, role: 'client' })
  })

  it.each([
    ['me:secret-one', ''],
    ['me:secret-one', 'me'],
    ['me:secret-one', 'me:secret-one'],
    ['me:secret-one', 'secret-on'],
    ['me:secret-one', 'secret-one '],
    ['me:secret-one', 'secret-onee'],
    ['me:secret-one', 'SECRET-ONE'],
    ['me:secret-one', hex('secret-one')],
    [`me:sha256:${hex('secret-one')}`, hex('secret-one')],
    [`me:sha256:${hex('secret-one')}`, `sha256:${hex('secret-one')}`],
    ['me:secret-one:2026-06-14', 'secret-one'],
    ['', ''],
    ['me:secret-one', 'x'.repeat(100_000)],
    ['me:secret-one', '\ud800\0€'],
  ])('%j does not know %j', (keys, key) => {
    expect(ring(keys).identify(key)).toBeUndefined()
  })

  it('knows an old and a new key of one name while both are valid', () => {
    const keys = 'alice:old-key-of-alice:2026-06-15,alice:new-key-of-alice'
    const names = (now: number) => ['old-key-of-alice', 'new-key-of-alice'].map((key) => ring(keys, now).identify(key)?.key)
    expect(names(noon)).toEqual(['alice', 'alice'])
    expect(expiredKeys(keys, noon)).toEqual([])
    expect(names(noon + 86_400_000)).toEqual([undefined, 'alice'])
    expect(expiredKeys(keys, noon + 86_400_000)).toEqual(['alice'])
  })

  it('ends with the last day, in UTC', () => {
    const keys = 'me:secret-one:2026-06-15'
    expect(ring(keys, Date.parse('2026-06-15T23:59:59.999Z')).identify('secret-one')).toEqual({ key: 'me', role: 'client' })
    expect(ring(keys, Date.parse('2026-06-16T00:00:00Z')).identify('secret-one')).toBeUndefined()
  })

  it.each([
    ['short', 'is shorter than 8 characters'],
    ['me:', 'is shorter'],
    [':secret-one', 'has a name'],
    ['m e:secret-one', 'has a name'],
    [`${'x'.repeat(65)}:secret-one`, 'has a name'],
    ['me:sec ret-one', 'has characters'],
    ['me:secret-önë', 'has characters'],
    [`me:${'x'.repeat(513)}`, 'has characters'],
    ['me:sha256:abc', '64 hexadecimal digits'],
    ['me:secret-one:tomorrow', 'is neither'],
    ['me:secret-one:2026-13-01', 'is neither'],
    ['me:secret-one:2026-01-01:2027-01-01', 'is neither'],
    ['a:secret-one,b:secret-one', 'is duplicated'],
    [`a:secret-one,b:sha256:${hex('secret-one')}`, 'is duplicated'],
  ])('%j is refused, without a word of it', (keys, message) => {
    expect(() => ring(keys)).toThrow(ConfigurationError)
    expect(() => ring(keys)).toThrow(message)
    expect(() => ring(keys)).not.toThrow('secret-')
  })

  it('more than 1000 keys are refused', () => {
    expect(() => ring(Array.from({ length: 1001 }, (_, index) => `secret-${index}`))).toThrow('at most 1000')
  })

  it('finds one of a thousand keys about as fast as one of two', async () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `name-${index}:secret-of-${index}`)
    const timeOf = (keys: ReturnType<typeof ring>) =>
      processorMs(() => {
        for (let round = 0; round < 20_000; round++) keys.identify('secret-of-1')
      })
    const [few, many] = [ring(texts.slice(0, 2)), ring(texts)]
    expect(texts.map((_, index) => many.identify(`secret-of-${index}`)?.key)).toEqual(texts.map((_, index) => `name-${index}`))
    const rounds: (readonly [number, number])[] = []
    for (let turn = 0; turn < 3; turn++) rounds.push([await timeOf(few), await timeOf(many)])
    expect(Math.min(...rounds.map(([, time]) => time))).toBeLessThan(5 * Math.min(...rounds.map(([time]) => time)))
  })
})
