import { Answer, check, contract } from '@stickler/core'
import { VerifiedStream } from '../packages/core/dist/engine/stream/stream.js'
import { compare, quartiles, ratio } from './harness.mjs'

const chunkBytes = 20
const many = 1e9

/** The everyday validators, with options that no text below breaks, so that all of it is read. */
const everyday = {
  max_words: { limit: many },
  length: { words: { max: many } },
  'length, all units': {
    length: {
      words: { max: many },
      characters: { max: many },
      sentences: { max: many },
      lines: { max: many },
      paragraphs: { max: many },
      parts: { separator: '***', max: many },
    },
  },
  affixes: { starts: '#', ends: 'end' },
  casing: { is: 'lower' },
  markdown: { headings: { max: many, levels: [1, 2, 3, 4, 5, 6] }, bullets: { max: many }, tables: { max: many } },
  language: { is: ['en'] },
}

/** What a model may flood a validator with. */
const floods = {
  stars: '*',
  'stars and letters': '*a',
  bars: '|-|\n',
  hashes: '# ',
  'back-ticks': '` ',
  'white space': ' \n',
  'full stops': 'a. ',
  quotes: '"',
}

const paragraph =
  'the gateway reads every answer once, checks it against the rules that you have written down, and asks again when something is missing. ' +
  'text that is known to be right is shown at once; *what is wrong* is never shown.\n\n- first point, with `code`\n- second point\n\n'

/** Megabytes per second of each everyday validator, whole and in chunks of 20 bytes, and how its time grows under floods. */
export async function benchValidators() {
  const text = `# heading\n\n${paragraph.repeat(Math.ceil(200_000 / paragraph.length))}\n\nend`
  const chunks = cut(text)
  const rows = []
  for (const [name, options] of Object.entries(everyday)) {
    const rules = contract({ checks: [name.includes(',') ? options : { [name]: options }], retries: 0 })
    await mustPass(name, rules, text)
    const times = await compare(
      { whole: () => check(rules, new Answer(text)), streamed: () => streamed(rules, chunks) },
      { budgetMs: 4000 },
    )
    rows.push({ what: `\`${name}\`, whole, MB/s`, ...rate(times.whole, text) })
    rows.push({ what: `\`${name}\`, in chunks of ${chunkBytes} characters, MB/s`, ...rate(times.streamed, text) })
    rows.push(await worstGrowth(name, rules))
  }
  return rows
}

/** The flood whose cost per character grows most between 50 000 characters and four times as many. */
async function worstGrowth(name, rules) {
  let worst
  for (const [kind, flood] of Object.entries(floods)) {
    const [small, large] = [50_000, 200_000].map((size) => flood.repeat(Math.ceil(size / flood.length)).slice(0, size))
    const work = (given) => async () => {
      await check(rules, new Answer(given))
      await streamed(rules, cut(given))
    }
    const times = await compare({ small: work(small), large: work(large) }, { rounds: 5, warmUpMs: 100, budgetMs: 1000 })
    const growth = ratio(times.large, times.small, 1 / 4)
    if (worst === undefined || growth.median > worst.median) worst = { kind, ...growth }
  }
  const { kind, ...growth } = worst
  return { what: `\`${name}\`, flood of ${kind}: time per character at 200 KB ÷ at 50 KB`, atMost: 2, ...growth }
}

async function streamed(rules, chunks) {
  const setting = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal }
  const stream = new VerifiedStream(rules, setting, { release: 'verified', repairs: false, stops: false })
  for (const chunk of chunks) if (stream.take(chunk).waits) await stream.settle()
  stream.end()
}

async function mustPass(name, rules, text) {
  const { issues, unchecked } = await check(rules, text)
  if (issues.length + unchecked.length > 0) throw new Error(`${name}: ${JSON.stringify([issues, unchecked])}`)
}

function rate(times, text) {
  const { low, median, high } = quartiles(times.map((ms) => Buffer.byteLength(text) / 1000 / ms))
  return { low, median, high }
}

function cut(text) {
  return Array.from({ length: Math.ceil(text.length / chunkBytes) }, (_, at) => text.slice(at * chunkBytes, (at + 1) * chunkBytes))
}
