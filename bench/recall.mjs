import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuse, localEmbedder, openEngine, searchableText } from '@stickler/ask/retrieval'
import { terms } from '@stickler/core/relevance'
import { docsCollection, recordedCollection } from './recall/collections.mjs'
import { startPostgres } from './retrieval/postgres.mjs'

const wanted = 8
const candidates = 50

/** What is found among the first 8 passages, by each half and by both, on each engine: hybrid must not be worse than its better half. */
export async function benchRecall() {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-recall-'))
  const postgres = await startPostgres()
  try {
    const rows = []
    for (const collection of [await docsCollection(), recordedCollection()]) {
      if (collection.note !== undefined) {
        rows.push({ what: collection.name, note: collection.note })
        continue
      }
      for (const [engine, url] of [
        ['SQLite', join(folder, 'index.db')],
        ['PostgreSQL', postgres.url],
      ])
        rows.push(...(await measured(collection, engine, url)))
    }
    return rows
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true })
  }
}

async function measured({ name, documents, questions }, engineName, url) {
  const engine = await openEngine(url, { collection: name.replaceAll(/\W/g, '_').toLowerCase() })
  const embedder = localEmbedder()
  for (const document of documents) {
    const vectors = await embedder.embed(document.chunks.map(searchableText))
    const chunks = document.chunks.map((chunk, at) => ({ ...chunk, vector: vectors[at] }))
    await engine.replace([{ ...document, chunks }], embedder.name)
  }
  const sums = { text: zero(), vectors: zero(), hybrid: zero() }
  for (const { question, relevant } of questions) {
    const [vector] = await embedder.embed([question], { purpose: 'query' })
    const text = await engine.searchText([...new Set(terms(question))], candidates)
    const vectors = await engine.searchVector(vector, embedder.name, candidates)
    const lists = { text, vectors, hybrid: fuse(text, vectors, wanted) }
    for (const [half, found] of Object.entries(lists)) count(sums[half], found.slice(0, wanted), relevant)
  }
  await engine.close()
  const share = (sum) => Number(((100 * sum) / questions.length).toFixed(1))
  const label = `${name} (${questions.length} questions), ${engineName}`
  return ['recall', 'rank'].flatMap((measure) => {
    const title = measure === 'recall' ? '% recall@8' : '% mean reciprocal rank@8'
    const [text, vectors, hybrid] = [sums.text, sums.vectors, sums.hybrid].map((sum) => share(sum[measure]))
    const goal = measure === 'recall' ? { atLeast: Math.max(text, vectors) } : {}
    return [
      { what: `${label}: ${title}, text`, median: text },
      { what: `${label}: ${title}, vectors`, median: vectors },
      { what: `${label}: ${title}, hybrid`, median: hybrid, ...goal },
    ]
  })
}

function zero() {
  return { recall: 0, rank: 0 }
}

/** `relevant` says which place of the answer a passage covers, if any; recall is the share of places that were found. */
function count(sum, found, { places, placeOf }) {
  const covered = found.map(placeOf)
  const first = covered.findIndex((place) => place !== undefined)
  sum.recall += new Set(covered.filter((place) => place !== undefined)).size / Math.min(places, wanted)
  sum.rank += first === -1 ? 0 : 1 / (first + 1)
}
