import { inspect } from 'node:util'
import { ConfigurationError } from '@stickler/core'
import { expect, test } from 'vitest'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { secretsOf } from '../resolved/secrets-of.ts'
import { readGatewayConfig } from './read-gateway-config.ts'

const env = {
  KEY: 'sk-canary-1',
  DATABASE: 'postgres://me:canary-2@db.example/docs?sslmode=require',
  WRONG: 'mysql://me:canary-3@db/x',
  CHUNKS: '5',
}
const head = `upstreams: [{ name: main, kind: openai, baseUrl: 'http://127.0.0.1:1/v1', model: large }, { name: small, kind: scripted, answers: [YES] }]\n`
const route = 'routes: [{ model: docs, upstream: main, pipeline: avap }]\n'
const read = (source: string): Promise<GatewayConfig> =>
  readGatewayConfig(source, 'stickler.yaml', { env, cwd: '/conf', readFile: () => Promise.reject(new Error('no files')) })

async function complaints(source: string): Promise<string[]> {
  try {
    await read(source)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n')
    throw error
  }
}

test('everything that is left out is filled in', async () => {
  const { retrieval, routes } = await read(`${head}${route}retrieval: {}\n`)
  expect(retrieval).toEqual({
    index: { kind: 'sqlite', shown: '/conf/.stickler/index.db' },
    collection: 'default',
    chunks: 8,
    embeddings: { kind: 'local' },
    relevance: { strategy: 'lexical' },
  })
  expect(retrieval?.index.url).toBe('/conf/.stickler/index.db')
  expect(routes[0]).toMatchObject({ model: 'docs', pipeline: 'avap' })
  const besideStore = await read(`${head}${route}store: { url: 'sqlite:data/runs.db' }\nretrieval: {}\n`)
  expect(besideStore.retrieval?.index.shown).toBe('/conf/data/index.db')
  const asUrl = await read(`${head}${route}retrieval: { index: 'file:///data/x.db' }\n`)
  expect(asUrl.retrieval?.index.url).toBe('/data/x.db')
})

test('everything that is written is taken over', async () => {
  const { retrieval } = await read(`${head}${route}
retrieval:
  index: elasticsearch+https://search.example/
  collection: guides
  chunks: \${CHUNKS}
  embeddings: { baseUrl: 'https://api.example/v1', model: small-3, apiKeyEnv: KEY, dimensions: 512, timeout: 2.5 }
  relevance: { strategy: llm, upstream: small }
  classifier: { upstream: main }
  reformulation: { upstream: main, model: tiny }
`)
  expect(retrieval).toMatchObject({
    index: { kind: 'elasticsearch', url: 'elasticsearch+https://search.example/' },
    collection: 'guides',
    chunks: 5,
    embeddings: {
      kind: 'service',
      shown: 'https://api.example/v1',
      model: 'small-3',
      dimensions: 512,
      timeout: 2500,
      apiKey: 'sk-canary-1',
    },
    relevance: { strategy: 'llm', upstream: 'small' },
    classifier: { upstream: 'main', model: 'large' },
    reformulation: { upstream: 'main', model: 'tiny' },
  })
})

test('secrets can be used, but are never printed', async () => {
  const config = await read(`${head}${route}
retrieval: { indexEnv: DATABASE, embeddings: { baseUrl: 'https://api.example/v1?token=canary-4-long', model: m, apiKeyEnv: KEY } }
`)
  for (const shown of [inspect(config, { depth: 9, showHidden: true }), JSON.stringify(config)]) expect(shown).not.toMatch(/canary/)
  expect(config.retrieval?.index).toMatchObject({ kind: 'postgres', shown: 'postgres://me@db.example/docs', url: env.DATABASE })
  expect(secretsOf(config)).toEqual(expect.arrayContaining(['sk-canary-1', 'canary-2', env.DATABASE, 'canary-4-long']))
})

test.each([
  ['retrieval:', /3:1: retrieval: write retrieval: \{\} for the defaults, or settings/],
  ['retrieval: docs.db', /3:1: retrieval: write retrieval: \{\}/],
  ['retrieval: [docs.db]', /3:1: retrieval: write retrieval: \{\}/],
  ['retrieval: { relevance: embeddings }', /3:14: retrieval.relevance: write \{ strategy: lexical \}, .*strategy: llm, upstream: NAME/],
  ['retrieval: { relevance: }', /3:14: retrieval.relevance: write \{ strategy: lexical \}/],
  ['retrieval: { relevance: {} }', /retrieval.relevance.strategy: is missing; one of lexical, embedding, llm/],
  ['retrieval: { indexx: a.db }', /stickler\.yaml:3:14: retrieval.indexx: unknown key "indexx".*"index"/],
  ['retrieval: { index: "mysql://me:canary@db/x" }', /3:14: retrieval.index: a password must not be in a file.*indexEnv: NAME/],
  ['retrieval: { index: "opensearch+http://me:canary@db/x" }', /a password must not be/],
  ['retrieval: { index: "mysql://db/x" }', /retrieval.index: expected a file, postgres/],
  ['retrieval: { index: "file:///" }', /retrieval.index: name the file of the index/],
  ['retrieval: { collection: "A b" }', /retrieval.collection: has at most 63/],
  ['retrieval: { indexEnv: ABSENT }', /retrieval.indexEnv: the environment variable ABSENT is not set/],
  ['retrieval: { indexEnv: WRONG }', /retrieval.indexEnv: expected a file, postgres/],
  ['retrieval: { index: a.db, indexEnv: DATABASE }', /index and indexEnv are mutually exclusive/],
  ['retrieval: { chunks: 0 }', /retrieval.chunks/],
  ['retrieval: { collection: "a b" }', /retrieval.collection: has at most 63/],
  ['retrieval: { embeddings: locl }', /retrieval.embeddings: .*"local"/],
  [
    'retrieval: { embeddings: { baseUrl: "http://127.0.0.1/v1", model: x, modell: x } }',
    /retrieval.embeddings.modell: unknown key "modell".*"model"/,
  ],
  [
    'retrieval: { embeddings: { baseUrl: "http://127.0.0.1/v1", model: x, apiKey: canary } }',
    /embeddings.apiKey: a secret must not be.*apiKeyEnv: NAME/,
  ],
  [
    'retrieval: { embeddings: { baseUrl: "https://api.example/v1", model: x, apiKeyEnv: ABSENT } }',
    /embeddings.apiKeyEnv: the environment variable ABSENT is not set/,
  ],
  ['retrieval: { relevance: { strategy: lexicl } }', /retrieval.relevance.strategy: .*lexical/],
  ['retrieval: { relevance: { strategy: lexical, threshold: 2 } }', /retrieval.relevance.threshold/],
  ['retrieval: { relevance: { strategy: lexical, treshold: 0.5 } }', /retrieval.relevance.treshold: unknown key "treshold".*"threshold"/],
  ['retrieval: { relevance: { strategy: llm } }', /retrieval.relevance.upstream/],
  ['retrieval: { relevance: { strategy: llm, upstream: smal } }', /retrieval.relevance.upstream: unknown upstream "smal".*"small"/],
  ['retrieval: { embeddings: none, relevance: { strategy: embedding } }', /relevance.strategy: the strategy embedding compares vectors/],
  ['retrieval: { classifier: { upstream: mian } }', /retrieval.classifier.upstream: unknown upstream "mian".*"main"/],
  ['retrieval: { classifier: rule }', /retrieval.classifier: .*"rules"/],
  ['retrieval: { reformulation: { model: x } }', /retrieval.reformulation.upstream/],
])('%s is told', async (written, message) => {
  const told = await complaints(`${head}${route}${written}\n`)
  expect(told.join('\n')).toMatch(message)
  expect(told.join('\n')).not.toMatch(/canary/)
  expect(told).toHaveLength(1)
})

test.each([
  ['pipeline: avap', '', /routes.0.pipeline: a pipeline needs passages.*retrieval/],
  [
    'pipeline: avap, contract: c',
    'retrieval: {}\ncontracts: { c: { checks: [json] } }',
    /routes.0.contract: contract and pipeline are mutually exclusive/,
  ],
  ['pipeline: avap, exemptApis: [completions]', 'retrieval: {}', /routes.0.exemptApis: a route with a pipeline/],
])('a route with %s and %s is told', async (written, rest, message) => {
  const told = await complaints(`${head}routes: [{ model: docs, upstream: main, ${written} }]\n${rest}\n`)
  expect(told.join('\n')).toMatch(message)
  expect(told).toHaveLength(1)
})
