import { Answer, check, contract } from '@stickler/core'
import { systemClock, withSoundCalls } from '@stickler/core/internal'
import { reddb } from '@stickler/presets/reddb'
import { beforeAll, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../testing/built-judge.ts'
import { createJudging } from './judging.ts'
import { JudgingCounts } from './judging-counts.ts'

beforeAll(() => requireBuiltJudge())

const settings = { threshold: 0, deadline: 20_000, queue: 10, memory: 64, threads: 1 }

test('the least check of tool calls, which every contract has, runs in a thread', async () => {
  const counts = new JudgingCounts()
  const judging = createJudging({ judging: settings, workers: 1 }, { clock: systemClock, counts })
  try {
    const answer = new Answer('Done.', { toolCalls: [{ name: 'nmap', arguments: '[1]' }] })
    const only = withSoundCalls(contract({ checks: [] }))
    const { issues } = await check(only, answer, { context: { tools: [] }, executor: judging.executor({}, false) })
    expect(issues.map(({ code }) => code)).toEqual(['UNKNOWN_TOOL', 'INVALID_ARGUMENTS_JSON'])
    expect(counts.ended('done')).toBe(1)
  } finally {
    await judging.close()
  }
})

test.each([
  ['a validator of the library, which a preset replaces by its own', contract({ checks: ['citations'] })],
  ['the validator of the preset', contract({ preset: reddb })],
])('%s runs in a thread', async (_name, rules) => {
  const counts = new JudgingCounts()
  const judging = createJudging({ judging: settings, workers: 1 }, { clock: systemClock, counts })
  try {
    const { issues } = await check(rules, 'A[^9].', { context: { sources: 1 }, executor: judging.executor({}, false) })
    expect(issues.map(({ code }) => code)).toEqual(['CITATION_OUT_OF_RANGE'])
    expect(counts.ended('done')).toBe(1)
  } finally {
    await judging.close()
  }
})
