import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Answer } from '../packages/core/dist/answer/answer.js'
import { buildContract } from '../packages/core/dist/contract/contract.js'
import { check, runChecks } from '../packages/core/dist/engine/check/check.js'
import { VerifiedStream } from '../packages/core/dist/engine/stream/stream.js'
import { catalogue } from '../packages/presets/dist/index.js'
import { pageCheck } from '../tools/docs/page-check.mjs'
import { compare, quartiles, ratio } from './harness.mjs'
import { number } from './report.mjs'

/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))
const many = 1e9

/** Options with which ordinary answers pass, so that all of their text is read; other validators have those that their page shows first. */
const ordinary = {
  casing: { is: 'lower' },
  code_syntax: {},
  contains: { none: ['guarantee', 'as an AI language model'], wholeWords: true },
  language: { is: ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ru', 'ko'] },
  length: { words: { max: many }, sentences: { max: many } },
  links: { hosts: ['acme.com'] },
  markdown: { headings: { max: many, levels: [1, 2, 3, 4, 5, 6] }, bullets: { max: many }, tables: { max: many } },
  max_words: { limit: many },
  pattern: { deny: [{ regex: '\\bTODO\\b', ignoreCase: true }] },
}
const contract = (input) => buildContract(input, catalogue)
/** A stream that is not checked: what the pieces themselves cost. */
const nothing = contract({ checks: [], retries: 0, stream: 'verified' })
/** What asks somebody else, or judges calls and not text. */
const left = ['command', 'remote', 'tool_sequence']
/** What a service in front of people would check. */
const six = ['length', 'contains', 'language', 'links', 'markdown', 'sensitive']

const ports = {
  files: { kind: async () => 'file', list: async () => [] },
  // The cost of the parser is measured by `bench parser`; here it answers at once.
  parser: { parse: async () => ({ verdict: 'valid' }) },
}
const context = { sources: 9, tools: [], question: 'What is it?', context: ['It is what it is.'] }
const setting = { locale: 'en', context, ports, signal: new AbortController().signal }

/** Each validator on recorded answers: its speed, whole and in pieces of 1 to 7 characters, and how long text is held. */
export async function benchReal() {
  const file = join(folder, 'real-answers.jsonl')
  if (!existsSync(file)) return [{ what: 'recorded answers', note: `there are none in ${folder}; name their folder with STICKLER_CORPUS` }]
  const texts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).text)
  const rows = []
  for (const { definition } of catalogue.validators)
    if (!left.includes(definition.name)) rows.push(await measure(`\`${definition.name}\``, [checkOf(definition.name)], texts))
  rows.push(await measure(`${six.join(', ')}`, six.map(checkOf), texts))
  return rows
}

function checkOf(name) {
  return ordinary[name] ? { [name]: ordinary[name] } : pageCheck(name)
}

async function measure(what, checks, texts) {
  const rules = contract({ checks, retries: 0, stream: 'verified' })
  const cut = texts.map(pieces)
  const times = await compare(
    { whole: () => checkAll(rules, texts), streamed: () => streamAll(rules, cut), unchecked: () => streamAll(nothing, cut) },
    { rounds: 5, warmUpMs: 1, budgetMs: 1, sampleMs: 1 },
  )
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const rate = (list) => number(quartiles(list.map((ms) => bytes / 1000 / ms)).median)
  const both = times.whole.map((ms, round) => ms + times.unchecked[round])
  const shown = (await Promise.all(cut.map((chunks) => holds(rules, chunks)))).filter((one) => one !== undefined)
  return {
    check: what,
    'whole, MB/s': rate(times.whole),
    'in pieces, MB/s': rate(times.streamed),
    'pieces ÷ whole': number(ratio(times.streamed, times.whole).median),
    'pieces ÷ (whole + unchecked pieces)': number(ratio(times.streamed, both).median),
    'first word: median, p95': middleAndTail(shown.map(({ first }) => first)),
    'longest hold: median, p95': middleAndTail(shown.map(({ longest }) => longest)),
    'answers shown': String(shown.length),
  }
}

function middleAndTail(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)]
  return sorted.length === 0 ? '' : `${at(0.5)}, ${at(0.95)}`
}

async function checkAll(rules, texts) {
  for (const text of texts) await check(rules, new Answer(text), { context, ports })
}

/** What the engine does with a stream: the pieces, and the end of what has read them. */
async function streamAll(rules, cut) {
  for (const chunks of cut) {
    const stream = new VerifiedStream(rules, setting, { release: 'verified', repairs: true, stops: true })
    let failed = false
    for (const chunk of chunks) {
      let step = stream.take(chunk)
      if (step.waits) step = await stream.settle()
      if (step.doom) failed = true
      if (failed) break
    }
    stream.end()
    await runChecks(rules, new Answer(stream.text, { reader: stream.reader }), setting, stream.live)
  }
}

/** After how many characters the first word is shown, and how many are held at most; undefined when the answer is stopped. */
async function holds(rules, chunks) {
  const stream = new VerifiedStream(rules, setting, { release: 'verified', repairs: true, stops: true })
  let first
  let longest = 0
  let written = 0
  for (const chunk of chunks) {
    written += chunk.length
    let step = stream.take(chunk)
    if (step.waits) step = await stream.settle()
    if (step.doom) return undefined
    if (step.released !== '') first ??= written
    longest = Math.max(longest, written - stream.written.length)
  }
  return { first: first ?? written, longest }
}

/** Cuts a text as tokens do, the same way each time: into pieces of 1 to 7 characters. */
function pieces(text) {
  const chunks = []
  for (let at = 0, turn = 1; at < text.length; turn = (turn * 5 + 3) % 64) {
    const end = at + 1 + (turn % 7)
    chunks.push(text.slice(at, end))
    at = end
  }
  return chunks
}
