import { manualClock } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { silence } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { openaiUpstream } from '../kinds/openai-upstream.ts'

test('the limits of all calls share one timer, which is gone with the last of them', async () => {
  const clock = manualClock()
  const server = await startProgrammableUpstream(silence)
  const upstream = openaiUpstream({ name: 'up', baseUrl: server.url, timeouts: { firstByteMs: 500 } }, { clock })
  const calls = Array.from({ length: 20 }, () => readFirst(upstream.call(asking('hi'), calling())))
  await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(20)
  expect(clock.pending).toBe(1)
  clock.advance(500)
  for (const { failure } of await Promise.all(calls)) expect(failure).toMatchObject({ kind: 'timeout' })
  expect(clock.pending).toBe(0)
  await upstream.close()
  await server.close()
})
