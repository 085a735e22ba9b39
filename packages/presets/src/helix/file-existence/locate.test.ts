import { describe, expect, it } from 'vitest'
import { locate } from './locate.ts'

describe('locate', () => {
  it.each([
    ['a', 'a'],
    ['./a', 'a'],
    ['a//b', 'a/b'],
    ['a/./b/', 'a/b'],
    ['a/../b', 'b'],
    ['a/b/../../c', 'c'],
    ['..a/b..', '..a/b..'],
    ['...', '...'],
    ['', ''],
    ['.', ''],
    ['a/..', ''],
    ['a b/"c"', 'a b/"c"'],
    ['a\\b', 'a\\b'],
    ['a\\..\\b', 'a\\..\\b'],
    ['a%20b', 'a%20b'],
    ['100%', '100%'],
    ['a/%2e%2e/b', 'a/%2e%2e/b'],
    ['a~', 'a~'],
    ['src/c:d', 'src/c:d'],
    ['abc:def', 'abc:def'],
    ['constructor', 'constructor'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
  ])('%j is %j', (reference, path) => {
    expect(locate(reference)).toBe(path)
  })

  it.each([
    '..',
    '../a',
    '../../etc/passwd',
    'a/../../b',
    './../a',
    '..\\a',
    'a\\..\\..\\b',
    'a/..\\../b',
    '..%2fa',
    '..%2Fa',
    '%2e%2e/a',
    '%2e%2e%5ca',
    '..%252fa',
    '%25252e%25252e%25252fa',
    'a/..%2f..%2fb',
    '/etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
    '//host/share',
    '\\\\host\\share',
    '\\a',
    '%2fetc/passwd',
    'C:\\a',
    'c:/a',
    'C:a',
    'C%3a/a',
    'file:///etc/passwd',
    'file:/etc/passwd',
    'FILE:a',
    'https://example.com/a',
    'smb://host/a',
    '~',
    '~/a',
    '~root/a',
    'a\0b',
    'a%00b',
    'x'.repeat(1025),
    'x/'.repeat(2500),
  ])('%j leads out', (reference) => {
    expect(locate(reference)).toBeUndefined()
  })

  it('is linear in the reference', () => {
    expect(locate('%25'.repeat(100_000))).toBeUndefined()
    expect(locate('%25'.repeat(341))).toBe('%25'.repeat(341))
  })
})
