import { preparePipeline } from '@stickler/ask/pipeline'
import { contract } from '@stickler/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definitionOf } from '../../services/contracts/pipeline-contracts.ts'
import { chatCostBound } from '../budgets/cost-bound.ts'
import { promptTokensOf } from '../budgets/prompt-tokens.ts'
import type { HelperModel } from './helper-calls.ts'
import { pipelineCostBound } from './pipeline-cost-bound.ts'

const helper = {} as HelperModel
const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'Why?' }], max_tokens: 100 }
const plain = chatCostBound(chat, { contract: contract({ checks: ['citations'], retries: 1 }), isStreamed: false }, 4096)

test('passages and calls of helpers are set aside beside the answer', () => {
  const without = pipelineCostBound(plain, { chunks: 8, helpers: {} })
  expect(without.first.prompt).toBeGreaterThan(plain.first.prompt + 8 * 1000)
  expect([without.retries, without.again.completion]).toEqual([plain.retries, plain.again.completion])
  const all = pipelineCostBound(plain, { chunks: 8, helpers: { classifier: helper, reformulation: helper, relevance: helper } })
  expect(all.retries).toBe(plain.retries + 4)
  expect(all.again.completion).toBe(1024)
  expect(all.shrinks.to(10, 'empty').first.completion).toBe(10)
  expect(all.shrinks.to(10, 'empty').retries).toBe(all.retries)
})

test.each([1, 2, 8])('what is set aside covers every choice with its passages, each a prompt of its own: %i', (n) => {
  const many = chatCostBound({ ...chat, n }, { contract: contract({ checks: ['citations'], retries: 1 }), isStreamed: false }, 4096)
  const most = pipelineCostBound(many, { chunks: 8, helpers: {}, choices: n })
  const one = pipelineCostBound(plain, { chunks: 8, helpers: {} })
  expect(most.first.prompt).toBeGreaterThanOrEqual(one.first.prompt * n)
  expect(most.first.prompt).toBeLessThan((one.first.prompt + 10) * n)
  expect(most.shrinks.to(10, 'same').first.prompt).toBe(most.first.prompt)
})

test('what is set aside for a helper covers its prompt, however much of a conversation has to be escaped', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('"', '&', 'a', '道', '😀'), fc.integer({ min: 1, max: 9000 })), { minLength: 1, maxLength: 9 }),
      async (said) => {
        const messages = said.map(([character, count]) => ({ role: 'user' as const, content: character.repeat(count) }))
        const prompts: string[] = []
        const model = (prompt: string): Promise<string> => {
          prompts.push(prompt)
          return Promise.resolve('RETRIEVAL')
        }
        const query = messages.at(-1)?.content ?? ''
        await preparePipeline({ pipeline: definitionOf('avap'), classifier: model, reformulation: model })({
          query,
          history: messages.slice(0, -1),
        })
        const asked = chatCostBound({ model: 'm', messages }, { contract: contract({ checks: [] }), isStreamed: false }, 10)
        const { again } = pipelineCostBound(asked, { chunks: 1, helpers: { classifier: helper, reformulation: helper } })
        for (const prompt of prompts)
          expect(promptTokensOf({ messages: [{ role: 'user', content: prompt }] })).toBeLessThanOrEqual(again.prompt)
      },
    ),
  )
})
