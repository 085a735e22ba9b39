import { expect, test } from 'vitest'
import { keptModel, keptReason } from './stored-names.ts'

test.each([
  ['stop', 'stop'],
  ['MAX_TOKENS', 'MAX_TOKENS'],
  ['refusal', 'refusal'],
  ['other', 'other'],
  ['canary', 'other'],
  ['sk-upstream-abcdef123456', 'other'],
  ['stop: canary', 'other'],
  ['stop:canary', 'other'],
  ['', 'other'],
])('the finish reason %j is kept as %j', (reason, kept) => {
  expect(keptReason(reason)).toBe(kept)
})

test.each([
  ['gpt-4o', 'gpt-4o'],
  ['gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
  ['gpt-4o:latest', 'gpt-4o:latest'],
  ['mine', 'mine'],
  ['mine-2', 'mine-2'],
  ['gpt-4ocanary', 'gpt-4o'],
  ['gpt-4o-2 said the canary', 'gpt-4o'],
  [`gpt-4o-${'x'.repeat(100)}`, 'gpt-4o'],
  ['canary', 'gpt-4o'],
  ['', 'gpt-4o'],
])('the model %j is kept as %j', (said, kept) => {
  expect(keptModel(said, ['gpt-4o', 'mine'])).toBe(kept)
})

test('a model without a name is no beginning of others', () => {
  expect(keptModel('-canary', [''])).toBe('')
})
