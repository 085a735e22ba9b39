import type { Server } from 'node:http'
import { expect, it, vi } from 'vitest'
import { echo, rawRequest, sendRaw, startFront } from '../testing/http-front.ts'

const made: Server[] = []
vi.mock('node:http', async (importOriginal) => {
  const http = await importOriginal<typeof import('node:http')>()
  const createServer = (...given: Parameters<typeof http.createServer>) => {
    const server = http.createServer(...given)
    made.push(server)
    return server
  }
  return { ...http, createServer }
})

it('errors of accepting are logged once in a while and end nothing', async () => {
  let now = 0
  const front = await startFront([echo('GET', '/thing')], { clock: { now: () => now, after: () => () => undefined } })
  for (now of [0, 1, 9_999, 10_000]) made[0]?.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  expect(front.lines).toMatchObject([
    { level: 40, err: { code: 'EMFILE' }, msg: 'connections cannot be accepted' },
    { level: 40, err: { code: 'EMFILE' } },
  ])
  expect(front.lines).toHaveLength(2)
  expect((await sendRaw(front.port, rawRequest('GET', '/thing'), 1))[0]?.status).toBe(200)
  await front.close()
})
