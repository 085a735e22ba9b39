import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { enforce } from '../enforce.ts'
import type { Runner, Usage } from '../runner.ts'
import { addUsage, noUsage, Tally } from './budget.ts'

const told: Usage = { promptTokens: 1, completionTokens: 2, cost: 3 }
const guessed: Usage = { promptTokens: 10, completionTokens: 20, estimated: true }

test('a sum with an estimate in it is one, in any order', () => {
  const sum = { promptTokens: 11, completionTokens: 22, cost: 3, estimated: true }
  expect([addUsage(told, guessed), addUsage(guessed, told)]).toEqual([sum, sum])
  expect(addUsage(noUsage, guessed)).toEqual(guessed)
  expect(addUsage(guessed, undefined)).toEqual(guessed)
  expect(addUsage(told, told)).toEqual({ promptTokens: 2, completionTokens: 4, cost: 6 })
})

test('what a run estimates for its budget is marked, and counted in bytes', async () => {
  const spent: Usage[] = []
  class Watched extends Tally {
    override spend(run: object, usage: Usage): void {
      spent.push(usage)
      super.spend(run, usage)
    }
  }
  const runner: Runner = {
    async *run() {
      yield { type: 'text', text: '漢'.repeat(1000) }
      yield { type: 'end' }
    },
    continue: () => {
      throw new Error('not asked again')
    },
  }
  const built = contract({ checks: [], budget: { tokens: 10_000 } })
  await enforce({ contract: built, runner, prompt: '漢'.repeat(400), tally: new Watched() })
  expect(spent).toEqual([{ promptTokens: 300, completionTokens: 750, estimated: true }])
})
