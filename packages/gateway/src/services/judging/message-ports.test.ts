import { expect, test } from 'vitest'
import { MessageParser } from './message-ports.ts'
import type { FromThread } from './messages.ts'

function setting() {
  const told: FromThread[] = []
  return { told, parser: new MessageParser((message) => told.push(message)) }
}

test('answers come to whoever asked, in any order', async () => {
  const { told, parser } = setting()
  const first = parser.parse('json', '{}')
  const second = parser.parse('json', '{')
  expect(told).toEqual([
    { parse: 1, language: 'json', source: '{}' },
    { parse: 2, language: 'json', source: '{' },
  ])
  parser.take(2, { verdict: 'unsupported' })
  parser.take(1, { verdict: 'valid' })
  expect([await first, await second]).toEqual([{ verdict: 'valid' }, { verdict: 'unsupported' }])
})

test('why there is no verdict is told as the parser told it', async () => {
  const { parser } = setting()
  const asked = parser.parse('json', '{}')
  parser.take(1, { message: 'gone', reason: 'open' })
  await expect(asked).rejects.toMatchObject({ name: 'ValidatorUnavailable', message: 'gone', reason: 'open' })
})

test('a check that is over does not wait, and what comes late is ignored', async () => {
  const { told, parser } = setting()
  const over = new AbortController()
  const asked = parser.parse('json', '{}', over.signal)
  over.abort()
  await expect(asked).rejects.toMatchObject({ reason: 'aborted' })
  parser.take(1, { verdict: 'valid' })
  parser.take(7, { verdict: 'valid' })
  await expect(parser.parse('json', '{}', over.signal)).rejects.toMatchObject({ reason: 'aborted' })
  expect(told).toHaveLength(1)
})
