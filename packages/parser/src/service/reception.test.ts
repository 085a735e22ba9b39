import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../../../node/src/grpc/listen.ts'
import { receptionLimit } from '../../../node/src/grpc/reception.ts'
import { fakeParser } from '../testing/fake-parser.ts'
import { rawClient } from '../testing/raw-client.ts'
import { loadParserProto } from '../wire/parser-proto.ts'
import { startParserService } from './parser-service.ts'

const { methods } = loadParserProto()
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const size = 4_000_000

/** Begins messages whose ends never come; tells how they ended, and how much of them was taken. */
function holdBack(port: number, count: number) {
  const session: ClientHttp2Session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1000 })
  closing.push(() => session.destroy())
  session.on('error', () => {})
  const statuses: string[] = []
  const streams = Array.from({ length: count }, () => {
    const stream = session.request({ ':method': 'POST', ':path': methods.Parse.path, 'content-type': 'application/grpc', te: 'trailers' })
    stream.on('error', () => {})
    stream.resume()
    stream.on('response', (headers) => statuses.push(String(headers['grpc-status'])))
    const prefix = Buffer.alloc(5)
    prefix.writeUInt32BE(size, 1)
    stream.write(prefix)
    let isTaken = false
    stream.write(Buffer.alloc(size - 1, 97), () => {
      isTaken = true
    })
    return { isTaken: () => isTaken, stream }
  })
  return { session, statuses, streams, taken: () => streams.filter(({ isTaken }) => isTaken()).length }
}

test('few messages are received at a time; those of the same connection wait, and the oldest gives way to that of another; one that does not come ends, and so does one that is cancelled', async () => {
  const server = new Server({ interceptors: [receptionLimit({ messages: 2, patienceMs: 1500 })] })
  closing.push(() => server.forceShutdown())
  server.addService({ Parse: methods.Parse }, { Parse: (_call: unknown, answer: (error: null, reply: object) => void) => answer(null, {}) })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) => (error === null ? resolve(taken) : reject(error)))
  })
  const raw = rawClient(port)
  closing.push(raw.close)
  const held = holdBack(port, 5)
  await expect.poll(held.taken).toBe(2)
  held.streams[4]?.stream.close(constants.NGHTTP2_CANCEL)
  const call = raw.call(methods.Parse, { language: 'x', source: 'x' }, 20_000)
  expect(await call).toHaveProperty('reply')
  expect(held.taken()).toBeLessThanOrEqual(3)
  await expect.poll(() => held.statuses, { timeout: 10_000 }).toEqual(['14', '4', '4', '4'])
  // What was held back is not kept.
  await expect.poll(() => held.streams.map(({ stream }) => stream.destroyed)).toEqual([true, true, true, true, true])
  const again = Array.from({ length: 5 }, () => raw.call(methods.Parse, { language: 'x', source: 'x' }))
  for (const ended of await Promise.all(again)) expect(ended).toHaveProperty('reply')
}, 30_000)

test('a connection with nothing to do gives way to a new one, whatever it has begun', async () => {
  const server = new Server()
  closing.push(() => server.forceShutdown())
  server.addService({ Parse: methods.Parse }, { Parse: (_call: unknown, answer: (error: null, reply: object) => void) => answer(null, {}) })
  const listener = await listen(server, { host: '127.0.0.1', port: 0 }, () => false, 3)
  closing.push(() => listener.destroy())
  const idle = Array.from({ length: 5 }, () => connectTcp(listener.port, '127.0.0.1'))
  for (const socket of idle) {
    socket.on('error', () => {}).resume()
    closing.push(() => socket.destroy())
  }
  const raw = rawClient(listener.port)
  closing.push(raw.close)
  expect(await raw.call(methods.Parse, { language: 'x', source: 'x' })).toHaveProperty('reply')
  await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBe(3)
})

test('a server listens on all addresses of a name, except those that the machine has not', async () => {
  const server = new Server()
  closing.push(() => server.forceShutdown())
  const addressesOf = async () => ['192.0.2.1', '127.0.0.1', '127.0.0.2', '127.0.0.1']
  const listener = await listen(server, { host: 'localhost', port: 0, addressesOf }, () => false)
  closing.push(() => listener.destroy())
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const socket = connectTcp(listener.port, host)
    closing.push(() => socket.destroy())
    await once(socket, 'connect')
  }
  const again = listen(server, { host: 'localhost', port: listener.port, addressesOf: async () => ['127.0.0.3', '127.0.0.2'] }, () => false)
  await expect(again).rejects.toThrow('the port is in use')
  const refused = connectTcp(listener.port, '127.0.0.3')
  await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED')
  listener.close()
})

test('a service takes few streams from one connection, and does not wait for messages for ever', async () => {
  const service = await startParserService({ parser: fakeParser() })
  closing.push(() => service.close(0))
  const held = holdBack(service.port, 1)
  await expect.poll(() => held.statuses, { timeout: 10_000 }).toEqual(['4'])
  expect(held.session.remoteSettings.maxConcurrentStreams).toBe(32)
}, 30_000)
