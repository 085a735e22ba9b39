import { ConfigurationError } from '@stickler/core'
import { expect, test } from 'vitest'
import { completeOptions } from './store/store-options.ts'
import { readStoreUrl } from './store-url.ts'

test.each([
  ['sqlite:state/a.db', { engine: 'sqlite', path: 'state/a.db', memory: false }],
  ['sqlite:/var/lib/a b.db', { engine: 'sqlite', path: '/var/lib/a b.db', memory: false }],
  ['sqlite::memory:', { engine: 'sqlite', path: ':memory:', memory: true }],
  ['postgres://u:p@h:5432/d', { engine: 'postgres', url: 'postgres://u:p@h:5432/d' }],
  ['postgresql://h/d?sslmode=require', { engine: 'postgres', url: 'postgresql://h/d?sslmode=require' }],
])('%s', (url, expected) => {
  expect(readStoreUrl(url)).toEqual(expected)
})

test.each([
  '',
  'sqlite:',
  'sqlite://canary',
  'sqlite:canary\0',
  'canary.db',
  'mysql://u:canary@h/d',
  'postgres:canary',
  'postgres://u:can#ary@h/d',
  'postgres://u:canary@h:99999999/d',
  'postgres://[canary',
])('%j is refused without being repeated', (url) => {
  expect(() => readStoreUrl(url)).toThrow(ConfigurationError)
  expect(() => readStoreUrl(url)).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/canary|can#ary/) }))
})

test('impossible numbers are all named', () => {
  const options = { url: 'sqlite::memory:', folder: '.', keepText: false, now: Date.now }
  expect(completeOptions(options)).toMatchObject({ whenFull: 'reject', keepAuditText: false, batchMs: 100, retentionDays: undefined })
  expect(() => completeOptions({ ...options, poolSize: 0, retentionDays: Number.NaN, batchMs: -1, segmentBytes: 1.5 })).toThrow(
    /retentionDays.*segmentBytes.*batchMs.*poolSize/s,
  )
})
