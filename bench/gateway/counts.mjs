import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { quartiles } from '../harness.mjs'
import { flowingAnswer, words } from './answers.mjs'
import { load, readStreams } from './client.mjs'

const connections = 64
/** Until optimised code has replaced what ran first. */
const warmUp = 6000
const rounds = 5
const perRound = 1200
const streams = 32

/** What a request leaves behind, counted by V8 in processes of their own: unlike times, it does not depend on what else the machine does. */
export async function countRows(startCounted) {
  const kilobytes = await countPromoted(startCounted)
  const { promises, classes, perEvent } = await countCreated(startCounted)
  return [
    { what: 'moved to old space per request: Stickler with three checks, KB', atMost: 3, ...quartiles(kilobytes) },
    { what: 'promises per request: Stickler with three checks', atMost: 10, ...quartiles(promises) },
    { what: 'new hidden classes per request: Stickler with three checks', atMost: 0, ...quartiles(classes) },
    { what: 'promises per event of a stream, one event per write: Stickler with three checks', atMost: 6, ...quartiles(perEvent) },
  ]
}

/** Kilobytes that survive two collections of young space, from what V8 prints of each. */
async function countPromoted(startCounted) {
  const server = await startCounted('promoted', { flags: ['--trace-gc', '--trace-gc-nvp'] })
  const bytes = (text) => [...text.matchAll(/ promoted=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  const [, ...counts] = await inMarks(server, () => readFileSync(server.printed, 'utf8').length)
  const printed = readFileSync(server.printed, 'utf8')
  await server.stop()
  return counts.slice(1).map((to, index) => bytes(printed.slice(counts[index], to)) / 1024 / perRound)
}

/** Promises that are created, including those that V8 creates for each `await` while it counts, and hidden classes. */
async function countCreated(startCounted) {
  const log = join(startCounted.folder, 'maps.log')
  const flags = ['--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate']
  const server = await startCounted('created', { flags, env: { COUNT_PROMISES: '1' } })
  const sizes = []
  const counts = await inMarks(server, async () => {
    sizes.push(statSync(log).size)
    return (await server.usage()).promises
  })
  const { port, bytes } = server
  const read = () => readStreams({ port, request: bytes('single', true), connections, streams })
  await read()
  const perEvent = []
  for (let round = 0; round < 3; round++) {
    const before = (await server.usage()).promises
    await read()
    perEvent.push(((await server.usage()).promises - before) / streams / words(flowingAnswer).length)
  }
  const maps = readFileSync(log, 'latin1')
  await server.stop()
  const classes = (from, to) => (maps.slice(from, to).match(/^map-create,/gm) ?? []).length / perRound
  const each = (list, difference) => list.slice(2).map((to, index) => difference(list[index + 1], to))
  return { promises: each(counts, (from, to) => (to - from) / perRound), classes: each(sizes, classes), perEvent }
}

/** Notes something after the warm-up and after every round, all over the same connections. */
async function inMarks({ port, bytes }, note) {
  const notes = []
  const enough = (done) => {
    if (done >= warmUp + (notes.length - 1) * perRound) notes.push(note())
    return notes.length > rounds + 1
  }
  await load({ port, request: bytes('whole'), connections, enough })
  return Promise.all(notes)
}
