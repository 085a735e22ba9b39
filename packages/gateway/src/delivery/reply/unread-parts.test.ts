import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { apiNames, ask, errorOf, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 5 } }], retries: 0 }
  closed: { checks: [{ max_words: { limit: 5 } }], retries: 0, unchecked: withhold }
  open: { checks: [{ max_words: { limit: 5 } }], retries: 0, unchecked: deliver }
routes:
  - { model: strict, upstream: chat, contract: strict }
  - { model: closed, upstream: chat, contract: closed }
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
function answer(message: Json, streamed: boolean, further: Json = {}, beside: Json = {}): void {
  const { content, ...fields } = message
  const finish_reason = 'stop'
  if (!streamed) gateway.upstream.enqueue(answeringBody({ choices: [{ index: 0, message, ...beside, finish_reason }], ...further }))
  else
    gateway.upstream.enqueue(
      answeringEvents([
        { choices: [{ index: 0, delta: fields, ...beside, finish_reason: null }], ...further },
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

  const evil = 'javascript:alert("CANARY")'
  const places: readonly (readonly [string, { readonly message?: Json; readonly choice?: Json; readonly top?: Json }])[] = [
    ['annotations of the choice', { choice: { annotations: [{ url: evil }] } }],
    ['citations of the choice', { choice: { citations: [evil] } }],
    ['citations by name', { message: { citations: { a: evil } } }],
    ['citations by name, on top', { top: { citations: { a: evil } } }],
    ['one citation', { message: { citations: evil } }],
    ['an object in place of citations', { message: { citations: { url: evil } } }],
    ['another name of the address', { message: { annotations: [{ type: 'url_citation', url_citation: { source_url: evil } }] } }],
    ['a name in camel case', { message: { annotations: [{ type: 'url_citation', url_citation: { sourceURL: evil } }] } }],
    ['images', { message: { images: [{ type: 'image_url', image_url: { url: evil } }] } }],
    ['a page as an image', { message: { images: [{ type: 'image_url', image_url: { url: 'data:text/html;base64,CANARY' } }] } }],
    ['a drawing with programs', { message: { images: [{ type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,CANARY' } }] } }],
    ['results of a search', { message: { web_search_results: [{ url: evil }] } }],
    ['what an answer is grounded on', { message: { grounding: { chunks: [{ web: { uri: evil } }] } } }],
    ['a lone address', { message: { source_url: evil } }],
    ['a list of addresses', { top: { source_links: [evil] } }],
    ['an address in parts', { top: { link: { to: evil } } }],
    ['deep inside', { top: { x: Array.from({ length: 40 }).reduce((inner) => ({ y: inner }), { url: evil } as unknown) } }],
  ]
  test.each(places.flatMap(([name, where]) => ways.map(([api, how]) => [name, api, how, where] as const)))(
    'do not pass under a contract in %s, %s %s',
    async (_name, api, how, { message = {}, choice = {}, top = {} }) => {
      const streamed = how === 'streamed'
      answer({ role: 'assistant', content: 'Fine.', ...message }, streamed, top, choice)
      const reply = await ask(gateway, api, { model: 'strict', stream: streamed })
      expect(reply.body).not.toContain('CANARY')
      expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [{ code: 'UNSAFE_ADDRESS', severity: 'warning' }] })
    },
  )

  test.each(['whole', 'streamed'])('pictures and what has no addresses pass as they are, %s', async (how) => {
    const images = [{ type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' } }]
    const message = {
      images,
      note: { title: 'Note: a "javascript:" in words' },
      annotations: [{ title: 'a: b', url: sound }],
      source_url: '',
    }
    answer({ role: 'assistant', content: 'Fine.', ...message }, how === 'streamed', { provider: 'a:b', links: { self: sound } })
    const reply = await ask(gateway, 'chat', { model: 'strict', stream: how === 'streamed' })
    for (const part of ['iVBORw0KGgo=', 'in words', 'a: b', 'a:b', 'self']) expect(reply.body).toContain(part)
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [] })
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

  test.each(['whole', 'streamed'])('is withheld where unchecked answers are, alone only where the contract says so, %s', async (how) => {
    for (const [content, model] of [
      [null, 'closed'],
      ['Fine.', 'closed'],
      ['Fine.', 'strict'],
    ] as const) {
      for (const api of apiNames) {
        answer({ role: 'assistant', content, audio }, how === 'streamed')
        const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
        expect(reply.body).not.toContain('CANARY one')
        expect(errorOf(reply)).toBeDefined()
      }
    }
  })

  test.each(['whole', 'streamed'])('is passed as it is where unchecked answers are delivered, but never as valid, %s', async (how) => {
    for (const [content, model] of [
      [null, 'open'],
      ['Fine.', 'open'],
      [null, 'strict'],
    ] as const) {
      answer({ role: 'assistant', content, audio }, how === 'streamed')
      const reply = await ask(gateway, 'chat', { model, stream: how === 'streamed' })
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
