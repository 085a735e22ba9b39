import { longAnswer, words } from './answers.mjs'
import { load, readStreams, timeUntil } from './client.mjs'
import { middle } from './rounds.mjs'

const connections = 64
const streamConnections = 16

/** Runs until the compiler has had its time: all candidates alike, with whole answers and with streams. */
export async function warmUp({ port, bytes }, { requests = 15_000, ms = 30_000, streams = 100 } = {}) {
  await load({ port, request: bytes('whole'), connections, enough: (done, passed) => done >= requests || passed > ms })
  await readStreams({ port, request: bytes('long', true), connections: streamConnections, streams })
  for (let done = 0; done < streams; done++) await timeUntil(port, bytes('flowing', true), '"The')
}

/** Requests per second and milliseconds of the processor per request, with 64 connections. */
export async function throughput({ port, bytes, usage }, ms = 1000) {
  const before = await usage()
  const { requests, ms: took } = await load({ port, request: bytes('whole'), connections, enough: (_, passed) => passed > ms })
  const after = await usage()
  return { perSecond: requests / (took / 1000), cpuMs: (after.cpuMs - before.cpuMs) / requests }
}

/** The median of the milliseconds that a request takes, one after the other. */
export async function latency({ port, bytes }, count = 300) {
  const { times } = await load({ port, request: bytes('whole'), connections: 1, enough: (done) => done >= count })
  return middle(times)
}

/** The median of the milliseconds until the first word of a stream is there. */
export async function firstWord({ port, bytes }, count = 60) {
  const times = []
  for (let done = 0; done < count; done++) times.push(await timeUntil(port, bytes('flowing', true), '"The'))
  return middle(times)
}

/** Events that the upstream sent, per second of the clock and of the processor; those that arrive together may be passed on as one. */
export async function eventRate({ port, bytes, usage }, streams = 48) {
  const before = await usage()
  const ms = await readStreams({ port, request: bytes('long', true), connections: streamConnections, streams })
  const after = await usage()
  const events = streams * words(longAnswer).length
  return { perSecond: events / (ms / 1000), perCpuSecond: events / ((after.cpuMs - before.cpuMs) / 1000) }
}

/** Memory after each twentieth of the requests. */
export async function memory({ port, bytes, usage }, requests) {
  const samples = []
  const step = requests / 20
  for (let done = 0; done < 20; done++) {
    await load({ port, request: bytes('whole'), connections, enough: (count) => count >= step })
    samples.push((await usage()).rss)
  }
  return samples
}
