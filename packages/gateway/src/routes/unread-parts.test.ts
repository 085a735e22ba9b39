import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { apiNames, ask, errorOf, verdictOf, ways } from '../testing/wire.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 5 } }], retries: 0 }
  open: { checks: [{ max_words: { limit: 5 } }], retries: 0, unchecked: deliver }
routes:
  - { model: strict, upstream: chat, contract: strict }
  - { model: open, upstream: chat, contract: open }
  - { model: plain, upstream: chat }
`

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** The upstream answers with this message, in one piece or in chunks. */
function answer(message: Json, streamed: boolean, further: Json = {}): void {
  const { content, ...fields } = message
  const finish_reason = 'stop'
  if (!streamed) gateway.upstream.enqueue(answeringBody({ choices: [{ index: 0, message, finish_reason }], ...further }))
  else
    gateway.upstream.enqueue(
      answeringEvents([
        { choices: [{ index: 0, delta: fields, finish_reason: null }], ...further },
        { choices: [{ index: 0, delta: { content }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason }] },
      ]),
    )
}

const urlCitation = (url: unknown): Json => ({ type: 'url_citation', url_citation: { url, title: 'T', start_index: 0, end_index: 1 } })
const sound = 'https://sound.example/a?b=c#d'
const unsafe = [
  'javascript:alert(1)//CANARY',
  ' javascript:alert(1)//CANARY',
  'java\nscript:alert(1)//CANARY',
  '\u0001javascript:alert(1)//CANARY',
  'JaVaScRiPt:alert(1)//CANARY',
  'data:text/html,CANARY',
  'vbscript:CANARY',
  'file:///etc/CANARY',
  '//CANARY.example/',
  'https://a.example/\nCANARY',
  'https:CANARY',
]

describe('A12 references that a provider sends', () => {
  test.each(ways)('%s %s: only those to the web pass under a contract, and the rest is reported', async (api, how) => {
    const streamed = how === 'streamed'
    const annotations = [
      ...unsafe.map(urlCitation),
      urlCitation(['javascript:CANARY']),
      urlCitation(sound),
      { type: 'file_citation', file_id: 'f1' },
    ]
    const message = { role: 'assistant', content: 'Fine.', annotations, citations: ['javascript:CANARY', sound] }
    answer(message, streamed, { citations: ['data:CANARY', sound], search_results: [{ url: 'javascript:CANARY' }, { url: sound }] })
    const reply = await ask(gateway, api, { model: 'strict', stream: streamed })
    expect(reply.body).not.toContain('CANARY')
    if (api !== 'messages') expect(reply.body).toContain(sound)
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [{ code: 'UNSAFE_ADDRESS', severity: 'warning' }] })
  })

  test.each(['whole', 'streamed'])('without a contract they pass as they are, %s', async (how) => {
    const annotations = unsafe.map(urlCitation)
    answer({ role: 'assistant', content: 'Fine.', annotations }, how === 'streamed')
    const reply = await ask(gateway, 'chat', { model: 'plain', stream: how === 'streamed' })
    expect(reply.body.match(/CANARY/g)).toHaveLength(unsafe.length)
  })
})

describe('A12 audio', () => {
  const audio = { id: 'a1', data: 'AAAA', transcript: 'CANARY one two three four five six seven', expires_at: 1 }

  test.each(['whole', 'streamed'])('alone is withheld where unchecked answers are, %s', async (how) => {
    for (const content of [null, 'Fine.']) {
      for (const api of apiNames) {
        answer({ role: 'assistant', content, audio }, how === 'streamed')
        const reply = await ask(gateway, api, { model: 'strict', stream: how === 'streamed' })
        expect(reply.body).not.toContain('CANARY one')
        expect(errorOf(reply)).toBeDefined()
      }
    }
  })

  test.each(['whole', 'streamed'])('is passed as it is where unchecked answers are delivered, but never as valid, %s', async (how) => {
    for (const content of [null, 'Fine.']) {
      answer({ role: 'assistant', content, audio }, how === 'streamed')
      const reply = await ask(gateway, 'chat', { model: 'open', stream: how === 'streamed' })
      expect(reply.status).toBe(200)
      expect(reply.body).toContain('CANARY one')
      expect(verdictOf(reply)).toMatchObject({ status: 'unchecked', unchecked: ['unread'], attempts: 1 })
      if (how === 'whole') expect((reply.json as { choices: Json[] }).choices[0]?.message).toMatchObject({ content, audio })
    }
  })

  test('passes without a contract', async () => {
    answer({ role: 'assistant', content: null, audio }, false)
    const reply = await ask(gateway, 'chat', { model: 'plain' })
    expect([reply.status, reply.body.includes('CANARY one')]).toEqual([200, true])
  })
})
