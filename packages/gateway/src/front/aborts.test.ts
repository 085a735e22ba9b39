import type { StopSignal } from '@stickler/core'
import { afterEach, describe, expect, it } from 'vitest'
import { echo, RawClient, rawRequest, startFront, type TestFront, until } from '../testing/http-front.ts'
import type { Route } from './exchange.ts'
import { sendJson } from './replies/json-response.ts'

let front: TestFront | undefined
afterEach(() => front?.close())

/** A route whose handler waits for the signal, as one does that waits for an upstream. */
function waiting(): { route: Route; started: () => number; aborted: () => number } {
  let started = 0
  let aborted = 0
  const route: Route = {
    method: 'POST',
    path: '/wait',
    access: 'read',
    handler: async (exchange) => {
      await exchange.json()
      started++
      await new Promise<void>((resolve) => exchange.signal.addEventListener('abort', () => resolve()))
      aborted++
      throw exchange.signal.reason
    },
  }
  return { route, started: () => started, aborted: () => aborted }
}

describe('a client that goes', () => {
  const ways: [name: string, leave: (client: RawClient) => unknown][] = [
    ['closes', (client) => client.socket.destroy()],
    ['resets', (client) => client.socket.resetAndDestroy()],
    ['says goodbye', (client) => client.socket.end()],
  ]
  it.each(ways)('%s: the handler is told within a second, its slot is free, nothing is logged', async (_name, leave) => {
    const { route, started, aborted } = waiting()
    front = await startFront([route])
    const client = new RawClient(front.port).send(rawRequest('POST', '/wait', [], '{}'))
    await until(() => started() === 1)
    expect(front.server.inFlight).toBe(1)
    leave(client)
    await until(() => aborted() === 1, 1000)
    expect(front.server.inFlight).toBe(0)
    expect(front.answered).toMatchObject([{ route: '/wait', status: 499, aborted: true }])
    expect(front.lines).toEqual([])
  })

  it('takes all pipelined requests with it, also those whose answers wait behind the first', async () => {
    const { route, started, aborted } = waiting()
    front = await startFront([route, echo('GET', '/thing')])
    const bytes = rawRequest('POST', '/wait', [], '{}').repeat(3) + rawRequest('GET', '/thing')
    const client = new RawClient(front.port).send(bytes)
    await until(() => started() === 3)
    client.socket.destroy()
    await until(() => aborted() === 3, 1000)
    await until(() => front?.answered.length === 4)
    expect(front.server.inFlight).toBe(0)
  })

  it('in the middle of its body is no request', async () => {
    const { route, started } = waiting()
    front = await startFront([route])
    const client = new RawClient(front.port).send('POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"a":')
    await until(() => front?.server.inFlight === 1)
    client.socket.destroy()
    await until(() => front?.server.inFlight === 0)
    expect(started()).toBe(0)
    expect(front.lines).toEqual([])
  })

  it('whom a handler asks for only later has gone already', async () => {
    let late: boolean | undefined
    let go: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      go = resolve
    })
    front = await startFront([
      {
        method: 'GET',
        path: '/late',
        access: 'read',
        handler: async (exchange) => {
          await gone
          late = exchange.signal.aborted
          sendJson(exchange, 200, {})
        },
      },
    ])
    const client = new RawClient(front.port).send(rawRequest('GET', '/late'))
    await until(() => front?.server.inFlight === 1)
    client.socket.destroy()
    await until(() => front?.server.inFlight === 0)
    go()
    await until(() => late === true)
  })

  it('that stays never fires the signal', async () => {
    const signals: StopSignal[] = []
    front = await startFront([
      {
        method: 'GET',
        path: '/',
        access: 'read',
        handler: async (exchange) => {
          signals.push(exchange.signal)
          sendJson(exchange, 200, {})
        },
      },
    ])
    const client = new RawClient(front.port).send(rawRequest('GET', '/').repeat(3))
    await client.answers(3)
    const last = new RawClient(front.port).send(rawRequest('GET', '/', ['Connection: close']))
    await last.end()
    await until(() => front?.answered.length === 4)
    client.socket.destroy()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false, false])
    expect(front.answered.every(({ aborted, status }) => !aborted && status === 200)).toBe(true)
  })
})
