import { expect, test } from 'vitest'
import { pipelines } from './pipelines.ts'
import { preparePipeline } from './prepare.ts'

const [pipeline] = Object.values(pipelines)
if (pipeline === undefined) throw new Error('there is no pipeline')

test('prepares a question that nothing was found for', async () => {
  const prepared = await preparePipeline({ pipeline, retriever: { retrieve: async () => ({ chunks: [] }) } })({ query: 'What is a loop?' })
  expect(prepared.trace.map(({ node }) => node)).toEqual([
    'classify',
    'reformulate',
    'retrieve',
    'check_context_relevance',
    'reformulate_with_hint',
    'retrieve',
  ])
  expect(prepared).toMatchObject({ type: 'RETRIEVAL', retries: 0, reformulations: 1, context: { sources: 0 }, context_relevant: false })
})
