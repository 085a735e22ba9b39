import { join } from 'node:path'
import type { NodeTrace } from '@stickler/ask/pipeline'
import { httpFailure, redactFailure } from '@stickler/core/internal'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { fillIndex } from '../../routes/ask/testing/ask-index.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway } from '../../testing/test-gateway.ts'
import { ask } from '../../testing/wire.ts'
import { keptNodes } from './stored-record.ts'

const kept = (degraded: string, codes: NodeTrace['codes']) =>
  keptNodes([{ node: 'classify', ms: 1, degraded, ...(codes && { codes }) }], false)[0]?.degraded

test.each<[string, NodeTrace['codes'], string]>([
  [
    'vector: the embeddings endpoint failed: the provider answered with status 400: canary',
    [
      ['half', 'vector'],
      ['failed', 'embeddings endpoint'],
      ['status', 400],
    ],
    'vector: the embeddings endpoint failed: the provider answered with status 400',
  ],
  ['the classifier did not answer within 2000 ms', [['late', 'classifier', 2000]], 'the classifier did not answer within 2000 ms'],
  ['the index holds vectors of "canary"', [['half', 'vector'], ['other_embedder']], 'vector: the index holds vectors of another embedder'],
  ['the classifier failed', undefined, 'not kept'],
  ['canary', [['toString'], ['a code of a later version', 1]] as unknown as NodeTrace['codes'], 'not kept'],
  ['', [], 'not kept'],
])('%s with the codes %j is kept as %s without keepText, also a second time', (reason, codes, own) => {
  expect(kept(reason, codes)).toBe(own)
  expect(kept(own, codes)).toBe(own)
})

test('whatever a service says, its words are in the message and not in the codes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (said) => {
      const failure = httpFailure(500, said)
      expect(failure.message.startsWith('the provider answered with status 500')).toBe(true)
      expect(failure.codes).toEqual([['status', 500]])
      expect(redactFailure(failure, () => 'redacted').codes).toEqual([['status', 500]])
    }),
  )
})

test('services that repeat what they were sent leave nothing of it in log, run or reply without keepText', async () => {
  const echoing: Behaviour = (exchange) => {
    const { json, body } = exchange.request
    const isModel = json?.model === 'docs' || json?.model === 'main'
    return isModel
      ? answering('It is.[^1]')(exchange)
      : answeringBody({ error: { message: `I do not like ${body}` } }, { status: 400 })(exchange)
  }
  const yaml = `
store: { keepText: false }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, model: main, price: { prompt: 1, completion: 1 } }]
retrieval:
  embeddings: { baseUrl: $UP/v1, model: vectors }
  classifier: { upstream: up, model: small }
  reformulation: { upstream: up, model: small }
  relevance: { strategy: llm, upstream: up, model: small }
routes: [{ model: docs, upstream: up, pipeline: avap }]
ask: { upstreams: [up], pipeline: avap }
`
  const gateway = await startTestGateway({ yaml, behaviour: echoing })
  onTestFinished(() => gateway.close())
  await fillIndex(join(gateway.folder, '.stickler', 'index.db'))
  const question = 'How is a hash made with encodeSHA256 for the canary?'
  const reply = await ask(gateway, 'chat', { model: 'docs', prompt: question })
  expect(reply.headers.get('x-stickler-degraded')).toBe('classify')
  expect((await gateway.post('/ask', { question })).status).toBe(200)
  const list = async () => ((await (await gateway.get('/api/v1/runs?limit=9')).json()) as { items: { id: string }[] }).items
  await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBe(2)
  for (const { id } of await list()) {
    const run = await (await gateway.get(`/api/v1/runs/${id}`)).text()
    expect(run).toContain('the provider answered with status 400')
    expect(run).not.toMatch(/canary|takes a value|not like/)
  }
  const log = gateway.logLines.join('\n')
  expect(log.match(/the provider answered with status 400/g)?.length).toBeGreaterThanOrEqual(6)
  expect(log).not.toMatch(/canary|takes a value|not like/)
})
