import { readdirSync, readFileSync, statSync } from 'node:fs'
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
/** Few enough that the server keeps up with every single event: those that arrive together would count less. */
const streamConnections = 8

/** What a request leaves behind, counted by V8 in processes of their own: unlike times, it does not depend on what else the machine does. */
export async function countRows(stickler, folder) {
  const kilobytes = await countPromoted(stickler, join(folder, 'collections.txt'))
  const { promises, classes, perEvent } = await countCreated(stickler, folder)
  return [
    { what: 'moved to old space per request: Stickler with three checks, KB', atMost: 3, ...quartiles(kilobytes) },
    { what: 'promises per request: Stickler with three checks', atMost: 10, ...quartiles(promises) },
    { what: 'new hidden classes per request: Stickler with three checks', atMost: 0, ...quartiles(classes) },
    { what: 'promises per event of a stream, one event per write: Stickler with three checks', atMost: 6, ...quartiles(perEvent) },
  ]
}

/** Kilobytes that survive two collections of young space, from what V8 prints of each. */
async function countPromoted(stickler, file) {
  const server = await stickler('promoted', { flags: ['--trace-gc', '--trace-gc-nvp'], printed: file })
  const counts = await inMarks(server, () => readFileSync(file, 'latin1').length)
  const printed = readFileSync(file, 'latin1')
  await server.stop()
  // Older versions of Node print pairs, newer ones JSON.
  const promoted = /[ "]promoted(?:=|":)(\d+)/g
  mustMatch(printed, promoted, '--trace-gc-nvp')
  const bytes = (text) => [...text.matchAll(promoted)].reduce((sum, [, count]) => sum + Number(count), 0)
  return perRequest(counts, (from, to) => bytes(printed.slice(from, to)) / 1024)
}

/** Promises that are created, including those that V8 creates for each `await` while it counts, and hidden classes. */
async function countCreated(stickler, folder) {
  // Each thread has a file of its own; those of one file would overwrite each other.
  const flags = ['--log-maps', `--logfile=${join(folder, 'maps.log')}`, '--logfile-per-isolate']
  const server = await stickler('created', { flags, env: { COUNT_PROMISES: '1' } })
  const logs = () => readdirSync(folder).filter((name) => name.endsWith('maps.log'))
  const sizes = () => new Map(logs().map((name) => [name, statSync(join(folder, name)).size]))
  const counts = await inMarks(server, async () => ({ sizes: sizes(), promises: (await server.usage()).promises }))
  const { port, bytes } = server
  const read = () => readStreams({ port, request: bytes('single', true), connections: streamConnections, streams })
  await read()
  const perEvent = []
  for (let round = 0; round < 3; round++) {
    const before = (await server.usage()).promises
    await read()
    perEvent.push(((await server.usage()).promises - before) / streams / words(flowingAnswer).length)
  }
  await server.stop()
  const maps = logs().map((name) => [name, readFileSync(join(folder, name), 'latin1')])
  mustMatch(maps.map(([, text]) => text.slice(0, 1e6)).join('\n'), /^map-create,/m, '--log-maps')
  const classes = (from, to) =>
    maps.reduce(
      (sum, [name, text]) => sum + (text.slice(from.sizes.get(name) ?? 0, to.sizes.get(name)).match(/^map-create,/gm)?.length ?? 0),
      0,
    )
  return {
    promises: perRequest(counts, (from, to) => to.promises - from.promises),
    classes: perRequest(counts, classes),
    perEvent,
  }
}

/** What was counted from one mark to the next, for each request; the first round is part of the warm-up. */
function perRequest(marks, difference) {
  return marks.slice(2).map((to, index) => difference(marks[index + 1], to) / perRound)
}

/** A version of Node that prints something else has counted nothing, which is not zero. */
function mustMatch(text, pattern, flag) {
  if (text.search(pattern) < 0) throw new Error(`Node ${process.versions.node} prints nothing that can be counted with ${flag}`)
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
