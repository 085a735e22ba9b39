import { contract } from '@stickler/core'
import { expect, test } from 'vitest'
import { mostOfChat } from '../enforcement/most-cost.ts'
import type { HelperModel } from './helper-calls.ts'
import { mostOfPipeline } from './most-of-pipeline.ts'

const helper = {} as HelperModel
const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'Why?' }], max_tokens: 100 }
const plain = mostOfChat(chat, { contract: contract({ checks: ['citations'], retries: 1 }), isStreamed: false }, 4096)

test('passages and calls of helpers are set aside beside the answer', () => {
  const without = mostOfPipeline(plain, { chunks: 8, helpers: {} })
  expect(without.first.prompt).toBeGreaterThan(plain.first.prompt + 8 * 1000)
  expect([without.retries, without.again.completion]).toEqual([plain.retries, plain.again.completion])
  const all = mostOfPipeline(plain, { chunks: 8, helpers: { classifier: helper, reformulation: helper, relevance: helper } })
  expect(all.retries).toBe(plain.retries + 4)
  expect(all.again.completion).toBe(1024)
  expect(all.shrinks.to(10, 'empty').first.completion).toBe(10)
  expect(all.shrinks.to(10, 'empty').retries).toBe(all.retries)
})
