import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ConfigurationError } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { echo, RawClient, rawRequest, sendRaw, startFront, type TestFront, until } from '../testing/http-front.ts'
import { createKeyring } from './access/keys.ts'
import type { Route } from './exchange.ts'
import { openSse } from './replies/sse-writer.ts'
import { createHttpServer } from './server.ts'

function streaming(): { route: Route; finish: () => void; aborted: () => number } {
  let finish: () => void = () => undefined
  let aborted = 0
  const go = new Promise<void>((resolve) => {
    finish = resolve
  })
  const route: Route = {
    method: 'GET',
    path: '/stream',
    access: 'read',
    handler: async (exchange) => {
      const writer = openSse(exchange, { heartbeatMs: 1000, heartbeat: () => ': beat\n\n' })
      await writer.write('data: 1\n\n')
      await Promise.race([go, new Promise<void>((resolve) => exchange.signal.addEventListener('abort', () => resolve()))])
      if (exchange.signal.aborted) aborted++
      await writer.write('data: [DONE]\n\n')
      writer.end()
    },
  }
  return { route, finish: () => finish(), aborted: () => aborted }
}

const open = async (front: TestFront, count: number) => {
  const clients = Array.from({ length: count }, () => new RawClient(front.port).send(rawRequest('GET', '/stream')))
  await until(() => clients.every(({ received }) => received.includes('data: 1')))
  return clients
}

describe('going down', () => {
  it('refuses new work at once, lets streams finish, keeps liveness', async () => {
    const { route, finish, aborted } = streaming()
    const front = await startFront([route, echo('GET', '/thing'), echo('GET', '/alive', { access: 'open' })])
    const clients = await open(front, 50)
    const idle = new RawClient(front.port).send(rawRequest('GET', '/thing'))
    await idle.answers(1)
    expect(front.server.draining).toBe(false)
    front.server.drain()
    expect(front.server.draining).toBe(true)
    await idle.end()
    const [refused] = await sendRaw(front.port, rawRequest('GET', '/thing'))
    expect([refused?.status, refused?.headers.get('connection'), refused?.headers.get('retry-after')]).toEqual([503, 'close', '1'])
    const [alive] = await sendRaw(front.port, rawRequest('GET', '/alive'))
    expect([alive?.status, alive?.headers.get('connection')]).toEqual([200, 'close'])
    const closed = front.server.close(10_000)
    await wait(50)
    expect(front.server.inFlight).toBe(50)
    finish()
    await closed
    for (const client of clients) {
      await client.end()
      expect(client.received.toString()).toMatch(/data: \[DONE\]\n\n\r\n0\r\n\r\n$/)
    }
    expect([aborted(), front.server.inFlight]).toEqual([0, 0])
    await expect(sendRaw(front.port, rawRequest('GET', '/alive'))).resolves.toEqual([])
  })

  it('cuts off what is not done in time', async () => {
    const { route, aborted } = streaming()
    const front = await startFront([route])
    const clients = await open(front, 5)
    await front.server.close(100)
    await until(() => aborted() === 5)
    for (const client of clients) {
      await client.end()
      expect(client.received.toString()).not.toMatch(/0\r\n\r\n$/)
    }
    expect(front.server.inFlight).toBe(0)
  })

  it('a second call with less patience wins', async () => {
    const { route, aborted } = streaming()
    const front = await startFront([route])
    await open(front, 2)
    const patient = front.server.close(60_000)
    await front.server.close(0)
    await patient
    await until(() => aborted() === 2)
  })

  it('does not wait for idle connections or half requests', async () => {
    const front = await startFront([echo('GET', '/thing'), echo('POST', '/echo')])
    const idle = new RawClient(front.port).send(rawRequest('GET', '/thing'))
    await idle.answers(1)
    const half = new RawClient(front.port).send('GET /thing HTTP/1.1\r\nHost: ')
    const silent = new RawClient(front.port)
    await wait(50)
    await front.server.close(60_000)
    await Promise.all([idle.end(), half.end(), silent.end()])
  })

  it('can be closed twice, also where it could not listen', async () => {
    const front = await startFront([])
    await Promise.all([front.server.close(0), front.server.close(0)])
    await front.server.close(0)
    const first = await startFront([])
    const { port } = first
    const second = createHttpServer({
      routes: [],
      settings: { port },
      keys: createKeyring({ clients: '' }, () => 0),
      log: pino({ level: 'silent' }),
      clock: systemClock,
      newId: () => 'x',
    })
    await expect(second.listen()).rejects.toThrow(ConfigurationError)
    await second.close(60_000)
    await first.close()
  })
})

describe('listening', () => {
  it('says in one line that the port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const failure = await startFront([], { settings: { port } }).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect(String(failure)).toContain(`127.0.0.1:${port} is already in use; choose another with --port or in the configuration`)
    other.close()
  })

  it.each(['0.0.0.0', '::', '', '192.168.0.1', 'example.org', '127.0.0.1.example.org', '1.127.0.0'])(
    'on %j is refused without keys',
    async (host) => {
      await expect(startFront([], { settings: { host } })).rejects.toThrow('without API keys')
    },
  )

  it('on all addresses is possible with keys', async () => {
    const front = await startFront([echo('GET', '/thing')], { keys: 'me:secret-one', settings: { host: '0.0.0.0' } })
    await front.close()
  })

  it('survives that no more files can be opened', async () => {
    const front = await startFront([echo('GET', '/thing')])
    const steady = new RawClient(front.port).send(rawRequest('GET', '/thing'))
    await steady.answers(1)
    const opened = readdirSync('/proc/self/fd').length
    const limitFiles = (soft: number) =>
      new Promise((resolve) => spawn('prlimit', [`--pid=${process.pid}`, `--nofile=${soft}:`]).on('close', resolve))
    const script = `const { connect } = require('node:net')
      const sockets = Array.from({ length: 100 }, () => connect(${front.port}, '127.0.0.1').on('error', () => {}))
      setTimeout(() => { for (const socket of sockets) socket.destroy() }, 600)`
    const crowd = spawn(process.execPath, ['-e', script])
    expect(await limitFiles(opened + 20)).toBe(0)
    await new Promise((resolve) => crowd.on('close', resolve))
    steady.forget()
    steady.send(rawRequest('GET', '/thing'))
    expect((await steady.answers(1)).map(({ status }) => status)).toEqual([200])
    await limitFiles(1_000)
    expect((await sendRaw(front.port, rawRequest('GET', '/thing'), 1)).map(({ status }) => status)).toEqual([200])
    steady.socket.destroy()
    await front.close()
  })
})
