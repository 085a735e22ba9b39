import { scripted } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import type { CallTokens, SpendGuard } from '../spending/spend-guard.ts'
import { GuardedRunner } from './guarded-runner.ts'

/** What is counted of a text until its end, in these chunks. */
async function counted(chunks: readonly string[]): Promise<number> {
  let last = 0
  const guard = {
    before: async () => ({ allowed: true }),
    during: ({ completionTokens }: CallTokens) => {
      last = completionTokens
      return { allowed: true }
    },
    after: () => ({ allowed: true }),
    priced: (tokens: CallTokens) => tokens,
    charge: async () => {},
  } as unknown as SpendGuard
  const runner = new GuardedRunner(scripted([{ chunks }]), guard)
  for await (const event of runner.run(undefined, 'p', { stream: true, signal: new AbortController().signal })) void event
  return last
}

test('counts a text alike however it is cut, also inside of characters', async () => {
  const text = 'a👍é😀漢'.repeat(40)
  const whole = await counted([text])
  expect(await counted(text.split(''))).toBe(whole)
  expect(await counted(text.split('').flatMap((unit) => [unit, '']))).toBe(whole)
  expect(await counted([...text])).toBe(whole)
})

test('a schema goes to the provider if its runner takes one, and its tokens count', async () => {
  const inner = scripted([{ text: 'a' }, { text: 'a' }])
  const asked: number[] = []
  const guard = {
    before: async ({ promptTokens }: CallTokens) => {
      asked.push(promptTokens)
      return { allowed: true }
    },
    during: () => ({ allowed: true }),
    after: () => ({ allowed: true }),
    priced: (tokens: CallTokens) => tokens,
    charge: async () => {},
  } as unknown as SpendGuard
  expect(new GuardedRunner(inner, guard).takesSchema).toBeUndefined()
  const runner = new GuardedRunner({ ...inner, run: inner.run.bind(inner), continue: inner.continue.bind(inner), takesSchema: true }, guard)
  expect(runner.takesSchema).toBe(true)
  const format = { schema: { type: 'object', description: 'x'.repeat(400) }, text: 'x'.repeat(400), rules: '' }
  const options = { stream: true, signal: new AbortController().signal }
  for await (const event of runner.run(undefined, 'p', options)) void event
  for await (const event of runner.run(undefined, 'p', { ...options, format })) void event
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(90)
})
