import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type FakeClaude, type FakeTurn, fakeClaude } from '../../packages/gateway/src/testing/fake-claude.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stickler-sessions-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

interface Place {
  readonly claude: FakeClaude
  readonly gateway: TestGateway
}

const keys = { alice: 'alice-key-0123456789', bob: 'bob-key-0123456789', operator: 'operator-key-0123456789' }
type Message = OpenAI.Chat.ChatCompletionMessageParam

/** A gateway in front of a fake `claude`. */
async function serve(
  turns: readonly FakeTurn[] = [],
  more: { readonly upstream?: string; readonly keepText?: boolean } = {},
): Promise<Place> {
  const own = join(folder, String(count++))
  mkdirSync(own)
  const claude = fakeClaude(own)
  claude.play(turns)
  const { upstream = '', keepText = false } = more
  const yaml = `
store: { url: 'sqlite:${join(own, 'state.db')}', keepText: ${keepText} }
upstreams:
  - { name: claude, kind: claude-cli, command: ${claude.command}${upstream} }
  - { name: opus, kind: claude-cli, command: ${claude.command}, model: opus }
contracts:
  brief: { checks: [{ max_words: { limit: 4 } }], retries: 2, stream: hold }
  marked: { preset: helix, checks: [step_marker] }
  quick: { checks: [{ max_words: { limit: 4 } }], retries: 2, stream: verified }
routes:
  - { model: plain, upstream: claude }
  - { model: same, upstream: claude }
  - { model: opus, upstream: opus }
  - { model: brief, upstream: claude, contract: brief }
  - { model: marked, upstream: claude, contract: marked }
  - { model: quick, upstream: claude, contract: quick }
`
  const gateway = await startTestGateway({
    yaml,
    env: {
      STICKLER_KEYS: `alice:${keys.alice},bob:${keys.bob}`,
      STICKLER_OPERATOR_KEYS: `root:${keys.operator}`,
      PATH: process.env.PATH ?? '',
    },
  })
  onTestFinished(() => gateway.close())
  return { claude, gateway }
}

/** The official client, as one chat of Open WebUI. */
function chat({ gateway }: Place, { key = keys.alice, id = 'chat-1' } = {}) {
  const headers = { 'X-OpenWebUI-Chat-Id': id }
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0, defaultHeaders: headers })
  return async (messages: readonly Message[], { model = 'plain', stream = false, n = 1 } = {}): Promise<string> => {
    const body = { model, messages: [...messages], ...(n === 1 ? {} : { n }) }
    if (!stream) return (await client.chat.completions.create(body)).choices[0]?.message.content ?? ''
    let text = ''
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) text += chunk.choices[0]?.delta.content ?? ''
    return text
  }
}

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const system = (content: string): Message => ({ role: 'system', content })

interface SeenRun {
  readonly attempts: readonly { readonly number: number; readonly resumption?: string; readonly stderr?: string }[]
}

/** The newest run as an operator sees it, or somebody else, once so many are in the store. */
async function lastRun({ gateway }: Place, count: number, key = keys.operator): Promise<SeenRun> {
  const read = async (path: string) => (await gateway.get(path, { authorization: `Bearer ${key}` })).json()
  const list = await vi.waitFor(
    async () => {
      const { items } = (await read('/api/v1/runs')) as { items: { id: string }[] }
      expect(items).toHaveLength(count)
      return items
    },
    { timeout: 10_000, interval: 50 },
  )
  return (await read(`/api/v1/runs/${list[0]?.id}`)) as SeenRun
}

describe.each([false, true])('the turns of a chat, streamed: %s', (stream) => {
  it('resume its session, and send only what is new', async () => {
    const place = await serve()
    const ask = chat(place)
    const messages: Message[] = [system('Be kind.'), user('One')]
    for (const next of ['Two', 'Three', 'Four']) {
      messages.push(assistant(await ask(messages, { stream })), user(next))
    }
    const last = await ask(messages, { stream })
    expect(last).toBe('4 turns: <system>\nBe kind.\n</system>\n\n<user>\nOne\n</user> | Two | Three | Four')
    const calls = place.claude.calls()
    expect(calls.map(({ input }) => input).slice(1)).toEqual(['Two', 'Three', 'Four'])
    expect(calls.map(({ resumed }) => resumed !== null)).toEqual([false, true, true, true])
    expect(new Set(calls.map(({ resumed }) => resumed).slice(1)).size).toBe(1)
  })

  it('continue with the answer that the client has, after retries', async () => {
    const place = await serve([
      { when: 'One', say: 'far too many words for this contract' },
      { when: 'MAX_WORDS', nth: 1, say: 'again too many words for it' },
      { when: 'MAX_WORDS', say: 'Good.' },
    ])
    const ask = chat(place)
    expect(await ask([user('One')], { model: 'brief', stream })).toBe('Good.')
    const [first, ...retries] = place.claude.calls()
    expect(first?.resumed).toBeNull()
    expect(retries).toHaveLength(2)
    for (const { resumed, input, turns } of retries) {
      expect(resumed).toMatch(/^[\da-f-]{36}$/)
      expect(input).toMatch(/MAX_WORDS/)
      expect(input).not.toMatch(/<user>/)
      expect(turns[0]).toBe('user: One')
    }
    place.claude.play([{ when: 'Two', say: 'Fine.' }])
    expect(await ask([user('One'), assistant('Good.'), user('Two')], { model: 'brief', stream })).toBe('Fine.')
    expect(place.claude.calls().at(-1)).toMatchObject({ input: 'Two', resumed: retries[0]?.resumed })
    expect((await lastRun(place, 2)).attempts).toMatchObject([{ number: 1, resumption: 'resumed' }])
  })
})

it('a repaired answer is what the client has, and its chat goes on in the session', async () => {
  const place = await serve([{ when: '', say: 'Welche Datenbank ist es?' }])
  const ask = chat(place)
  const repaired = await ask([user('Hilf mir.')], { model: 'marked' })
  expect(repaired).toMatch(/^Welche Datenbank ist es\?\n\n<!-- STEP: \w+ -->$/)
  // The same answer again is no progress, so it is repaired.
  const [, retry] = place.claude.calls()
  expect(retry).toMatchObject({ input: expect.stringContaining('**MISSING_STEP_MARKER**'), turns: { length: 2 } })
  await ask([user('Hilf mir.'), assistant(repaired), user('Es ist PostgreSQL.')], { model: 'marked' })
  expect(place.claude.calls()[2]).toMatchObject({ input: 'Es ist PostgreSQL.', resumed: retry?.resumed })
})

it('a retry resumes the session of an attempt that was stopped early', async () => {
  const place = await serve([
    { when: '^One', say: 'far too many words for this contract' },
    { when: 'MAX_WORDS', say: 'Good.' },
  ])
  expect(await chat(place)([user('One')], { model: 'quick', stream: true })).toBe('Good.')
  expect(place.claude.calls()[1]).toMatchObject({
    resumed: expect.any(String),
    turns: ['user: One', expect.stringContaining('far too many')],
  })
})

describe('a session is resumed only by the conversation that it has seen', () => {
  it('not by another key, chat, model or upstream, nor by another history', async () => {
    const history = [system('Be kind.'), user('The secret is 42'), assistant('1 turns: x')]
    const [kind, asked, said] = history as [Message, Message, Message]
    const place = await serve([{ when: 'secret is 42\n</user>$', say: '1 turns: x' }])
    expect(await chat(place)([kind, asked])).toBe('1 turns: x')
    place.claude.play([{ when: '', say: 'ok' }])
    const strangers: readonly (readonly [readonly Message[], { readonly key?: string; readonly id?: string }?, string?])[] = [
      [history, { key: keys.bob }],
      [history, { id: 'chat-2' }],
      [history, {}, 'same'],
      [history, {}, 'opus'],
      [history, {}, 'brief'],
      [[system('Be rude.'), asked, said]],
      [[kind, asked, assistant('1 turns: y')]],
      [[kind, user('The secret is 43'), said]],
    ]
    for (const [messages, who, model = 'plain'] of strangers) {
      await chat(place, who)([...messages, user('What is the secret?')], { model })
      expect(place.claude.calls().at(-1)).toMatchObject({ resumed: null, turns: [] })
    }
    // It still waits for the one it belongs to.
    await chat(place)([...history, user('And now?')])
    expect(place.claude.calls().at(-1)).toMatchObject({ input: 'And now?', turns: expect.arrayContaining(['assistant: 1 turns: x']) })
    expect(place.claude.calls()).toHaveLength(strangers.length + 2)
  })

  it('also when the client trims the answer and adds fields to it', async () => {
    const place = await serve([{ when: 'One', say: '\n Hello. \n' }])
    const ask = chat(place)
    await ask([user('One')])
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }], refusal: null, annotations: [] }
    await ask([user('One'), answer as Message, user('Two')])
    expect(place.claude.calls().at(-1)).toMatchObject({ input: 'Two', resumed: expect.any(String) })
  })

  it('never by several choices, nor without a name for the chat', async () => {
    const place = await serve()
    const first = await chat(place)([user('One')])
    await chat(place)([user('One'), assistant(first), user('Two')], { n: 2 })
    await place.gateway.post(
      '/v1/chat/completions',
      { model: 'plain', messages: [user('One'), assistant(first), user('Two')] },
      {
        authorization: `Bearer ${keys.alice}`,
      },
    )
    expect(place.claude.calls().map(({ resumed }) => resumed)).toEqual([null, null, null, null])
  })

  it('by one of two requests at the same time', async () => {
    const place = await serve([{ when: 'Two', wait: 300 }])
    const ask = chat(place)
    const first = await ask([user('One')])
    const both = await Promise.all(['Two a', 'Two b'].map((text) => ask([user('One'), assistant(first), user(text)])))
    expect(place.claude.shared()).toEqual([])
    expect(
      place.claude
        .calls()
        .map(({ resumed }) => resumed === null)
        .sort(),
    ).toEqual([false, true, true])
    // Each has seen its own turn only, and both can go on.
    for (const [index, answer] of both.entries()) {
      const own = index === 0 ? 'Two a' : 'Two b'
      expect(answer).not.toContain(index === 0 ? 'Two b' : 'Two a')
      await ask([user('One'), assistant(first), user(own), assistant(answer), user('Three')])
      const { input, turns } = place.claude.calls().at(-1) ?? { input: '', turns: [] }
      expect([input, turns.join()]).toEqual(['Three', expect.stringContaining(own)])
    }
  })
})

describe('a session that Claude has forgotten', () => {
  it('is replaced by the transcript, which the run and the log tell', async () => {
    const place = await serve()
    const ask = chat(place)
    const first = await ask([system('Be kind.'), user('One')])
    place.claude.forget()
    const second = await ask([system('Be kind.'), user('One'), assistant(first), user('Two')])
    expect(second).toContain('<user>\nTwo\n</user>')
    const [, failed, fresh] = place.claude.calls()
    expect(failed).toMatchObject({ input: 'Two', resumed: expect.any(String) })
    expect(fresh?.resumed).toBeNull()
    expect(fresh?.input).toMatch(/^<system>\nBe kind\.\n<\/system>\n\n<user>\nOne\n<\/user>\n\n<assistant>\n1 turns: /)
    const [attempt] = (await lastRun(place, 2)).attempts
    expect(attempt).toMatchObject({
      resumption: 'forgotten',
      stderr: expect.stringMatching(/^exit code 1, 1 line, \d+ characters: session not found$/),
    })
    expect(place.gateway.logLines.filter((line) => line.includes('the session to resume no longer exists'))).toHaveLength(1)
    // The new session is the one that goes on.
    await ask([system('Be kind.'), user('One'), assistant(first), user('Two'), assistant(second), user('Three')])
    expect(place.claude.calls().at(-1)).toMatchObject({ input: 'Three', resumed: expect.any(String) })
  })

  it('is replaced on a retry too', async () => {
    const place = await serve([
      { when: 'One', nth: 1, say: 'far too many words for this' },
      { when: 'MAX_WORDS', say: 'Good.' },
    ])
    // Another id in the output is one that Claude does not know later.
    place.claude.play([
      { when: '^One', say: 'far too many words for this', id: 'gone' },
      { when: 'MAX_WORDS', say: 'Good.' },
    ])
    expect(await chat(place)([user('One')], { model: 'brief' })).toBe('Good.')
    expect(place.claude.calls().map(({ resumed }) => resumed)).toEqual([null, 'gone', null])
    expect(place.claude.calls()[2]?.input).toMatch(/^<user>\nOne\n<\/user>\n\n<assistant>\nfar too many/)
    expect((await lastRun(place, 1)).attempts.map(({ resumption }) => resumption)).toEqual([undefined, 'forgotten'])
  })
})

describe('faults of the process', () => {
  it.each<[string, FakeTurn]>([
    ['killed in the middle of an answer', { when: 'Two', nth: 1, killed: true }],
    ['an exit code', { when: 'Two', nth: 1, exit: 3 }],
  ])('%s: the next request sends everything', async (_what, fault) => {
    const place = await serve([fault])
    const ask = chat(place)
    const first = await ask([user('One')])
    const turn = [user('One'), assistant(first), user('Two')]
    await expect(ask(turn)).rejects.toMatchObject({ status: 502 })
    await ask(turn)
    expect(place.claude.calls().map(({ resumed }) => resumed === null)).toEqual([true, false, true])
  })
  it.each<[string, FakeTurn]>([
    ['no id', { when: 'One', id: null }],
    ['an id that looks like an option', { when: 'One', id: '--dangerously-skip-permissions' }],
    ['an id that is a path', { when: 'One', id: '../../etc' }],
  ])('%s in the output: there is no session to resume', async (_what, fault) => {
    const place = await serve([fault])
    const ask = chat(place)
    const first = await ask([user('One')])
    await ask([user('One'), assistant(first), user('Two')])
    expect(place.claude.calls().map(({ resumed }) => resumed)).toEqual([null, null])
  })
  it('lines that are not messages do no harm', async () => {
    const place = await serve([{ when: '', garbage: true }])
    const ask = chat(place)
    const first = await ask([user('One')])
    expect(await ask([user('One'), assistant(first), user('Two')])).toBe('2 turns: One | Two')
  })
})

describe('the error stream', () => {
  const secret = 'sk-secret-of-the-gateway-0123456789'
  it('is in the log and in the run, redacted and capped: its size and what is known to go wrong, no words', async () => {
    const place = await serve([{ when: 'canary', stderr: `warning: MCP server "gh" failed: ${secret}\nwhile reading the Canary file\n` }])
    await chat(place)([user('Where does the canary sing?')])
    const [attempt] = (await lastRun(place, 1)).attempts
    expect(attempt?.stderr).toBe('2 lines, 74 characters: MCP')
    const [line] = place.gateway.logLines.filter((text) => text.includes('"stderr"'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      upstream: 'claude',
      stderr: ['2 lines, 74 characters: MCP'],
    })
    expect(place.gateway.logLines.join('\n')).not.toMatch(/canary|sk-secret/i)
    // It is for operators: a client sees the attempt without it.
    expect((await lastRun(place, 1, keys.alice)).attempts[0]).toEqual(expect.not.objectContaining({ stderr: expect.anything() }))
  })
  it('is in the run of a failure, in whole words where texts are kept', async () => {
    const place = await serve([{ when: 'canary', stderr: 'Invalid API key, said the canary\n', exit: 1 }], { keepText: true })
    await expect(chat(place)([user('A canary?')])).rejects.toMatchObject({ status: 502 })
    expect((await lastRun(place, 1)).attempts).toMatchObject([{ stderr: 'Invalid API key, said the canary' }])
  })
  it('is capped, and a secret that was cut is not shown', async () => {
    const place = await serve([{ when: 'One', stderr: `${secret.repeat(2000)}\nthe end\n` }], { keepText: true })
    await chat(place)([user('One')])
    expect((await lastRun(place, 1)).attempts[0]?.stderr).toBe('the end')
    expect(place.gateway.logLines.join('\n')).not.toMatch(/gateway-0123/)
  })
})
