import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, dataOf, type WireReply } from '../../testing/wire.ts'

// Tokens beside a text that is edited: none of what was taken out is shown, and of what stays none is lost.
const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: translated, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat] }
contracts:
  safe: { checks: [{ sensitive: { redact: true } }], retries: 0 }
routes:
  - { model: native, upstream: up, contract: safe }
  - { model: translated, upstream: translated, contract: safe }
`
type Json = Record<string, unknown>
interface Token {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top_logprobs?: readonly Token[]
}
/** What is said at once, and its tokens. */
interface Group {
  readonly text: string
  readonly tokens: readonly Token[]
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const frame = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const textOf = (groups: readonly Group[]): string => groups.map(({ text }) => text).join('')
const tokensOf = (groups: readonly Group[]): readonly Token[] => groups.flatMap(({ tokens }) => tokens)

/** How providers write tokens: as text, those that are parts of characters as their bytes, or nothing but bytes. */
const styles = ['plain', 'written', 'bytes'] as const

/** The tokens of a word: characters of several bytes are several tokens, as far as a provider has a way to write them. */
function wordTokens(word: string, style: (typeof styles)[number], next: () => number): Token[] {
  const bytes = [...Buffer.from(word)]
  const isSplit = style !== 'plain' && bytes.length > word.length
  const parts = isSplit ? [bytes.slice(0, 1), bytes.slice(1)] : [bytes]
  return parts.map((part): Token => {
    const written = isSplit ? part.map((byte) => `\\x${byte.toString(16)}`).join('') : word
    if (style === 'plain') return { token: word, logprob: next() }
    const token = { token: style === 'bytes' ? '' : written, logprob: next(), bytes: part }
    return { ...token, top_logprobs: [token] }
  })
}

/** `lag`: tokens come so many pieces after their text. */
function chatBehaviour(groups: readonly Group[], stream: boolean, lag: number): Behaviour {
  if (!stream) {
    const message = { role: 'assistant', content: textOf(groups) }
    const choice = { index: 0, message, logprobs: { content: tokensOf(groups) }, finish_reason: 'stop' }
    return answeringBody({ ...frame, object: 'chat.completion', choices: [choice] })
  }
  const chunks = groups.map((said, at) => ({
    ...frame,
    choices: [{ index: 0, delta: { content: said.text }, logprobs: { content: groups[at - lag]?.tokens ?? [] }, finish_reason: null }],
  }))
  return answeringEvents([...chunks, { ...frame, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }])
}

function responsesBehaviour(groups: readonly Group[], stream: boolean, lag: number): Behaviour {
  const text = textOf(groups)
  const part = { type: 'output_text', text, annotations: [], logprobs: tokensOf(groups) }
  const item = { id: 'i', type: 'message', role: 'assistant', status: 'completed', content: [part] }
  const response = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [item] }
  if (!stream) return answeringBody(response)
  const place = { item_id: 'i', output_index: 0, content_index: 0 }
  return answeringEvents(
    [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...place, part: { ...part, text: '', logprobs: [] } },
      ...groups.map((said, at) => ({
        type: 'response.output_text.delta',
        ...place,
        delta: said.text,
        logprobs: groups[at - lag]?.tokens ?? [],
      })),
      { type: 'response.output_text.done', ...place, text, logprobs: tokensOf(groups) },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ].map((event, number) => ({ ...event, sequence_number: number })),
    { done: false },
  )
}

/** The texts that are shown, each with its tokens; the tokens of texts that are repeated come apart from them. */
function shownBy(api: ApiName, reply: WireReply): { readonly pieces: [text: string, tokens: readonly Token[]][]; readonly repeats: Json } {
  if (reply.events.length === 0) {
    const { choices, output } = reply.json as { choices?: Json[]; output?: { content: Json[] }[] }
    const [choice] = choices ?? []
    const part = (output?.[0]?.content[0] ?? {}) as Json
    const { content } = (choice?.message ?? { content: part.text }) as { content: string }
    const tokens = choice === undefined ? part.logprobs : (choice.logprobs as Json | null)?.content
    return { pieces: [[content, (tokens as Token[] | undefined) ?? []]], repeats: {} }
  }
  const pieces: [string, readonly Token[]][] = []
  const repeats: Json = {}
  for (const event of dataOf(reply) as Json[]) {
    if (api === 'responses') {
      if (event.type === 'response.output_text.delta') pieces.push([String(event.delta), (event.logprobs as Token[] | undefined) ?? []])
      else repeats[String(event.type)] = event
      continue
    }
    for (const { delta, logprobs } of (event.choices ?? []) as { delta: Json; logprobs?: { content?: Token[] } | null }[])
      pieces.push([String(delta.content ?? ''), logprobs?.content ?? []])
  }
  return { pieces, repeats }
}

/** Where bytes of the provider's text were replaced, from what is shown. */
function removedSpans(text: string, shown: string): [start: number, end: number][] {
  const kept = shown.split(/\[[A-Z]+\]/)
  const found = new RegExp(`^${kept.map((one) => `(${one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`).join('([^]+?)')}$`).exec(text)
  expect(found, `${JSON.stringify(text)} shown as ${JSON.stringify(shown)}`).not.toBeNull()
  const spans: [number, number][] = []
  let at = 0
  for (const [index, piece] of (found ?? []).slice(1).entries()) {
    const length = Buffer.byteLength(piece)
    if (index % 2 === 1) spans.push([at, at + length])
    at += length
  }
  return spans
}

const word = fc.constantFrom(
  'Mail',
  ' ',
  'jane',
  '@',
  'acme',
  '.org',
  ' now',
  ',',
  'J',
  'ane@acme',
  ' +49 30',
  ' 1234567',
  '.',
  '!',
  ' see ',
  'x@y',
  '🤷',
  '€',
)
const groupsOf = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
const ways: readonly (readonly [model: string, client: ApiName, upstream: ApiName])[] = [
  ['native', 'chat', 'chat'],
  ['native', 'responses', 'responses'],
  ['translated', 'responses', 'chat'],
]

test.each(ways)('%s, %s: none of what was taken out is shown, none of what stays is lost', async (model, client, upstream) => {
  await fc.assert(
    fc.asyncProperty(groupsOf, fc.boolean(), fc.nat(1), fc.constantFrom(...styles), async (words, stream, lag, style) => {
      let count = 0
      const groups = [['Hi', ' ', 'there', ', '], ...words, [' the', ' end', '.']].map(
        (group): Group => ({ text: group.join(''), tokens: group.flatMap((said) => wordTokens(said, style, () => -++count)) }),
      )
      gateway.upstream.enqueue((upstream === 'chat' ? chatBehaviour : responsesBehaviour)(groups, stream, lag))
      const reply = await ask(gateway, client, { model, stream })
      const { pieces, repeats } = shownBy(client, reply)
      const shown = pieces.map(([text]) => text).join('')
      const spans = removedSpans(textOf(groups), shown)
      const places = new Map<number, [start: number, end: number]>()
      const untouched = new Set<number>()
      let at = 0
      for (const group of groups) {
        const length = Buffer.byteLength(group.text)
        const isTouched = spans.some(([start, end]) => start < at + length && end > at)
        for (const { token, bytes, logprob } of group.tokens) {
          const size = bytes?.length ?? Buffer.byteLength(token)
          places.set(logprob, [at, at + size])
          if (!isTouched) untouched.add(logprob)
          at += size
        }
      }
      const isTaken = ({ logprob }: Token): boolean => {
        const [from, to] = places.get(logprob) ?? [0, 0]
        return spans.some(([start, end]) => start < to && end > from)
      }
      const tokens = pieces.flatMap(([, some]) => some)
      const case_ = { shown, pieces }
      expect([case_, tokens.filter(isTaken)]).toEqual([case_, []])
      expect(tokens.map(({ logprob }) => logprob)).toEqual([...new Set(tokens.map(({ logprob }) => logprob))].sort((a, b) => b - a))
      // What is made of another API's events has none once its text is not the model's own.
      const expected =
        lag > 0 && stream
          ? new Set<number>()
          : spans.length === 0
            ? new Set(places.keys())
            : model === 'translated' || !stream
              ? new Set<number>()
              : untouched
      const seen = new Set(tokens.map(({ logprob }) => logprob))
      expect([case_, [...expected].filter((one) => !seen.has(one))]).toEqual([case_, []])
      const repeated = JSON.stringify(repeats)
      for (const [number, place] of places)
        if (isTaken({ token: '', logprob: number }))
          expect([case_, place, new RegExp(`"logprob":${number}[,}]`).test(repeated)]).toEqual([case_, place, false])
    }),
    { numRuns: 60 },
  )
})

const jane = 'jane@acme.org'
const bytes = [...Buffer.from(jane)]
test.each([
  ['bytes without a token', [{ token: '', logprob: -1, bytes, top_logprobs: [] }]],
  ['pieces of bytes', [1, 6, 20].map((end, at) => ({ token: '', logprob: -1, bytes: bytes.slice([0, 1, 6][at], end), top_logprobs: [] }))],
  [
    'what else could have been said',
    ['jane', '@', 'acme.org'].map((token) => ({ token: '', logprob: -1, bytes: [], top_logprobs: [{ token, logprob: -2, bytes: null }] })),
  ],
  ['texts for tokens', ['jane', '@', 'acme.org']],
])('beside a text that stays, %s of one that was taken out are not shown', async (_name, entries) => {
  const said = ['Mail ', jane, ' or', ' call', ' now', '.']
  const chunks = said.map((content, at) => {
    const logprobs = {
      content: [...(at === 5 ? entries : []), { token: content, logprob: -1, bytes: null, top_logprobs: [] }],
      refusal: null,
    }
    return { ...frame, choices: [{ index: 0, delta: { content }, logprobs, finish_reason: null }] }
  })
  for (const model of ['native', 'translated']) {
    gateway.upstream.enqueue(answeringEvents([...chunks, { ...frame, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]))
    const { body } = await ask(gateway, model === 'native' ? 'chat' : 'responses', { model, stream: true })
    expect([model, body.includes('[EMAIL]'), /jane|97,\s*110,\s*101|acme/.test(body)]).toEqual([model, true, false])
  }
})
