import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startCandidates, startUpstream } from './gateway/candidates.mjs'
import { countRows } from './gateway/counts.mjs'
import { compareFacts } from './gateway/facts.mjs'
import { eventRate, firstWord, latency, memory, throughput, warmUp } from './gateway/measures.mjs'
import { installPortkey } from './gateway/portkey.mjs'
import { findCores, pinSelf } from './gateway/processes.mjs'
import { inRounds } from './gateway/rounds.mjs'
import { quartiles, ratio } from './harness.mjs'

const rounds = 7

/**
 * The gateway against a raw proxy and another gateway, all before the same upstream; `against` adds another checkout that has been
 * built, and `long` watches the memory over 100 000 requests.
 */
export async function benchGateway({ long = false, against } = {}) {
  const problem = await installPortkey()
  if (problem !== undefined) console.log(`Portkey cannot be installed, so it is left out: ${problem}`)
  const cores = await findCores()
  if (cores === undefined) console.log('processes cannot be pinned to cores here, so the numbers vary more')
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-'))
  const around = await startUpstream({ folder, cores })
  try {
    await pinSelf(cores?.others)
    const home = against === undefined ? undefined : resolve(against)
    const candidates = await startCandidates(around, { withPortkey: problem === undefined, against: home })
    return [...(await measureAll(candidates, around, long)), ...leftOut(problem)]
  } finally {
    await around.stop()
    await pinSelf(cores?.all)
    await rm(folder, { recursive: true, force: true })
  }
}

/** A table without the other gateway says so. */
function leftOut(problem) {
  return problem === undefined ? [] : [{ what: 'Portkey', note: `left out, it cannot be installed: ${problem}` }]
}

async function measureAll(candidates, around, long) {
  const { portkeyChecked: _unenforcedOnStreams, ...streaming } = candidates
  for (const [name, candidate] of Object.entries(candidates)) await warmUp(candidate, name in streaming ? {} : { streams: 0 })
  const whole = await inRounds(candidates, rounds, (candidate) => throughput(candidate))
  const delays = await inRounds(candidates, rounds, (candidate) => latency(candidate))
  const firstWords = await inRounds(streaming, rounds, (candidate) => firstWord(candidate))
  const events = await inRounds(streaming, rounds, (candidate) => eventRate(candidate))
  return [
    ...throughputRows(whole),
    ...delayRows(delays, firstWords),
    ...eventRows(events),
    ...(candidates.before === undefined ? [] : upgradeRows(whole, events)),
    ...(await memoryRows(candidates.checked, long ? 100_000 : 20_000)),
    ...(await countRows(around.stickler, around.folder)),
    ...(candidates.portkey === undefined ? [] : await compareFacts(candidates, around)),
  ]
}

function throughputRows(results) {
  const speed = (name) => results[name].map(({ perSecond }) => perSecond)
  const cpu = (name) => results[name].map(({ cpuMs }) => cpuMs)
  const overRaw = (name) => ratio(speed(name), speed('raw'))
  return [
    { what: 'requests/s: direct ÷ raw proxy', ...overRaw('direct') },
    { what: 'requests/s: Stickler without a contract ÷ raw proxy', ...overRaw('plain') },
    { what: 'requests/s: Stickler with three checks ÷ raw proxy', atLeast: 0.5, ...overRaw('checked') },
    ...(results.portkey === undefined
      ? []
      : [
          { what: 'requests/s: Portkey without checks ÷ raw proxy', ...overRaw('portkey') },
          { what: 'requests/s: Portkey with three checks ÷ raw proxy', ...overRaw('portkeyChecked') },
          {
            what: 'requests/s: Stickler ÷ Portkey, both with three checks',
            atLeast: 6,
            ...ratio(speed('checked'), speed('portkeyChecked')),
          },
        ]),
    { what: 'processor per request: raw proxy, ms', ...quartiles(cpu('raw')) },
    { what: 'processor per request: Stickler without a contract, ms', ...quartiles(cpu('plain')) },
    { what: 'processor per request: Stickler with three checks, ms', atMost: 0.18, ...quartiles(cpu('checked')) },
    ...(results.portkey === undefined
      ? []
      : [{ what: 'processor per request: Portkey with three checks, ms', ...quartiles(cpu('portkeyChecked')) }]),
  ]
}

function delayRows(delays, firstWords) {
  const added = (times, name) => quartiles(times[name].map((ms, round) => ms - times.direct[round]))
  const withPortkey = delays.portkey !== undefined
  return [
    { what: 'added to the median time of a request: raw proxy, ms', ...added(delays, 'raw') },
    { what: 'added to the median time of a request: Stickler with three checks, ms', atMost: 0.4, ...added(delays, 'checked') },
    ...(withPortkey
      ? [{ what: 'added to the median time of a request: Portkey with three checks, ms', ...added(delays, 'portkeyChecked') }]
      : []),
    { what: 'first word of a stream later than direct: raw proxy, ms', ...added(firstWords, 'raw') },
    { what: 'first word of a stream later than direct: Stickler with three checks, ms', atMost: 0.7, ...added(firstWords, 'checked') },
    ...(withPortkey
      ? [{ what: 'first word of a stream later than direct: Portkey, which checks no streams, ms', ...added(firstWords, 'portkey') }]
      : []),
  ]
}

function eventRows(events) {
  const speed = (name) => events[name].map(({ perSecond }) => perSecond)
  const perCpu = events.checked.map(({ perCpuSecond }) => perCpuSecond)
  return [
    { what: 'events/s of streams: Stickler with three checks', atLeast: 60_000, ...quartiles(speed('checked')) },
    { what: 'events per second of the processor: Stickler with three checks', ...quartiles(perCpu) },
    { what: 'events/s of streams: Stickler without a contract ÷ raw proxy', ...ratio(speed('plain'), speed('raw')) },
    { what: 'events/s of streams: Stickler with three checks ÷ raw proxy', atLeast: 0.85, ...ratio(speed('checked'), speed('raw')) },
  ]
}

/** Both with three checks. */
function upgradeRows(whole, events) {
  const against = (results, field) =>
    ratio(
      results.checked.map((one) => one[field]),
      results.before.map((one) => one[field]),
    )
  return [
    { what: 'requests/s: this checkout ÷ the other', atLeast: 1, ...against(whole, 'perSecond') },
    { what: 'processor per request: this checkout ÷ the other', atMost: 1, ...against(whole, 'cpuMs') },
    { what: 'events/s of streams: this checkout ÷ the other', atLeast: 1, ...against(events, 'perSecond') },
    { what: 'events per second of the processor: this checkout ÷ the other', atLeast: 1, ...against(events, 'perCpuSecond') },
  ]
}

/** What has been warmed up must not grow any more: the last quarter against the second. */
async function memoryRows(candidate, requests) {
  const samples = await memory(candidate, requests)
  const [early, late] = [samples.slice(5, 10), samples.slice(15)]
  const count = requests.toLocaleString('en')
  return [
    { what: `memory over ${count} requests: last quarter ÷ second quarter`, atMost: 1.1, ...ratio(late, early) },
    { what: `memory after ${count} requests, MB`, atMost: 150, ...quartiles(late.map((bytes) => bytes / 1e6)) },
  ]
}
