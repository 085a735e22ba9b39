import { contract as contractOf, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { citations } from '@stickler/core/validators'
import { describe, expect, test } from 'vitest'
import { contract } from '../testing/contract.ts'
import { reddb } from './preset.ts'

const question = { prompt: 'Why?', context: { sources: 2 } }

test('is strict, with one retry and no repair, and shows nothing before the verdict', () => {
  expect(contract({ preset: 'reddb' }).policy).toMatchObject({ mode: 'strict', retries: 1, repair: 'never', stream: 'hold' })
})

test('passes what cites correctly, in every mode', async () => {
  for (const mode of ['strict', 'lenient'] as const) {
    const runner = scripted(['One[^1], two[^2] and one again[^1].'])
    expect(await enforce({ ...question, contract: contract({ preset: 'reddb', mode }), runner })).toMatchObject({
      status: 'valid',
      attempts: 1,
    })
  }
})

test('lenient: delivers what is wrong, with its issues, and does not ask again', async () => {
  const runner = scripted(['See [^9].', 'See [^1].'])
  const outcome = await enforce({ ...question, contract: contract({ preset: 'reddb', mode: 'lenient', retries: 0 }), runner })
  expect(outcome).toMatchObject({ delivered: true, text: 'See [^9].', issues: [{ code: 'CITATION_OUT_OF_RANGE' }] })
  expect(runner.calls).toHaveLength(1)
})

describe('is the same', () => {
  const report = 'marker [^9] references source #9 but only 2 sources available'
  test.each([
    ['by its name', contract({ preset: 'reddb' })],
    ['by the profile alone, as in a configuration file', contract({ checks: [{ citations: { profile: 'reddb' } }] })],
    ['as an object in a program', contractOf({ preset: reddb })],
    ['with options by name', contractOf({ preset: reddb, checks: [{ citations: { sources: 5 } }] })],
    ['with options of the library’s validator', contractOf({ preset: reddb, checks: [citations({ sources: 5 })] })],
  ])('%s', async (_name, rules) => {
    const outcome = await enforce({ ...question, contract: rules, runner: scripted(Array.from({ length: 4 }, () => 'See [^9].')) })
    expect(outcome.issues.map(({ message }) => message)).toEqual([report])
  })
})
