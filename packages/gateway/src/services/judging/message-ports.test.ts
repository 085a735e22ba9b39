import { expect, test } from 'vitest'
import { MessagePorts } from './message-ports.ts'
import type { FromThread } from './messages.ts'

function setting() {
  const told: FromThread[] = []
  const shared = new MessagePorts((message) => told.push(message))
  return { told, parser: shared.ports.parser, shared }
}

test('answers come to whoever asked, in any order', async () => {
  const { told, parser, shared } = setting()
  const first = parser.parse('json', '{}')
  const second = parser.parse('json', '{')
  expect(told).toEqual([
    { call: 1, asks: { port: 'parser', language: 'json', source: '{}' } },
    { call: 2, asks: { port: 'parser', language: 'json', source: '{' } },
  ])
  shared.take(2, { value: { verdict: 'unsupported' } })
  shared.take(1, { value: { verdict: 'valid' } })
  expect([await first, await second]).toEqual([{ verdict: 'valid' }, { verdict: 'unsupported' }])
})

test('why there is no verdict is told as the parser told it', async () => {
  const { parser, shared } = setting()
  const asked = parser.parse('json', '{}')
  shared.take(1, { message: 'gone', reason: 'open' })
  await expect(asked).rejects.toMatchObject({ name: 'ValidatorUnavailable', message: 'gone', reason: 'open' })
})

test('a check that is over does not wait, and what comes late is ignored', async () => {
  const { told, parser, shared } = setting()
  const over = new AbortController()
  const asked = parser.parse('json', '{}', over.signal)
  over.abort()
  await expect(asked).rejects.toMatchObject({ reason: 'aborted' })
  shared.take(1, { value: { verdict: 'valid' } })
  shared.take(7, { value: { verdict: 'valid' } })
  await expect(parser.parse('json', '{}', over.signal)).rejects.toMatchObject({ reason: 'aborted' })
  expect(told).toHaveLength(1)
})
