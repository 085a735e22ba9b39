import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startUpstream, startVersions } from './gateway/candidates.mjs'
import { eventRate, firstWord, latency, memory, throughput, warmUp } from './gateway/measures.mjs'
import { findCores, pinSelf } from './gateway/processes.mjs'
import { inRounds } from './gateway/rounds.mjs'
import { ratio } from './harness.mjs'

const rounds = 11
/** What an upgrade may cost. */
const least = 0.9

/** This checkout of the gateway against another one that has been built, in turns before the same upstream. */
export async function benchUpgrade({ against } = {}) {
  if (against === undefined) throw new Error('--against needs the folder of another checkout, in which `npm ci && npm run build` has run')
  const cores = await findCores()
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-'))
  const around = await startUpstream({ folder, cores })
  try {
    await pinSelf(cores?.others)
    return await compareVersions(await startVersions(around, resolve(against)))
  } finally {
    await around.stop()
    await pinSelf(cores?.all)
    await rm(folder, { recursive: true, force: true })
  }
}

async function compareVersions(candidates) {
  for (const candidate of Object.values(candidates)) await warmUp(candidate)
  const whole = await inRounds(candidates, rounds, (candidate) => throughput(candidate))
  const delays = await inRounds(candidates, rounds, (candidate) => latency(candidate))
  const firstWords = await inRounds(candidates, rounds, (candidate) => firstWord(candidate))
  const events = await inRounds(candidates, rounds, (candidate) => eventRate(candidate))
  const kept = {}
  for (const [name, candidate] of Object.entries(candidates)) kept[name] = (await memory(candidate, 20_000)).slice(15)
  const of = (results, name, field) => results[name].map((one) => one[field])
  return [
    { what: 'requests/s, new ÷ old', atLeast: least, ...ratio(of(whole, 'now', 'perSecond'), of(whole, 'before', 'perSecond')) },
    { what: 'processor per request, old ÷ new', atLeast: least, ...ratio(of(whole, 'before', 'cpuMs'), of(whole, 'now', 'cpuMs')) },
    { what: 'median time of a request, old ÷ new', atLeast: least, ...ratio(delays.before, delays.now) },
    { what: 'first word of a stream, old ÷ new', atLeast: least, ...ratio(firstWords.before, firstWords.now) },
    { what: 'events/s of streams, new ÷ old', atLeast: least, ...ratio(of(events, 'now', 'perSecond'), of(events, 'before', 'perSecond')) },
    {
      what: 'events per second of the processor, new ÷ old',
      atLeast: least,
      ...ratio(of(events, 'now', 'perCpuSecond'), of(events, 'before', 'perCpuSecond')),
    },
    { what: 'memory after 20,000 requests, old ÷ new', atLeast: least, ...ratio(kept.before, kept.now) },
  ]
}
