import { setTimeout as wait } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RawClient, rawRequest, startFront, type TestFront, until } from '../../testing/http-front.ts'
import type { Exchange } from '../exchange.ts'
import { openSse, type SseOptions, type SseWriter } from './sse-writer.ts'

let front: TestFront | undefined
afterEach(() => front?.close())

async function stream(
  run: (writer: SseWriter, exchange: Exchange) => Promise<void>,
  options: Partial<SseOptions> = {},
): Promise<RawClient> {
  front = await startFront([
    {
      method: 'GET',
      path: '/stream',
      access: 'read',
      handler: (exchange) => run(openSse(exchange, { heartbeatMs: 60_000, heartbeat: () => ': beat\n\n', ...options }), exchange),
    },
  ])
  return new RawClient(front.port).send(rawRequest('GET', '/stream', ['x-request-id: mine']))
}

const text = (client: RawClient) => client.received.toString()
/** The body of a chunked answer. */
function dechunk(client: RawClient): string {
  let rest = client.received.subarray(client.received.indexOf('\r\n\r\n') + 4)
  let body = ''
  for (;;) {
    const size = Number.parseInt(rest.toString('latin1', 0, rest.indexOf('\r\n')), 16)
    if (!(size > 0)) return body
    const start = rest.indexOf('\r\n') + 2
    body += rest.toString('utf8', start, start + size)
    rest = rest.subarray(start + size + 2)
  }
}

describe('openSse', () => {
  it('sends head, frames and end, and closes the connection', async () => {
    const client = await stream(async (writer) => {
      await writer.write('data: {"a":1}\n\n')
      await writer.write('')
      await writer.write('data: [DONE]\n\n')
      expect(writer.closed).toBe(false)
      writer.end()
      expect(writer.closed).toBe(true)
      writer.end()
      await writer.write('data: too late\n\n')
    })
    await client.end()
    const head = text(client).split('\r\n\r\n')[0]?.toLowerCase().split('\r\n')
    expect(head).toEqual(
      expect.arrayContaining([
        'http/1.1 200 ok',
        'content-type: text/event-stream; charset=utf-8',
        'cache-control: no-store',
        'x-accel-buffering: no',
        'x-request-id: mine',
        'connection: close',
        'transfer-encoding: chunked',
        'x-content-type-options: nosniff',
      ]),
    )
    expect(dechunk(client)).toBe('data: {"a":1}\n\ndata: [DONE]\n\n')
    expect(text(client).endsWith('0\r\n\r\n')).toBe(true)
    await until(() => front?.answered.length === 1)
    expect(front?.answered).toMatchObject([{ route: '/stream', status: 200, aborted: false, requestId: 'mine' }])
  })

  it('sends the head before there is a frame', async () => {
    const client = await stream((_writer, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())))
    await until(() => text(client).includes('\r\n\r\n'))
    client.socket.destroy()
  })

  it('sends the head in one write with frames that follow at once', async () => {
    const writes: number[] = []
    const client = await stream(async (writer, { response }) => {
      const { socket } = response
      if (socket === null) throw new Error('a response without a connection')
      const handle = vi.spyOn(socket, '_write')
      const handles = vi.spyOn(socket, '_writev')
      void writer.write('data: first\n\n')
      await new Promise(setImmediate)
      writes.push(handle.mock.calls.length + handles.mock.calls.length)
      writer.end()
    })
    await client.end()
    expect(writes).toEqual([1])
    expect(dechunk(client)).toBe('data: first\n\n')
  })

  it('beats only while nothing else is sent', async () => {
    const client = await stream(
      async (writer) => {
        for (let index = 0; index < 12; index++) {
          await writer.write('data: x\n\n')
          await wait(20)
        }
        await writer.write('data: quiet\n\n')
        await wait(500)
        writer.end()
      },
      { heartbeatMs: 120 },
    )
    await client.end()
    const [busy = '', quiet = ''] = dechunk(client).split('data: quiet\n\n')
    expect(busy).not.toContain(': beat')
    expect(quiet).toMatch(/^(: beat\n\n){2,4}$/)
    const comments: string[] = []
    const events: string[] = []
    const parser = createParser({ onEvent: ({ data }) => events.push(data), onComment: (comment) => comments.push(comment) })
    parser.feed(dechunk(client))
    expect([events.length, new Set(comments)]).toEqual([13, new Set(['beat'])])
  })

  it('large frames arrive whole', async () => {
    const frame = `data: ${'€x'.repeat(2_000_000)}\n\n`
    const client = await stream(async (writer) => {
      await writer.write(frame)
      await writer.write('data: next\n\n')
      writer.end()
    })
    await client.end(20_000)
    const body = dechunk(client)
    expect(body.length).toBe(frame.length + 12)
    expect(body.startsWith(frame)).toBe(true)
  })

  it('waits for a slow client, with few bytes in memory, and goes on', async () => {
    let written = 0
    let most = 0
    const client = await stream(async (writer, { response }) => {
      for (; written < 400; written++) {
        await writer.write(`data: ${'x'.repeat(100_000)}\n\n`)
        most = Math.max(most, response.writableLength)
      }
      writer.end()
    })
    client.socket.pause()
    let before = -1
    while (before !== written || written === 0) {
      before = written
      await wait(100)
    }
    expect(written).toBeLessThan(400)
    client.socket.resume()
    await until(() => written === 400, 20_000)
    expect(most).toBeLessThan(300_000)
    client.socket.destroy()
  })

  it('cuts off a client that stops reading, and tells the handler', async () => {
    let told = false
    const client = await stream(
      async (writer, { signal }) => {
        while (!writer.closed) await writer.write(`data: ${'x'.repeat(100_000)}\n\n`)
        told = signal.aborted
      },
      { writeIdleMs: 150 },
    )
    client.socket.pause()
    await until(() => told)
    expect(front?.server.inFlight).toBe(0)
    client.socket.destroy()
  })

  it('cuts off a client that does not read the end', async () => {
    const client = await stream(
      async (writer) => {
        void writer.write(`data: ${'x'.repeat(20_000_000)}\n\n`)
        writer.end()
      },
      { writeIdleMs: 150 },
    )
    client.socket.pause()
    await until(() => front?.answered.length === 1)
    expect(front?.answered).toMatchObject([{ aborted: true }])
    client.socket.destroy()
  })

  it('does not cut off a client that was slow, then read everything, then waits for the model', async () => {
    const client = await stream(
      async (writer) => {
        await writer.write(`data: ${'x'.repeat(10_000_000)}\n\n`)
        await wait(500)
        await writer.write('data: end\n\n')
        writer.end()
      },
      { writeIdleMs: 200 },
    )
    await client.end(20_000)
    expect(text(client).endsWith('data: end\n\n\r\n0\r\n\r\n')).toBe(true)
  })

  it('ends a stream whose writer does not wait', async () => {
    let count = 0
    const client = await stream(
      async (writer) => {
        while (!writer.closed && count < 1000) {
          count++
          void writer.write(`data: ${'x'.repeat(100_000)}\n\n`)
        }
      },
      { maxBufferedBytes: 1_000_000 },
    )
    client.socket.pause()
    await until(() => front?.answered.length === 1)
    expect(count).toBeLessThan(100)
    client.socket.destroy()
  })

  it('tells within a moment that the client has gone; nothing is left behind', async () => {
    let goneAfter = -1
    let last: SseWriter | undefined
    const client = await stream(async (writer, { signal }) => {
      last = writer
      await writer.write('data: 1\n\n')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      goneAfter = 1
      await writer.write('data: 2\n\n')
    })
    await until(() => text(client).includes('data: 1'))
    client.socket.destroy()
    await until(() => goneAfter === 1, 1000)
    expect(last?.closed).toBe(true)
    expect(front?.server.inFlight).toBe(0)
    await until(() => front?.answered.length === 1)
    expect(front?.answered).toMatchObject([{ status: 200, aborted: true }])
    expect(front?.lines).toEqual([])
  })

  it('behind another answer, it hears that the client has gone, and does not beat for ever', async () => {
    let ended = 0
    let beats = 0
    const behind = await startFront([
      {
        method: 'GET',
        path: '/first',
        access: 'read',
        handler: (exchange) => new Promise((resolve) => exchange.signal.addEventListener('abort', () => resolve())),
      },
      {
        method: 'GET',
        path: '/stream',
        access: 'read',
        handler: async (exchange) => {
          const heartbeat = () => {
            beats++
            return ': beat\n\n'
          }
          const writer = openSse(exchange, { heartbeatMs: 20, heartbeat })
          while (!writer.closed) await wait(5)
          ended++
        },
      },
    ])
    front = behind
    const client = new RawClient(behind.port).send(rawRequest('GET', '/first') + rawRequest('GET', '/stream').repeat(2))
    await until(() => beats > 0)
    client.socket.destroy()
    await until(() => ended === 2)
    const before = beats
    await wait(100)
    expect([beats, behind.server.inFlight]).toEqual([before, 0])
  })

  it('an error in the middle cuts the connection, so that half a stream does not look whole', async () => {
    const client = await stream(async (writer) => {
      await writer.write('data: 1\n\n')
      throw new Error('secret detail')
    })
    await client.end()
    expect(text(client)).not.toContain('secret')
    expect(text(client).endsWith('0\r\n\r\n')).toBe(false)
    expect(front?.lines).toMatchObject([{ level: 50, requestId: 'mine', err: { message: 'secret detail' } }])
  })

  it('opened for a client that has gone, it stays silent', async () => {
    let closed: boolean | undefined
    front = await startFront([
      {
        method: 'GET',
        path: '/stream',
        access: 'read',
        handler: async (exchange) => {
          await new Promise<void>((resolve) => exchange.signal.addEventListener('abort', () => resolve()))
          const writer = openSse(exchange, { heartbeatMs: 5, heartbeat: () => ': beat\n\n' })
          closed = writer.closed
          await writer.write('data: x\n\n')
          writer.end()
        },
      },
    ])
    const client = new RawClient(front.port).send(rawRequest('GET', '/stream'))
    await until(() => front?.server.inFlight === 1)
    client.socket.destroy()
    await until(() => closed === true)
    expect(front.answered).toMatchObject([{ status: 499, aborted: true }])
  })
})
