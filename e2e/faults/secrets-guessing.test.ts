import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { readGatewayConfig } from '../../packages/gateway/src/config/reading/read-gateway-config.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../packages/gateway/src/testing/test-gateway.ts'

const secrets = {
  upstream: 'sk-live-q7Zt0Lm3Xv9Bn2Kd5',
  header: 'acct-8Fh2Pw6Yc1Rj4',
  query: 'Tn5Vb8Qs2Wd7',
  otherClient: 'alice-5Gk9Mz3Hx7',
  weak: 'password',
} as const
const mine = 'mallory-0123456789'
const key = { authorization: `Bearer ${mine}` }
const yaml = `
store: { url: "sqlite::memory:", keepText: true }
upstreams:
  - { name: up, kind: openai, baseUrl: "$UP/v1?api_key=\${QUERY_KEY}", apiKeyEnv: UP_KEY, headersEnv: { x-account: HEADER_KEY }, retries: 0 }
contracts: { brief: { checks: [{ max_words: { limit: 2 } }], retries: 0, mode: shadow } }
routes: [{ model: "*", upstream: up, contract: brief }]
`
const env = {
  STICKLER_KEYS: `alice:${secrets.otherClient},mallory:${mine},weak-one:${secrets.weak}`,
  UP_KEY: secrets.upstream,
  QUERY_KEY: secrets.query,
  HEADER_KEY: secrets.header,
}

const open = new Set<TestGateway>()
async function start(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startTestGateway({ yaml, env, ...options })
  open.add(gateway)
  return gateway
}
afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open.clear()
})

/** Says what it was asked, as an answer or in an error. */
const parrot: Behaviour = (exchange) => {
  const said = String((exchange.request.json?.messages as { content: string }[] | undefined)?.at(-1)?.content ?? '')
  return (said.startsWith('fail') ? failing(400, {}, said) : answering(said, { chunks: [said] }))(exchange)
}

/** The same text with one character changed into another of its kind, so that nothing but the secret tells them apart. */
function twinOf(guess: string): string {
  const at = guess.length - 1
  const last = guess.charAt(at)
  const other = /\d/.test(last) ? (last === '9' ? '8' : '9') : /[a-z]/.test(last) ? (last === 'z' ? 'y' : 'z') : last === 'Z' ? 'Y' : 'Z'
  return guess.slice(0, at) + other
}

/** Everything that one client reads after it has put a guess into everything that it may send. */
async function seenAfter(gateway: TestGateway, guess: string, before: number): Promise<string> {
  const seen: string[] = []
  const read = async (response: Response): Promise<string> => {
    const text = await response.text()
    seen.push(`${response.status} ${response.headers.get('x-request-id')} ${text}`)
    return text
  }
  const headers = { ...key, 'x-request-id': guess, 'x-stickler-session': guess, 'x-stickler-user': guess }
  for (const [content, stream] of [
    [guess, false],
    [`it is ${guess}`, true],
    [`fail ${guess}`, false],
  ] as const) {
    const body = { model: guess, stream, user: guess, metadata: { guess }, messages: [{ role: 'user', content }] }
    await read(await gateway.post('/v1/chat/completions', body, headers))
  }
  await read(await gateway.post('/v1/check', { contract: 'brief', text: guess, session: guess }, headers))
  await read(await gateway.post('/v1/check', { contract: guess, text: guess }, headers))
  await read(await gateway.get(`/v1/models/${guess}`, headers))
  const query = `session=${encodeURIComponent(guess)}`
  type Listed = { readonly items: readonly { readonly id: string }[] }
  let listed: Listed = { items: [] }
  await expect
    .poll(async () => {
      listed = (await (await gateway.get(`/api/v1/runs?${query}`, key)).json()) as Listed
      return listed.items.length
    })
    .toBe(4)
  seen.push(JSON.stringify(listed))
  for (const { id } of listed.items) await read(await gateway.get(`/api/v1/runs/${id}`, key))
  await read(await gateway.get(`/api/v1/sessions/${encodeURIComponent(guess)}`, key))
  await read(await gateway.get(`/api/v1/runs.csv?${query}`, key))
  const live = await gateway.get(`/api/v1/live?cursor=${before}`, key)
  const reader = live.body?.getReader()
  let events = ''
  while (reader !== undefined && !events.includes('event: runs')) {
    const { value, done } = await reader.read()
    if (done) break
    events += Buffer.from(value).toString()
  }
  await reader?.cancel()
  seen.push(events)
  return seen.join('\n')
}

/** Without what differs between any two requests. */
function comparable(seen: string, guess: string): string {
  return seen
    .replaceAll(guess, '<guess>')
    .replaceAll(/"(?:ms|at|firstTextMs|addedMs|firstAt|lastAt|created)":[\d.e-]+/g, '')
    .replaceAll(/"timeline":"[^"]*"/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|run_[\w-]+|[\da-f]{8}-[\da-f-]{27}|[\dA-Za-z]{20,}|^id: \d+$/gm, '')
    .replaceAll(/,[\d.]+(?=,)/g, ',')
}

describe('a client that guesses secrets', () => {
  /** Parts of secrets: beginnings, which were given away once, and any other piece behind a mark that is in no answer by itself. */
  const beginnings = Object.values(secrets).flatMap((secret) =>
    Array.from({ length: secret.length - 4 }, (_, index) => secret.slice(0, index + 4)),
  )
  const pieces = fc
    .constantFrom(...Object.values(secrets))
    .chain((secret) =>
      fc
        .tuple(fc.nat(secret.length - 1), fc.integer({ min: 1, max: secret.length }), fc.constantFrom('zq9', 'zq9.', 'zq9-'))
        .map(([at, length, before]) => before + secret.slice(at, at + length)),
    )
    .filter((guess) => /^[A-Za-z0-9].+[A-Za-z0-9]$/.test(guess))
    .filter((guess) => !Object.values(secrets).some((secret) => secret !== secrets.weak && guess.includes(secret)))

  test('reads the same for a right and a wrong part of one, at every door', { timeout: 120_000 }, async () => {
    const gateway = await start({ behaviour: parrot })
    const guesses = [...beginnings.filter((_, index) => index % 8 === 7), ...fc.sample(pieces, 5)].filter((guess) =>
      /[A-Za-z0-9]$/.test(guess),
    )
    let runsSoFar = 0
    const done = new Set<string>()
    for (const guess of guesses) {
      const both = [guess, twinOf(guess)]
      if (both.some((one) => done.has(one))) continue
      const results: string[] = []
      for (const one of both) {
        done.add(one)
        results.push(comparable(await seenAfter(gateway, one, runsSoFar), one))
        runsSoFar += 4
      }
      expect(results[0] === results[1] ? '' : firstDifference(results), guess).toBe('')
    }
    expect(done.size).toBeGreaterThan(10)
  })

  test('its own names come back as sent, even when they hold a whole secret', async () => {
    const gateway = await start({ behaviour: answering('Fine.') })
    for (const [index, secret] of [secrets.upstream, secrets.otherClient, secrets.header].entries()) {
      const headers = { ...key, 'x-request-id': secret, 'x-stickler-session': secret }
      await gateway.post('/v1/chat/completions', { model: secret, messages: [{ role: 'user', content: 'x' }] }, headers)
      await expect.poll(async () => (await runs(gateway)).length).toBe(index + 1)
      expect((await runs(gateway))[0]).toMatchObject({ session: secret, model: secret, requestId: secret, key: 'mallory' })
    }
  })

  test('a key that is a word or a name blanks no text', async () => {
    const words = `openai:openai-team,brief-contract:${mine},weak-one:password,other:brief-contract`
    const gateway = await start({
      behaviour: answering('The password of openai-team: brief-contract.'),
      env: { ...env, STICKLER_KEYS: words },
    })
    const [run] = await answered(gateway, 'x')
    expect(run).toMatchObject({ key: 'brief-contract', text: 'The password of [redacted]: brief-contract.' })
  })
})

describe('whole secrets', () => {
  const upstream = secrets.upstream

  test.each([1, 2, 5, 24])('are masked in records when an upstream says them in deltas of %s characters', async (chunkSize) => {
    const said = `They gave me ${upstream} and ${secrets.header}!`
    const gateway = await start({ behaviour: answering(said, { chunks: said.match(new RegExp(`.{1,${chunkSize}}`, 'g')) ?? [] }) })
    const [run] = await answered(gateway, 'x', true)
    expect(run).toMatchObject({ text: 'They gave me [redacted] and [redacted]!' })
    expect(JSON.stringify(run)).not.toContain(upstream.slice(0, 8))
  })

  test.each([true, false])('are masked in what a provider calls its model, its end and itself, with keepText %s', async (keepText) => {
    const names = Object.values(secrets).filter((secret) => secret !== secrets.weak)
    const gateway = await start({ yaml: yaml.replace('keepText: true', `keepText: ${keepText}`) })
    for (const [index, name] of [...names, `wrong key ${upstream} for this`].entries()) {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: name, native_finish_reason: name }]
      gateway.upstream.otherwise(answeringBody({ id: name, object: name, created: 1, model: name, system_fingerprint: name, choices }))
      const asked = { model: 'm', messages: [{ role: 'user', content: 'x' }] }
      expect(await (await gateway.post('/v1/chat/completions', asked, key)).json()).toMatchObject({ choices: [{ finish_reason: name }] })
      await expect.poll(async () => (await runs(gateway)).length).toBe(index + 1)
    }
    const found = await runs(gateway)
    const seen = [JSON.stringify(found), await (await gateway.get('/api/v1/runs.csv', key)).text(), gateway.logLines.join('\n')]
    for (const { id } of found) seen.push(await (await gateway.get(`/api/v1/runs/${id}`, key)).text())
    for (const secret of names) expect(seen.join('\n')).not.toContain(secret)
    expect(found[0]).toMatchObject({ model: 'm', upstreamModel: keepText ? 'wrong key [redacted] for this' : 'm' })
    expect(seen.at(-1)).toContain(keepText ? '"finishReason":"[redacted]"' : '"finishReason":"other"')
  })

  test('are masked wherever the excerpt of an error is cut', { timeout: 60_000 }, async () => {
    const gateway = await start({})
    const edges = [250, 290, 300, 320, 350, 360, 4080, 4096, 12_270, 12_288]
    for (const edge of edges) {
      for (const before of [edge - 30, edge - 20, edge - 8, edge - 1]) {
        gateway.upstream.otherwise(
          answeringBody(`${'. '.repeat(before / 2)}${upstream} was refused`, { status: 500, contentType: 'text/plain' }),
        )
        const { status } = await gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'x' }] }, key)
        expect([500, 502, 503]).toContain(status)
        await gateway.reload(gateway.config)
      }
    }
    await expect.poll(async () => (await runs(gateway)).length).toBe(4 * edges.length)
    for (const { id } of await runs(gateway)) {
      expect(await (await gateway.get(`/api/v1/runs/${id}`, key)).text()).not.toContain(upstream.slice(0, 4))
    }
    expect(gateway.logLines.join('\n')).not.toContain(upstream.slice(0, 8))
  })

  test('of a reloaded configuration are masked, and so are those before it', async () => {
    const gateway = await start({})
    const fresh = 'sk-fresh-3Rt7Yu1Io9Pa5'
    const written = yaml.replaceAll('$UP', gateway.upstream.url)
    await gateway.reload(
      await readGatewayConfig(`server: { port: 0 }\n${written}`, 'test.yaml', {
        env: { ...env, UP_KEY: fresh },
        readFile: () => Promise.reject(new Error('no files here')),
        cwd: gateway.folder,
      }),
    )
    gateway.upstream.otherwise(answering(`Old ${upstream}, new ${fresh}.`))
    const [run] = await answered(gateway, 'x')
    expect(run).toMatchObject({ text: 'Old [redacted], new [redacted].' })
    gateway.upstream.otherwise(failing(400, {}, `Wrong key: ${fresh}`))
    await gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'x' }] }, key)
    await expect.poll(async () => (await runs(gateway)).length).toBe(2)
    expect(JSON.stringify(await runs(gateway)) + gateway.logLines.join('\n')).not.toContain(fresh)
  })
})

function firstDifference([one = '', other = '']: readonly string[]): string {
  let at = 0
  while (one[at] === other[at]) at++
  return `${one.slice(Math.max(0, at - 100), at + 100)} ≠ ${other.slice(Math.max(0, at - 100), at + 100)}`
}

type Run = Readonly<Record<string, unknown>> & { readonly id: string }

async function runs(gateway: TestGateway): Promise<readonly Run[]> {
  return ((await (await gateway.get('/api/v1/runs?limit=200', key)).json()) as { readonly items: readonly Run[] }).items
}

/** Asks once, and gives the records of all runs so far, the newest first. */
async function answered(gateway: TestGateway, content: string, stream = false): Promise<readonly Run[]> {
  await (await gateway.post('/v1/chat/completions', { model: 'm', stream, messages: [{ role: 'user', content }] }, key)).text()
  await expect.poll(async () => (await runs(gateway)).length).toBeGreaterThan(0)
  const found = await runs(gateway)
  return Promise.all(found.map(async ({ id }) => (await gateway.get(`/api/v1/runs/${id}`, key)).json() as Promise<Run>))
}
