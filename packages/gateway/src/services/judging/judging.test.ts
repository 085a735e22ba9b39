import { Answer, check, contract } from '@stickler/core'
import { systemClock, withSoundCalls } from '@stickler/core/internal'
import { beforeAll, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../testing/built-judge.ts'
import { createJudging } from './judging.ts'
import { JudgingCounts } from './judging-counts.ts'

beforeAll(() => requireBuiltJudge())

test('the least check of tool calls, which every contract has, runs in a thread', async () => {
  const counts = new JudgingCounts()
  const settings = { threshold: 0, deadline: 20_000, queue: 10, memory: 64, threads: 1 }
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
