import { expect, test } from 'vitest'
import { readUsage } from './chat-usage.ts'

test.each([-1e9, 1e308, 1.5, 2 ** 53, '9', Number.NaN, {}])('a count of %j is not believed, nor what stands beside it', (wrong) => {
  expect(readUsage({ prompt_tokens: wrong, completion_tokens: 3 }, undefined)).toBeUndefined()
  expect(readUsage({ prompt_tokens: 3, completion_tokens: wrong }, undefined)).toBeUndefined()
})

test.each([undefined, null])('a count of %j is none', (missing) => {
  expect(readUsage({ prompt_tokens: 3, completion_tokens: missing }, undefined)).toEqual({ promptTokens: 3, completionTokens: 0 })
})
