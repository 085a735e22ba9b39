import { jsonrepair } from 'jsonrepair'
import { parse } from 'jsonriver'
import { JsonStream } from '../packages/core/dist/repairs/json/json-stream.js'
import { repairJson } from '../packages/core/dist/repairs/json/repair-json.js'
import { compare, ratio } from './harness.mjs'

const chunkLength = 20

/** Right JSON with one thing wrong all over it, as models write it. */
const faults = {
  'single quotes': (text) => text.replaceAll('"', "'"),
  'unquoted keys': (text) => text.replace(/"(\w+)":/g, '$1:'),
  'trailing commas': (text) => text.replaceAll('}', ',}'),
  'Python literals': (text) => text.replaceAll('true', 'True').replaceAll('false', 'False'),
  'quotes in strings': (text) => text.replaceAll('is fine', 'is "fine"'),
  'one comma at the end': (text) => `${text.slice(0, -1)},]`,
  'a cut end': (text) => text.slice(0, -40),
}

/** Texts that make scanners slow. */
const hostile = {
  'keys without end': (size) => '{"k: "v" '.repeat(size / 9),
  brackets: (size) => '['.repeat(size),
  objects: (size) => '{"a":'.repeat(size / 5),
  'an open string': (size) => `["${'a'.repeat(size)}`,
  'stray quotes': (size) => `{"a": "${'x" y, '.repeat(size / 6)}`,
}

/** Reading JSON, right and broken, whole and as it comes. */
export async function benchJson() {
  return [await valid(), ...(await broken()), ...(await growth()), ...(await streams())]
}

async function valid() {
  const text = makeJson(100_000)
  const times = await compare({ repair: () => repairJson(text), parse: () => JSON.parse(text) })
  return { what: '`repairJson` ÷ `JSON.parse`, 100 KB of right JSON', atMost: 1.2, ...ratio(times.repair, times.parse) }
}

async function broken() {
  const rows = []
  for (const [fault, damage] of Object.entries(faults)) {
    const text = damage(makeJson(100_000))
    const times = await compare({ repair: () => repairJson(text), peer: () => JSON.parse(jsonrepair(text)) }, { rounds: 15 })
    rows.push({ what: `${fault}: jsonrepair ÷ Stickler, 100 KB`, atLeast: 1.5, ...ratio(times.peer, times.repair) })
  }
  return rows
}

async function growth() {
  const rows = []
  for (const [kind, make] of Object.entries(hostile)) {
    const [small, large] = [make(120_000), make(480_000)]
    const times = await compare(
      {
        small: () => repairJson(small),
        large: () => repairJson(large),
        smallStream: () => streamed(small),
        largeStream: () => streamed(large),
      },
      { rounds: 11, warmUpMs: 200, budgetMs: 5000 },
    )
    rows.push(
      { what: `${kind}: whole, time of 480 KB ÷ of 120 KB`, atMost: 8, ...ratio(times.large, times.small) },
      { what: `${kind}: stream, time of 480 KB ÷ of 120 KB`, atMost: 8, ...ratio(times.largeStream, times.smallStream) },
    )
  }
  return rows
}

async function streams() {
  const [small, middle, large] = [50_000, 200_000, 400_000].map(makeJson)
  const times = await compare({
    small: () => streamed(small),
    middle: () => streamed(middle),
    large: () => streamed(large),
    peer: () => river(middle),
  })
  return [
    { what: 'stream in chunks of 20 with the value after each ÷ jsonriver, 200 KB', atMost: 2, ...ratio(times.middle, times.peer) },
    { what: 'stream: time of 400 KB ÷ of 50 KB', atMost: 10, ...ratio(times.large, times.small) },
  ]
}

/** Reads a text in chunks and looks at the value after each of them. */
function streamed(text) {
  const stream = new JsonStream()
  let seen
  for (let at = 0; at < text.length; at += chunkLength) {
    stream.push(text.slice(at, at + chunkLength))
    seen = stream.value
  }
  stream.finish()
  return seen
}

async function river(text) {
  let seen
  for await (seen of parse(chunksOf(text)));
  return seen
}

async function* chunksOf(text) {
  for (let at = 0; at < text.length; at += chunkLength) yield text.slice(at, at + chunkLength)
}

/** About `size` characters of right JSON. */
function makeJson(size) {
  const users = []
  for (let id = 0, length = 0; length < size; id++) {
    const user = {
      id,
      name: `User number ${id}`,
      active: id % 2 === 0,
      score: id * 1.5,
      tags: ['alpha', 'beta', 'gamma'],
      note: 'All of it is fine, so far. '.repeat(4),
    }
    users.push(user)
    length += JSON.stringify(user).length + 1
  }
  return JSON.stringify(users)
}
