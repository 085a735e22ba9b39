import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator } from '../../contract/validator.ts'
import { check } from '../check/check.ts'
import { feedbackFor, mostFeedbackBytesOf } from './validator-feedback.ts'

test("a validator's own words have a line for each of its first 100 issues, and no more", async () => {
  const rules = contract({ checks: [{ citations: { profile: 'reddb', sources: 1 } }] })
  const { issues } = await check(rules, '[^2] [^99999999999999] '.repeat(400))
  expect(issues.length).toBeGreaterThan(100)
  const words = feedbackFor(rules, issues)
  expect(words.split('\n- [').length).toBe(101)
  expect(words.length).toBeLessThanOrEqual(12_000)
  expect(feedbackFor(rules, issues.slice(0, 20)).split('\n- [').length).toBe(21)
})

test('a validator that says too much is spoken for', async () => {
  const chatty = defineValidator({
    name: 'chatty',
    summary: 's',
    options: z.strictObject({}),
    codes: { X: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: () => 'i',
    prepare: () => ({
      *check() {
        yield issue('X', 'm')
      },
      feedback: () => '€'.repeat(1e6),
    }),
  })
  const rules = contract({ checks: [chatty({}), { max_words: { limit: 1 } }] })
  const { issues } = await check(rules, 'one two three')
  const words = feedbackFor(rules, issues)
  expect(words).toContain('**X**: m\n')
  expect(words).toContain('**MAX_WORDS**')
  expect(Buffer.byteLength(words)).toBeLessThanOrEqual(mostFeedbackBytesOf(rules))
})
