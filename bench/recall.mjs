import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passageText } from '@stickler/ask/internal'
import { hybridRetriever, localEmbedder, openEngine, searchableText } from '@stickler/ask/retrieval'
import { terms } from '@stickler/core/internal/relevance'
import { judgeRelevance } from '@stickler/core/validators'
import { docsCollection, recordedCollection } from './recall/collections.mjs'
import { documentQuestions, keptApart, otherTopics, reworded } from './recall/documents.mjs'
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
  const retriever = hybridRetriever({ engine, embedder })
  const sums = { text: zero(), vectors: zero(), hybrid: zero() }
  for (const { question, relevant } of questions) {
    const [vector] = await embedder.embed([question], { purpose: 'query' })
    const text = await engine.searchText([...new Set(terms(question))], candidates)
    const vectors = await engine.searchVector(vector, embedder.name, candidates)
    const lists = { text, vectors, hybrid: (await retriever.retrieve(question, { limit: wanted })).chunks }
    for (const [half, found] of Object.entries(lists)) count(sums[half], found.slice(0, wanted), relevant)
  }
  const asked = name === 'docs' ? await measuredDocuments(retriever, embedder, engineName) : []
  await engine.close()
  const share = (sum) => Number(((100 * sum) / questions.length).toFixed(1))
  const label = `${name} (${questions.length} questions), ${engineName}`
  const rows = ['recall', 'rank'].flatMap((measure) => {
    const title = measure === 'recall' ? '% recall@8' : '% mean reciprocal rank@8'
    const [text, vectors, hybrid] = [sums.text, sums.vectors, sums.hybrid].map((sum) => share(sum[measure]))
    const goal = measure === 'recall' ? { atLeast: Math.max(text, vectors) } : {}
    return [
      { what: `${label}: ${title}, text`, median: text },
      { what: `${label}: ${title}, vectors`, median: vectors },
      { what: `${label}: ${title}, hybrid`, median: hybrid, ...goal },
    ]
  })
  return [...rows, ...asked]
}

/** Which document is first, and what is relevant by the default threshold, for each half of the questions. */
async function measuredDocuments(retriever, embedder, engineName) {
  const rows = []
  for (const held of [false, true]) {
    const half = (list) => list.filter((_, index) => (index % 2 === 1) === held)
    const label = `docs, ${held ? 'second half' : 'first half'}, ${engineName}`
    const percent = (sum, list) => Number(((100 * sum) / list.length).toFixed(1))
    let [first, found] = [0, 0]
    for (const [question, ...right] of half(documentQuestions)) {
      const { chunks } = await retriever.retrieve(question, { limit: wanted })
      const place = chunks.findIndex(({ urn }) => right.some((path) => urn.startsWith(`${path}#`)))
      if (place === 0) first++
      if (place >= 0) found++
    }
    const asked = half(documentQuestions)
    rows.push({ what: `${label} (${asked.length} questions): % right document first`, median: percent(first, asked), atLeast: 73.9 })
    rows.push({ what: `${label}: % right document among the first ${wanted} passages`, median: percent(found, asked) })
    for (const strategy of ['lexical', 'embedding'])
      for (const [what, questions] of [
        ['questions about it', asked.map(([question]) => question)],
        ['questions about it in other words', half(reworded)],
        ['questions about other subjects', half(otherTopics)],
        ['questions about it that nothing was chosen by', half(keptApart.own)],
        ['questions about other subjects that nothing was chosen by', half(keptApart.other)],
      ]) {
        let relevant = 0
        for (const question of questions) {
          const { chunks } = await retriever.retrieve(question, { limit: wanted })
          const verdict = await judgeRelevance({ question, chunks: chunks.map(passageText), isRetrieved: true, strategy, embedder })
          if (verdict.relevant) relevant++
        }
        rows.push({ what: `${label}: % relevant by ${strategy}, ${questions.length} ${what}`, median: percent(relevant, questions) })
      }
  }
  return rows
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
