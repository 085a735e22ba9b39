// Damages random bytes of an index again and again and uses it in every way. A process of its own, which libsql may end:
//   node damage-index.mjs FILE SEED ROUNDS
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { sqliteEngine } from '../../dist/retrieval/engines/sqlite/sqlite-engine.js'

const [path, seed, rounds] = [process.argv[2] ?? '', Number(process.argv[3]), Number(process.argv[4])]
const words = ['red', 'green', 'blue', 'größe', 'имя', 'stream', 'chunk', 'the']
const open = () => sqliteEngine(path, { collection: 'default' })

let state = seed >>> 0
/** A number from 0, the same for the same seed. */
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

function documentAt(at) {
  const chunks = Array.from({ length: 4 }, (_, chunk) => {
    const terms = words.map((word, place) => ((at + chunk + place) % 3 === 0 ? word : `w${at}`))
    const vector = new Float32Array([at, chunk + 1, -1])
    return { urn: `d${at}.md#L${chunk}`, text: terms.join(' '), headings: ['Größe', `${at}`], terms, vector }
  })
  return { path: `d${at}.md`, fingerprint: `f${at}`, chunks }
}

function everyCall(index) {
  return [
    () => index.searchText(words, 5),
    () => index.searchText(['red'], 50),
    () => index.searchVector(new Float32Array([1, 2, 3]), 'test', 5),
    () => index.fingerprints(''),
    () => index.fingerprints('d'),
    () => index.facts(),
    () => index.replace([documentAt(1), documentAt(20)], 'test'),
    () => index.remove(['d0.md', 'd2.md']),
    () => index.searchText(words, 50),
  ]
}

function damaged(whole, used) {
  const bytes = Buffer.from(whole)
  for (let left = 1 + random(3); left > 0; left--) {
    const at = random(8) === 0 ? random(bytes.length) : used[random(used.length)]
    const length = random(4) === 0 ? 1 + random(8) : 1
    for (let place = at; place < Math.min(at + length, bytes.length); place++)
      bytes[place] = [0xff, 0x80, random(256), whole[place] ^ (1 << random(8))][random(4)]
  }
  return random(50) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
}

function writeAnew(bytes) {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  if (bytes !== undefined) writeFileSync(path, bytes)
}

writeAnew()
const fresh = open()
await fresh.replace(
  Array.from({ length: 12 }, (_, at) => documentAt(at)),
  'test',
)
await fresh.close()
const whole = readFileSync(path)
const used = [...whole.keys()].filter((at) => whole[at] !== 0)
const errors = new Map()
for (let round = 0; round < rounds; round++) {
  writeAnew(damaged(whole, used))
  const index = open()
  for (const call of everyCall(index)) {
    try {
      await call()
    } catch (error) {
      const message = String(error.message).replaceAll(path, 'FILE')
      // The name of an embedder may have changed into another.
      if (!message.includes('FILE') && error.name !== 'ConfigurationError')
        throw new Error(`round ${round} of seed ${seed}: ${message}`, { cause: error })
      errors.set(message, (errors.get(message) ?? 0) + 1)
    }
  }
  await index.close()
}
writeSync(1, JSON.stringify(Object.fromEntries(errors)))
// Giving thousands of connections back takes minutes.
process.exit()
