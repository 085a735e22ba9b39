import { ConfigurationError } from '@stickler/core'
import { expect, test } from 'vitest'
import { readIndexAddress } from './index-address.ts'
import { openEngine } from './open-engine.ts'

test.each([
  '',
  'sqlite:',
  'sqlite://x.db',
  '//x.db',
  'postgres:secret',
  'postgres://me:sec#ret@db',
  'file:',
  'file:///',
  'file://host/x.db',
  'folder/',
  'a\0b',
  'mysql://user:secret@host/db',
  'http://user:secret@host',
])('the address %j of no index is a wrong configuration that does not repeat it', async (url) => {
  const error: unknown = await openEngine(url).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(String(error)).toMatch(/retrieval.index: /)
  expect(String(error)).not.toContain('secret')
})

test.each([
  ['/tmp/x.db', '/tmp/x.db'],
  ['x.db', 'x.db'],
  ['file:x.db', 'x.db'],
  ['file:/tmp/x.db', '/tmp/x.db'],
  ['file:///tmp/x%20y.db', '/tmp/x y.db'],
  ['sqlite:/tmp/x.db', '/tmp/x.db'],
  ['sqlite:x.db', 'x.db'],
  ['C:\\x.db', 'C:\\x.db'],
])('%j is the file %j', (address, path) => {
  expect(readIndexAddress(address)).toMatchObject({ kind: 'sqlite', path })
})

test.each([
  ['postgres://db/x', 'postgres'],
  ['postgresql://db/x', 'postgres'],
  ['elasticsearch+https://db', 'elasticsearch'],
  ['opensearch+http://db', 'opensearch'],
])('%j is a server of %s', (url, kind) => {
  expect(readIndexAddress(url)).toMatchObject({ kind, url })
})

test.each(['', 'A', 'a b', '_a', 'a'.repeat(64), 'a"b', 'ä'])('a collection is not called %j', async (collection) => {
  await expect(openEngine('x.db', { collection })).rejects.toThrow(/retrieval.collection: has at most 63/)
})
