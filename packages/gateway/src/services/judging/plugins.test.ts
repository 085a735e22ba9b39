import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../testing/built-judge.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const source = new URL('../../testing/plugin-validators.mjs', import.meta.url)
const yaml = `
server: { port: 0, judging: { deadline: 1, memory: 64, threads: 1 } }
store: { url: 'sqlite::memory:', keepText: false }
plugins: [./plugin.mjs]
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  both: { checks: [deed, { max_words: { limit: 3 } }], retries: 0, timeoutMs: 500 }
  streamed: { checks: [deed], retries: 1, repair: never, stream: verified }
  mixed: { checks: [deed, json], retries: 0, timeoutMs: 500 }
  own: { checks: [{ max_words: { limit: 3 } }], retries: 0 }
routes:
  - { model: streamed, upstream: up, contract: streamed }
  - { model: both, upstream: up, contract: both }
`
let gateway: TestGateway
let folder = ''
beforeAll(async () => {
  requireBuiltJudge()
  folder = await mkdtemp(join(tmpdir(), 'stickler-plugins-'))
  await copyFile(source, join(folder, 'plugin.mjs'))
  gateway = await startTestGateway({ yaml, folder })
})
afterAll(async () => {
  await gateway.close(0)
  await gateway.upstream.close()
  await rm(folder, { recursive: true, force: true })
})

interface Checked {
  readonly status: string
  readonly text?: string
  readonly issues: readonly { readonly code: string; readonly message: string }[]
  readonly unchecked: readonly { readonly validator: string; readonly cause: string; readonly message: string }[]
}
const checked = async (text: string, contract = 'both'): Promise<Checked> =>
  (await gateway.post('/v1/check', { contract, text })).json() as Promise<Checked>

describe('a validator of a plugin', () => {
  test('finds and repairs as one that ships with Stickler does', async () => {
    expect(await checked('It is FOUND.')).toMatchObject({ status: 'repaired', text: 'It is found.', issues: [] })
    expect(await checked('all is well')).toMatchObject({ status: 'valid' })
  })

  test.each([
    ['throws', 'THROW', 'crash', 'a fault with a secret path /etc/x'],
    ['never resolves', 'HANG', 'timeout', expect.stringContaining('500 ms')],
    ['loops for ever', 'LOOP', 'timeout', 'judging took longer than 1000 ms'],
    ['floods', 'FLOOD', 'crash', 'the validator yields more than 1000 findings'],
    ['yields wrong types', 'WRONG', 'crash', expect.stringContaining('neither a fact nor an issue')],
    ['yields a code that it does not have', 'UNKNOWN', 'crash', expect.stringContaining('one of its codes')],
    ['returns no list', 'NUMBER', 'crash', expect.stringContaining('must yield')],
    ['returns a promise', 'PROMISE', 'crash', expect.stringContaining('async *check')],
    ['marks what is outside of the text', 'OUTSIDE', 'crash', expect.stringContaining('outside of the text')],
    ['yields what throws when it is read', 'GETTER', 'crash', 'no'],
    ['ends its process', 'EXIT', 'crash', 'the judging thread ended'],
    ['throws past everybody', 'REJECT', 'crash', expect.any(String)],
    // On a busy machine the deadline comes first.
    ['takes all memory', 'HEAP', expect.stringMatching(/^(?:crash|timeout)$/), expect.any(String)],
  ])('that %s is unchecked, and the others count', async (_what, word, cause, message) => {
    const [bad, other] = await Promise.all([checked(`${word} a b c`), checked('one two three four', 'own')])
    expect(bad.unchecked).toEqual([expect.objectContaining({ validator: 'deed', cause, message })])
    expect(bad.issues.map(({ code }) => code)).toEqual(['MAX_WORDS'])
    expect(other.issues.map(({ code }) => code)).toEqual(['MAX_WORDS'])
  })

  test('that has no verdict does not keep others from repairing, and stays unchecked', async () => {
    const { unchecked, ...rest } = await checked('{"a": "HANG",}', 'mixed')
    expect(rest).toMatchObject({ status: 'unchecked', text: '{"a": "HANG"}', issues: [] })
    expect(unchecked.map(({ validator }) => validator)).toEqual(['deed'])
  })

  test('changes only its own copy of an answer, and its messages are bounded', async () => {
    expect(await checked('MUTATE a b')).toMatchObject({ status: 'valid' })
    const { issues } = await checked('HUGE')
    expect(issues[0]?.message.length).toBeLessThanOrEqual(2000)
  })

  test('that keeps buffers gets a new thread', async () => {
    expect(await checked('BUFFERS')).toMatchObject({ status: 'valid' })
    expect(await checked('all is well')).toMatchObject({ status: 'valid' })
  })
})

test('text of a rejected attempt is never shown in a stream', async () => {
  const turns = ['It is FOUND here.', 'It is fine here.']
  gateway.upstream.enqueue(...turns.map((turn) => answering(turn)))
  const response = await gateway.post('/v1/chat/completions', {
    model: 'streamed',
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  const text = await response.text()
  expect(text).not.toContain('FOUND')
  const pieces = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)
  expect(pieces.join('')).toBe('It is fine here.')
  expect(gateway.upstream.requests).toHaveLength(2)
})

test('clients are not told what a plugin threw, and operators see its validators and codes', async () => {
  gateway.upstream.enqueue(answering('THROW it'))
  const response = await gateway.post('/v1/chat/completions', { model: 'both', messages: [{ role: 'user', content: 'Hi' }] })
  expect(response.status).toBe(424)
  expect(await response.text()).not.toContain('secret path')
  gateway.upstream.enqueue(answering('It is FOUND a b c d.'))
  await gateway.post('/v1/chat/completions', { model: 'both', messages: [{ role: 'user', content: 'Hi' }] })
  await expect.poll(async () => (await gateway.get('/metrics')).text()).toMatch(/code="FOUND"/)
  const latest = async () => {
    const { items } = (await (await gateway.get('/api/v1/runs?limit=1')).json()) as { items: { id: string }[] }
    return (await gateway.get(`/api/v1/runs/${items[0]?.id}`)).text()
  }
  // Without texts, the sentence of the plugin's own table stands for the message.
  await expect.poll(latest).toContain('The answer says so.')
})
