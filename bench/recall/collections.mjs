import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chunksOf } from '@stickler/ask/retrieval'
import { terms } from '@stickler/core/internal/relevance'
import { questions } from './questions.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
/** Beside the checkout, unless the environment names another folder. */
const corpus = process.env.STICKLER_CORPUS ?? at('../../../shared/corpus')

/** This repository's documentation: a question is answered by any one of its places. */
export async function docsCollection() {
  const folder = at('../../docs')
  const files = (await readdir(folder, { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
  const documents = await Promise.all(
    files.sort().map(async (path) => ({ path, fingerprint: '', chunks: chunksOf(path, await readFile(join(folder, path), 'utf8')) })),
  )
  const all = documents.flatMap(({ chunks }) => chunks)
  const gone = questions.flatMap(([, ...places]) => places).find((place) => !all.some((chunk) => isAt(chunk, place)))
  if (gone !== undefined) throw new Error(`bench/recall/questions.mjs names ${gone}, which is not in docs any more`)
  return {
    name: 'docs',
    documents,
    questions: questions.map(([question, ...places]) => ({
      question,
      relevant: { places: 1, placeOf: (hit) => (places.some((place) => isAt(hit, place)) ? 0 : undefined) },
    })),
  }
}

function isAt({ urn, headings }, place) {
  const [path, heading] = place.split('#')
  return urn.startsWith(`${path}#`) && (heading === undefined || headings.some((one) => one.replaceAll('`', '').includes(heading)))
}

/** Recorded questions with the passages that answer them, of PubMedQA and QuoteSum: every passage of every question is a document. */
export function recordedCollection() {
  const files = existsSync(corpus) ? readdirSync(corpus).filter((name) => /^relevance-.*\.jsonl$/.test(name)) : []
  const name = 'PubMedQA and QuoteSum'
  if (files.length === 0) return { name, note: `there are no recorded cases in ${corpus}; name their folder with STICKLER_CORPUS` }
  const urns = new Map()
  const answers = new Map()
  for (const line of files.sort().flatMap((file) => readFileSync(join(corpus, file), 'utf8').trim().split('\n'))) {
    const { question, context, expect } = JSON.parse(line)
    for (const text of context) {
      if (!urns.has(text)) urns.set(text, `passage-${urns.size}`)
      if (expect.relevant) answers.set(question, (answers.get(question) ?? new Set()).add(urns.get(text)))
    }
  }
  return {
    name,
    documents: [...urns].map(([text, urn]) => ({ path: urn, fingerprint: '', chunks: [{ urn, text, headings: [], terms: terms(text) }] })),
    questions: [...answers].map(([question, relevant]) => ({
      question,
      relevant: { places: relevant.size, placeOf: ({ urn }) => (relevant.has(urn) ? urn : undefined) },
    })),
  }
}
