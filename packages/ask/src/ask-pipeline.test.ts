import { expect, test } from 'vitest'
import type { PipelineDefinition } from './pipeline/definition.ts'
import { pipelines } from './pipeline/pipelines.ts'
import { preparePipeline } from './pipeline/prepare.ts'
import { service } from './testing/asking.ts'
import { fixedRetriever, judge } from './testing/piped.ts'

const prepare = preparePipeline({ pipeline: pipelines.avap as PipelineDefinition, retriever: fixedRetriever(), relevance: judge(true) })

test('a question without sources is answered from what is retrieved', async () => {
  const asked = service(['Use encodeSHA256[^1].'], { pipeline: { prepare } })
  expect(await asked.ask({ question: 'How are hashes made?' })).toMatchObject({
    ok: true,
    envelope: { type: 'RETRIEVAL', context_relevant: true, reformulations: 0, validation_status: '' },
  })
})
