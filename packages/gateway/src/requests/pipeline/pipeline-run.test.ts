import type { RetrievedChunk } from '@stickler/ask/retrieval'
import type { Contract, Message } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { expect, test } from 'vitest'
import { mostCharacters, type Retrieving } from '../../services/retrieving/retrieving.ts'
import { chatCostBound } from '../budgets/cost-bound.ts'
import { promptTokensOf } from '../budgets/prompt-tokens.ts'
import type { Target } from '../target.ts'
import type { HeldContract } from './bound-contract.ts'
import { pipelineCostBound } from './pipeline-cost-bound.ts'
import { preparePipelineRun, refuseWithoutQuery } from './pipeline-run.ts'
import { createPipelineTarget } from './pipeline-target.ts'

const chunkOf = (character: string, index: number): RetrievedChunk => ({
  urn: `docs/${index}.md#L1`,
  text: character.repeat(mostCharacters),
  headings: [],
  score: 1,
  ranks: {},
})

test.each([
  ['markup', '"', true],
  ['another script', '道', true],
  ['plain letters', 'a', false],
])('no prompt exceeds what is reserved for it, whatever passages hold: %s', async (_name, character, isTooMuch) => {
  const chunks = Array.from({ length: 8 }, (_, index) => chunkOf(character, index))
  const settings = { chunks: 8, relevance: { strategy: 'lexical' } }
  const retrieving = { settings, retriever: { retrieve: async () => ({ chunks }) } } as unknown as Retrieving
  const pipeline = createPipelineTarget('avap', {
    retrieving,
    helpers: {},
    clock: systemClock,
    timeoutMs: 10_000,
    bind: (contract) => ({ contract }) as HeldContract,
  })
  const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'How are hashes made?' }] }
  const request = {
    chat,
    target: { contract: { policy: { budget: {} } } as Contract } as Target,
    client: { type: 'RETRIEVAL' },
    caller: { requestId: 'r', signal: new AbortController().signal, startedAt: 0 },
    headers: {},
    ports: { clock: systemClock },
    called() {},
  }
  const run = await preparePipelineRun(request, pipeline)
  const reserved = pipelineCostBound(chatCostBound(chat, { contract: pipeline.costliest, isStreamed: false }, 100), pipeline)
  expect(promptTokensOf({ messages: run.messages })).toBeLessThanOrEqual(reserved.first.prompt)
  expect(run.verdict.sources.length).toBeGreaterThan(0)
  expect([run.verdict.sources.length < 8, run.verdict.degraded]).toEqual(isTooMuch ? [true, 'retrieve'] : [false, undefined])
})

test.each<[string, readonly Message[], string]>([
  ['no message of the user', [{ role: 'system', content: 'Be brief.' }], 'there is no message of the user to look up'],
  ['no messages', [], 'there is no message of the user to look up'],
  ['an empty question', [{ role: 'user', content: ' ' }], 'the last message of the user has no text to look up'],
])('%s is refused for what it is', (_, messages, message) => {
  expect(() => refuseWithoutQuery({ model: 'm', messages }, undefined)).toThrow(message)
})
