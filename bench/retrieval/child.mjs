import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { hybridRetriever, localEmbedder, openEngine } from '@stickler/ask/retrieval'
import { terms } from '@stickler/core/internal/relevance'
import { makeCollection } from './collection.mjs'

const batchDocuments = 25
const atOnce = 8
/** What one series of queries may take, so that slow ones end too. */
const longestMs = 60_000

// Indexes a made-up collection at an address, asks it, and prints what it cost.
const [url, chunks, queries, seed] = process.argv.slice(2)
const collection = makeCollection(Number(seed))
const embedder = localEmbedder()
const engine = await openEngine(url)

const indexed = await index(Number(chunks))
const retriever = hybridRetriever({ engine, embedder, timeoutMs: 60_000 })
const first = await timed(() => ask(collection.nextQuery()))
for (let warm = 0; warm < 10; warm++) await ask(collection.nextQuery())
const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
const hybrid = await series(Number(queries), (query) => ask(query))
const together = await throughput(Math.min(Number(queries), Math.ceil(longestMs / hybrid.p50)))
loop.disable()
const text = await series(Number(queries), (query) => engine.searchText(terms(query), 50))
const vectors = await embedder.embed(Array.from({ length: Number(queries) }, () => collection.nextQuery()))
const vector = await series(Number(queries), (_, at) => engine.searchVector(vectors[at], embedder.name, 50))
const memory = process.memoryUsage.rss() / 1e6
await engine.close()
console.log(JSON.stringify({ ...indexed, first, hybrid, together, text, vector, memory, loopMs: loop.max / 1e6 }))

async function index(count) {
  let [writingMs, number] = [0, 0]
  const began = performance.now()
  while (number < count) {
    const documents = []
    for (; documents.length < batchDocuments && number < count; number += 10) documents.push(await makeDocument(number))
    writingMs += await timed(() => engine.replace(documents, embedder.name))
  }
  return { chunksPerSecond: (number / (performance.now() - began)) * 1000, writtenPerSecond: (number / writingMs) * 1000 }
}

async function makeDocument(number) {
  const path = `docs/${number}.md`
  const texts = collection.nextDocument()
  const vectors = await embedder.embed(texts)
  const chunks = texts.map((text, at) => ({
    urn: `${path}#L${at * 20 + 1}-L${at * 20 + 20}`,
    text,
    headings: [],
    terms: terms(text),
    vector: vectors[at],
  }))
  return { path, fingerprint: String(number), chunks }
}

async function ask(query) {
  const { chunks: found, degraded } = await retriever.retrieve(query)
  if (found.length === 0 || degraded) throw new Error(`nothing found: ${degraded?.reason}`)
}

async function series(count, work) {
  const times = []
  const began = performance.now()
  for (let at = 0; at < count && (at < 10 || performance.now() - began < longestMs); at++) {
    const query = collection.nextQuery()
    times.push(await timed(() => work(query, at)))
    // The next one is from another turn of the event loop, as requests are.
    await delay(0)
  }
  times.sort((one, other) => one - other)
  const place = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { p50: place(0.5), p99: place(0.99) }
}

/** Queries per second when several ask at once. */
async function throughput(count) {
  const asked = Array.from({ length: count }, () => collection.nextQuery())
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let query = asked.pop(); query !== undefined; query = asked.pop()) await ask(query)
      }),
    ),
  )
  return (count / ms) * 1000
}

async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}
