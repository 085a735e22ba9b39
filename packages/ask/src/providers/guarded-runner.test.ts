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
