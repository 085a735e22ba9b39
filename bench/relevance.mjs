import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeRelevance, lexicalRelevance } from '@stickler/core/validators'
import { bm25 } from './relevance/bm25.mjs'

const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))
const goals = { 'relevance-pubmedqa': 97, 'relevance-quotesum': 98.5 }
/** What a call of a small local model takes, at best. */
const modelCallMs = 300
const chunksPerQuestion = 8
const rounds = 9

/** Lexical relevance: how well it tells texts that are about a question from others, and what it costs. */
export async function benchRelevance() {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^relevance-.*\.jsonl$/.test(name)) : []
  if (files.length === 0)
    return [{ what: 'recorded questions', note: `there are none in ${folder}; name their folder with STICKLER_CORPUS` }]
  const rows = []
  for (const file of files) {
    const name = file.replace('.jsonl', '')
    const cases = readFileSync(join(folder, file), 'utf8').trim().split('\n').map(readCase)
    const peer = bm25(cases.map(({ text }) => text))
    const own = []
    for (const { question, text, relevant } of cases) own.push({ relevant, score: await lexicalRelevance(question, [text]) })
    rows.push({ what: `${name}: area under the ROC curve, %`, atLeast: goals[name], median: area(own) })
    rows.push({
      what: `${name}: that of BM25, which knows the whole file, %`,
      median: area(cases.map(({ question, text, relevant }) => ({ relevant, score: peer(question, text) }))),
    })
    const perChunk = await costs(cases)
    rows.push({ what: `${name}: milliseconds per chunk`, atMost: 0.2, ...perChunk })
    rows.push({
      what: `${name}: a model call of ${modelCallMs} ms ÷ the verdict on ${chunksPerQuestion} chunks`,
      atLeast: 100,
      median: modelCallMs / (perChunk.median * chunksPerQuestion),
    })
  }
  return rows
}

function readCase(line) {
  const { question, context, expect } = JSON.parse(line)
  return { question, text: context.join('\n'), relevant: expect.relevant }
}

/** CPU time, because other processes must not count. */
async function costs(cases) {
  const measured = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    let count = 0
    for (let at = 0; at + chunksPerQuestion <= cases.length; at += chunksPerQuestion) {
      const group = cases.slice(at, at + chunksPerQuestion)
      await judgeRelevance({ question: group[0].question, chunks: group.map(({ text }) => text) })
      count += group.length
    }
    const { user, system } = process.cpuUsage(before)
    measured.push((user + system) / 1000 / count)
  }
  measured.sort((a, b) => a - b)
  const quartile = (part) => measured[Math.floor((measured.length - 1) * part)]
  return { median: quartile(0.5), low: quartile(0.25), high: quartile(0.75) }
}

/** How often a relevant text has a higher score than another one; half when they are equal. */
function area(scored) {
  const [relevant, others] = [true, false].map((wanted) => scored.filter((one) => one.relevant === wanted))
  let wins = 0
  for (const a of relevant) for (const b of others) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0
  return (100 * wins) / (relevant.length * others.length)
}
