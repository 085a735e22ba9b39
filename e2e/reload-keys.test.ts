import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { systemClock } from '@stickler/core/internal'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { GatewayConfig } from '../packages/gateway/src/config/resolved/gateway-config.ts'
import { startGateway } from '../packages/gateway/src/gateway.ts'
import { servingRecorder } from '../packages/gateway/src/records/open-records.ts'
import type { RunRecord } from '../packages/gateway/src/records/run/run-record.ts'
import { StoreUnavailable } from '../packages/gateway/src/records/store/store-unavailable.ts'
import { upstreamKinds } from '../packages/gateway/src/upstreams/kinds/index.ts'
import { configurationKeys } from './support/configuration-keys.ts'
import {
  askStatus,
  atOnce,
  chat,
  chatStatus,
  folder,
  gateway,
  lastAudit,
  lastRun,
  lines,
  passDays,
  question,
  reply,
  send,
  sent,
  startReloadedGateway,
  type Values,
  withValues,
} from './support/reloaded-gateway.ts'
import { requireBuilt } from './support/require-built.ts'

startReloadedGateway()

const commandOnly: Values = {}
const scriptedOnly: Values = { 'upstreams.0': { name: 'up', kind: 'scripted', answers: [{ text: 'Second.' }] } }
const counting = { text: 'Second.', usage: { promptTokens: 2, completionTokens: 2 } }
const countingOnly: Values = { 'upstreams.0': { name: 'up', kind: 'scripted', answers: [counting] } }
const callingOnly: Values = { 'upstreams.0': { name: 'up', kind: 'scripted', answers: [{ toolCalls: [{ id: 'a', name: 'f' }] }] } }
const failing: Values = { 'upstreams.0': { name: 'up', kind: 'scripted', answers: [{ failure: { kind: 'http' } }] } }
const embeddings: Values = { 'retrieval.embeddings': { baseUrl: 'http://127.0.0.1:1/v1', model: 'one' } }
const grpcNeeds: Values = { 'ask.pipeline': 'avap' }

/** How a key takes effect after a reload. */
type Effect =
  /** Observed through the running gateway: `see` gives `after`, and something else before. */
  | { readonly set: unknown; readonly with?: Values; readonly also?: Values; readonly see: () => Promise<unknown>; readonly after: unknown }
  /** Part of what every reload builds anew from the file, which reads it into another value, or named by the reload: as the schema tells. */
  | { readonly other?: unknown; readonly with?: Values; readonly named?: RegExp }
  /** Shown by the test with this name. */
  | { readonly test: string }

/** Only the keys whose effect is observed, or whose other value the schema does not tell. */
const effects: Readonly<Record<string, Effect>> = {
  'store.url': { other: 'sqlite::memory:' },
  'upstreams[].kind': { other: 'anthropic' },
  'upstreams[].apis': { other: ['chat', 'responses'] },
  'retrieval.embeddings': { other: 'none' },
  'retrieval.classifier': { other: { upstream: 'up' } },
  'retrieval.reformulation': { other: { upstream: 'up' } },
  parser: { other: 'grpc://127.0.0.1:1' },
  'upstreams[].models.*.prompt': { other: { prompt: 1, completion: 1 } },
  'upstreams[].models.*.completion': { other: { prompt: 1, completion: 2 } },
  ...Object.fromEntries(
    Object.entries({ baseline: 'baseline.jsonl', minValid: 0.5, maxUnchecked: 1, maxNewFailures: 1 }).map(([key, value]) => [
      `evaluation.*.${key}`,
      { other: { [key]: value }, with: { 'contracts.other': { checks: ['links'] } } },
    ]),
  ),
  'routes[].pipeline': { other: 'avap' },
  'retrieval.relevance.strategy': { other: 'embedding' },
  'ask.upstreams': { other: ['up', 'second'] },
  'ask.pipeline': { other: 'avap' },
  'ask.cache.ttl': { other: '1m' },
  'parser.url': { other: 'grpc://127.0.0.1:2' },
  'server.admin.host': { other: '::1', with: { 'server.admin.port': 0 }, named: /^server\.admin / },
  'server.admin.port': { other: 4712, named: /^server\.admin / },
  'server.keysEnv': { set: 'CLIENTS', see: () => chatStatus(), after: 401 },
  'server.operatorKeysEnv': { set: 'OPERATORS', see: () => chatStatus(), after: 401 },
  'server.bodyLimit': { set: 1024, see: () => chatStatus({}, { user: 'x'.repeat(2000) }), after: 413 },
  'server.inFlight': {
    set: 1,
    see: async () => (await Promise.all([1, 2].map(() => chatStatus({}, { model: 'slow' })))).toSorted(),
    after: [200, 503],
  },
  'server.heartbeat': {
    set: 0.05,
    see: async () => /^:/m.test((await chat({}, { model: 'slow', stream: true })).text),
    after: true,
  },
  'server.shutdownGrace': { test: 'server.shutdownGrace is that of the last reload' },
  'server.allowedHosts': { set: ['gateway.example'], see: () => chatStatus({ host: 'gateway.example' }), after: 200 },
  'server.origins': { set: ['https://chat.example'], see: () => chatStatus({ origin: 'https://chat.example' }), after: 200 },
  'server.trustedProxies': {
    set: ['127.0.0.1', '::1'],
    with: { 'log.level': 'debug' },
    see: async () => {
      await chat({ 'x-forwarded-for': '192.0.2.7' })
      gateway.flushLog()
      return JSON.parse(lines.findLast((line) => line.includes('"client"')) ?? '{}').client
    },
    after: '192.0.2.7',
  },
  'server.perKey.requestsPerMinute': {
    set: 1,
    see: atOnce,
    after: true,
  },
  'server.perKey.concurrency': { set: 1, see: atOnce, after: true },
  'limits.perKey.concurrency': { set: 1, see: atOnce, after: true },
  'server.perKey.tokensPerDay': { set: 1, see: () => chatStatus(), after: 429 },
  'server.perKey.usdPerDay': {
    set: 1e-9,
    with: { 'upstreams.0.price': { prompt: 1, completion: 1 } },
    see: () => chatStatus(),
    after: 429,
  },
  'server.perKey.completionTokens': {
    set: 9_000_000,
    with: { 'server.perKey.tokensPerDay': 1_000_000 },
    see: () => chatStatus(),
    after: 429,
  },
  'server.deadline': { set: 0.1, see: () => chatStatus({}, { model: 'slow' }), after: 504 },
  'store.urlEnv': { other: 'STORE', with: { 'store.url': undefined }, named: /^store\.urlEnv \(/ },
  'store.keepText': { set: true, see: async () => 'text' in (await lastRun()), after: true },
  'store.onFull': { test: 'store.onFull is asked for each answer' },
  'store.retentionDays': { test: 'store.retentionDays holds from the reload on' },
  'upstreams[].name': {
    set: 'other',
    with: { 'routes.0.upstream': 'other', 'upstreams.4': { name: 'other', kind: 'scripted', answers: ['Other.'] } },
    also: { 'upstreams.4.name': 'up' },
    see: async () => reply(await chat()),
    after: 'Hello.',
  },
  'upstreams[].baseUrl': { set: '$UP/other', see: async () => (await sent()).path, after: '/other/chat/completions' },
  'upstreams[].apiKeyHeader': { set: 'api-key', see: async () => (await sent()).headers['api-key'], after: 'first-key' },
  'upstreams[].pathStyle': { set: 'azure', see: async () => (await sent()).path, after: '/v1/openai/deployments/plain/chat/completions' },
  'upstreams[].apiKeyEnv': { set: 'OTHER_KEY', see: async () => (await sent()).headers.authorization, after: 'Bearer second-key' },
  'upstreams[].model': { set: 'large', see: async () => (await sent()).json.model, after: 'large' },
  'upstreams[].price.prompt': { other: 1, with: { 'upstreams.0.price': { prompt: 2, completion: 2 } } },
  'upstreams[].price.completion': { other: 1, with: { 'upstreams.0.price': { prompt: 2, completion: 2 } } },
  'upstreams[].headers': { set: { 'x-team': 'blue' }, see: async () => (await sent()).headers['x-team'], after: 'blue' },
  'upstreams[].headersEnv': { set: { 'x-other': 'OTHER_KEY' }, see: async () => (await sent()).headers['x-other'], after: 'second-key' },
  'upstreams[].command': { other: 'claude-next', with: commandOnly },
  'upstreams[].args': { other: ['--verbose'], with: commandOnly },
  'upstreams[].cwd': { other: '.', with: commandOnly },
  'upstreams[].env': { other: ['OTHER_KEY'], with: commandOnly },
  'upstreams[].processes': { other: 1, with: commandOnly },
  'upstreams[].queue': { other: 1, with: commandOnly },
  'upstreams[].answers[]': { set: 'Third.', with: scriptedOnly, see: async () => reply(await chat()), after: 'Third.' },
  'upstreams[].answers[].text': { other: 'Third.', with: scriptedOnly },
  'upstreams[].answers[].chunkSize': { other: 1, with: scriptedOnly },
  'upstreams[].answers[].delayMs': { other: 1, with: scriptedOnly },
  'upstreams[].answers[].finishReason': { other: 'length', with: scriptedOnly },
  'upstreams[].answers[].usage.promptTokens': { other: 1, with: countingOnly },
  'upstreams[].answers[].usage.completionTokens': { other: 1, with: countingOnly },
  'upstreams[].answers[].asked': { other: 'Hi', with: scriptedOnly },
  'upstreams[].answers[].toolCalls[].id': { other: 'b', with: callingOnly },
  'upstreams[].answers[].toolCalls[].name': { other: 'g', with: callingOnly },
  'upstreams[].answers[].toolCalls[].arguments': { other: { a: 1 }, with: callingOnly },
  'upstreams[].answers[].failure.kind': { other: 'timeout', with: failing },
  'upstreams[].answers[].failure.message': { other: 'no', with: failing },
  'upstreams[].answers[].failure.status': { other: 500, with: failing },
  plugins: { test: 'plugins are loaded anew by every reload' },
  contracts: {
    set: { brief: { checks: [{ max_words: { limit: 1 } }], retries: 0 } },
    with: { 'routes.0.contract': 'brief', 'upstreams.0': { name: 'up', kind: 'scripted', answers: ['Two words.'] } },
    see: () => chatStatus(),
    after: 422,
  },
  'routes[].model': { set: 'renamed', see: () => chatStatus(), after: 404 },
  'routes[].upstream': { set: 'second', see: async () => reply(await chat()), after: 'Second [^1].' },
  'routes[].upstreamModel': { set: 'large', see: async () => (await sent()).json.model, after: 'large' },
  'routes[].contracts': { set: ['brief'], see: async () => (await chat()).headers['x-stickler-contract'], after: 'brief' },
  'routes[].contract': { set: 'brief', see: async () => (await chat()).headers['x-stickler-contract'], after: 'brief' },
  'routes[].shadow': {
    set: 'brief',
    // What shows that the key counts is another verdict, not that none comes.
    with: { 'contracts.other': { checks: ['links'] }, 'routes.0.shadow': 'other' },
    see: async () => {
      const { id } = await lastRun()
      const shadow = async () => JSON.parse((await send('GET', `/api/v1/runs/${id}`)).text).shadow?.contract
      await expect.poll(shadow).toBeDefined()
      return shadow()
    },
    after: 'brief',
  },
  'routes[].fallback[]': {
    set: 'second',
    with: { 'upstreams.0.baseUrl': 'http://127.0.0.1:1/v1', 'routes.0.fallback': [] },
    see: () => chatStatus(),
    after: 200,
  },
  'routes[].fallback[].upstream': { other: 'second', with: { 'routes.0.fallback': [{ upstream: 'slow' }] } },
  'routes[].fallback[].model': { other: 'other', with: { 'routes.0.fallback': [{ upstream: 'second' }] } },
  'routes[].exemptApis': {
    set: ['completions'],
    with: { 'routes.0.contract': 'brief' },
    see: async () => (await send('POST', '/v1/completions', { model: 'plain', prompt: 'Hi' })).status === 403,
    after: false,
  },
  'routes[].messages.count': {
    set: 1,
    see: () => chatStatus({}, { messages: [1, 2].map(() => ({ role: 'user', content: 'Hi' })) }),
    after: 400,
  },
  'routes[].messages.characters': { set: 1, see: () => chatStatus(), after: 400 },
  'routes[].refusalStatus': {
    set: 400,
    with: { 'routes.0.contract': 'brief', 'contracts.brief.checks': [{ contains: { all: ['never said'] } }] },
    see: () => chatStatus(),
    after: 400,
  },
  'retrieval.indexEnv': { other: 'INDEX', with: { 'retrieval.index': undefined } },
  'retrieval.embeddings.baseUrl': { other: 'http://127.0.0.1:2/v1', with: embeddings },
  'retrieval.embeddings.model': { other: 'other', with: embeddings },
  'retrieval.embeddings.apiKeyEnv': { other: 'OTHER_KEY', with: embeddings },
  'retrieval.embeddings.dimensions': { other: 8, with: embeddings },
  'retrieval.embeddings.timeout': { other: 1, with: embeddings },
  'retrieval.relevance.threshold': { other: 0.9, with: { 'retrieval.relevance.strategy': 'lexical' } },
  'retrieval.relevance.upstream': { other: 'second', with: { 'retrieval.relevance': { strategy: 'llm', upstream: 'up' } } },
  'retrieval.relevance.model': { other: 'other', with: { 'retrieval.relevance': { strategy: 'llm', upstream: 'up' } } },
  'retrieval.classifier.upstream': { other: 'second', with: { 'retrieval.classifier': { upstream: 'up' } } },
  'retrieval.classifier.model': { other: 'other', with: { 'retrieval.classifier': { upstream: 'up' } } },
  'retrieval.reformulation.upstream': { other: 'second', with: { 'retrieval.reformulation': { upstream: 'up' } } },
  'retrieval.reformulation.model': { other: 'other', with: { 'retrieval.reformulation': { upstream: 'up' } } },
  'ask.cache.maxEntries': { test: 'ask.cache.maxEntries holds from the reload on' },
  'ask.limits.promptTokens': { set: 1, see: () => askStatus(), after: 413 },
  'ask.limits.sources': { set: 0, see: () => askStatus(), after: 413 },
  'ask.limits.sourceBytes': { set: 1, see: () => askStatus(), after: 413 },
  'ask.limits.sourcesBytes': { set: 1, see: () => askStatus(), after: 413 },
  'ask.audit.answer': { set: true, see: async () => (await lastAudit()).includes('Second [^1].'), after: true },
  'ask.audit.question': { set: true, see: async () => (await lastAudit()).includes('What is sent?'), after: true },
  'ask.audit.retentionDays': { test: 'store.retentionDays holds from the reload on' },
  'grpc.host': { other: '127.0.0.1', with: grpcNeeds, named: /^grpc / },
  'grpc.port': { other: 0, with: grpcNeeds, named: /^grpc / },
  'grpc.tls.cert': { other: 'cert.pem', with: { ...grpcNeeds, 'grpc.tls.key': 'key.pem' }, named: /^grpc / },
  'grpc.tls.key': { other: 'key.pem', with: { ...grpcNeeds, 'grpc.tls.cert': 'cert.pem' }, named: /^grpc / },
  'parser.ca': { other: 'ca.pem', with: { 'parser.url': 'grpcs://127.0.0.1:2' } },
  'parser.messageLimit': { other: 2048, with: { 'parser.url': 'grpc://127.0.0.1:2' } },
  'log.level': {
    set: 'debug',
    see: async () => {
      const before = lines.length
      await chat()
      await expect
        .poll(() => {
          gateway.flushLog()
          return lines.length
        })
        .toBeGreaterThan(before)
      return lines.slice(before).some((line) => line.includes('"debug"'))
    },
    after: true,
  },
  'metrics.enabled': { set: false, see: async () => (await send('GET', '/metrics')).status, after: 404 },
}

const keys = configurationKeys()

test('no row is left over', () => {
  const names = keys.map(({ name }) => name)
  expect(Object.keys(effects).filter((name) => !names.includes(name))).toEqual([])
})

test('what is set up at the start needs a restart', () => {
  const waiting = keys.filter(({ isLive }) => !isLive).map(({ name }) => name)
  const known = ['server.host', 'server.port', 'server.admin.host', 'server.admin.port', 'server.workers', 'store.url', 'store.urlEnv']
  expect(waiting).toEqual(expect.arrayContaining([...known, 'grpc.host', 'grpc.port', 'grpc.tls.cert', 'grpc.tls.key']))
})

/** Keys of lists are shown on their first item, but for those of a command. */
function pathOf(key: string, given: Values | undefined): string {
  return key
    .replaceAll('[]', '.0')
    .replace('.*', '.other')
    .replace(/\.other\.\w+$/, '.other')
    .replace(/^upstreams\.0/, given === commandOnly ? 'upstreams.3' : 'upstreams.0')
}

/** A key of upstreams that the first one of the file does not have is tried on one of a kind that has it. */
function ofOtherKind(key: string): Effect {
  const name = /^upstreams\[\]\.(\w+)/.exec(key)?.[1] ?? ''
  const having = upstreamKinds.filter(({ schema }) => schema instanceof z.ZodObject && name in schema.shape).map((kind) => kind.name)
  return having.length === 0 || having.includes('openai') ? {} : { with: { 'upstreams.0': { name: 'up', kind: having[0] } } }
}

/** The values of a configuration, secrets included. */
function shown({ file: _file, positionOf: _positionOf, contracts: _contracts, plugins: _plugins, ...values }: GatewayConfig): string {
  return inspect(values, { depth: 8, showHidden: true, customInspect: false })
}

describe('after a reload', () => {
  test.each(keys.filter(({ name }) => !('test' in (effects[name] ?? {}))))('$name', async ({ name: key, isLive, other }) => {
    const effect = effects[key] ?? ofOtherKind(key)
    if ('test' in effect) return
    const value = 'set' in effect ? effect.set : (effect.other ?? other)
    const after = await withValues({ ...effect.with, ...('also' in effect ? effect.also : {}), [pathOf(key, effect.with)]: value })
    if (!isLive) {
      const named = await gateway.reload(after)
      expect(named).toHaveLength(1)
      expect(named[0]).toMatch(
        ('named' in effect && effect.named) || new RegExp(`^${key.replaceAll('.', '\\.')} \\(stickler\\.yaml:\\d+:\\d+\\)$`),
      )
      return
    }
    const before = await withValues(effect.with ?? {})
    if (!('set' in effect)) {
      expect(shown(after)).not.toBe(shown(before))
      expect(await gateway.reload(after)).toEqual([])
      return
    }
    expect(await gateway.reload(before)).toEqual([])
    expect(await effect.see()).not.toEqual(effect.after)
    expect(await gateway.reload(after)).toEqual([])
    expect(await effect.see()).toEqual(effect.after)
  })

  test('ask.cache.maxEntries holds from the reload on', async () => {
    const cached = async () => {
      const all = await Promise.all(
        ['one', 'two', 'three'].map((what) => send('POST', '/ask', { ...question, question: `What is ${what}?` })),
      )
      return all.filter(({ text }) => JSON.parse(text).cache_hit === true).length
    }
    const caching = { 'ask.cache.enabled': true }
    await gateway.reload(await withValues(caching))
    await cached()
    expect(await cached()).toBe(3)
    await gateway.reload(await withValues({ ...caching, 'ask.cache.maxEntries': 1 }))
    await send('POST', '/ask', { ...question, question: 'What is four?' })
    expect(await cached()).toBeLessThanOrEqual(1)
  })

  test('plugins are loaded anew by every reload', async () => {
    requireBuilt(['core', 'gateway'])
    const using = {
      plugins: ['./rules.mjs'],
      'contracts.own': { checks: ['no_word'], retries: 0 },
      'routes.0.contract': 'own',
      'upstreams.0': { name: 'up', kind: 'scripted', answers: ['Hello.'] },
    }
    // The word is in a module of its own: what a plugin imports is loaded anew too.
    const rule = `import { word } from './word.mjs'
      const codes = { WORD: { severity: 'error', when: 'It is there.', fix: 'Leave it out.' } }
      const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
      export const noWord = {
        name: 'no_word', summary: 'A word is absent.', codes, options, instruct: () => '',
        prepare: () => ({ check: ({ text }) => (text.includes(word) ? [{ kind: 'issue', code: 'WORD', message: 'Leave it out.' }] : []) }),
      }`
    await writeFile(join(folder, 'rules.mjs'), rule)
    await writeFile(join(folder, 'word.mjs'), `export const word = 'absent'`)
    await gateway.reload(await withValues(using))
    expect(await chatStatus()).toBe(200)
    await writeFile(join(folder, 'word.mjs'), `export const word = 'Hello'`)
    expect(await chatStatus()).toBe(200)
    await gateway.reload(await withValues(using))
    expect(await chatStatus()).toBe(422)
  })

  test('store.onFull is asked for each answer', async () => {
    let onFull: 'serve' | 'refuse' = 'serve'
    const full = new StoreUnavailable('disk-full', 'the disk is full')
    const recorder = { run: () => Promise.reject(full), audit: () => Promise.reject(full) }
    const serving = servingRecorder(recorder, { onFull: () => onFull, clock: systemClock, tell: () => {} })
    await serving.run({} as RunRecord)
    onFull = 'refuse'
    await expect(serving.run({} as RunRecord)).rejects.toThrow('Answers cannot be recorded')
  })

  test('store.retentionDays holds from the reload on', async () => {
    await gateway.reload(await withValues({}))
    await lastRun()
    await askStatus()
    const count = async (what: string) => JSON.parse((await send('GET', `/api/v1/${what}`)).text).items.length
    await expect.poll(() => count('audit')).toBeGreaterThan(0)
    // Records wait a moment for others.
    await new Promise((resolve) => setTimeout(resolve, 300))
    passDays(3)
    await gateway.reload(await withValues({ 'store.retentionDays': 2 }))
    await expect.poll(() => count('runs')).toBe(0)
    expect(await count('audit')).toBeGreaterThan(0)
    await gateway.reload(await withValues({ 'ask.audit.retentionDays': 2 }))
    await expect.poll(() => count('audit')).toBe(0)
  })

  test('server.shutdownGrace is that of the last reload', async () => {
    const short = await startGateway({ config: await withValues({ 'store.url': 'sqlite::memory:' }), log: { write: () => {} } })
    const slow = { name: 'slow', kind: 'scripted', answers: [{ text: 'Slow.', delayMs: 60_000 }] }
    await short.reload(await withValues({ 'store.url': 'sqlite::memory:', 'server.shutdownGrace': 0, 'upstreams.2': slow }))
    const body = JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'Hi' }] })
    const waiting = fetch(`${short.url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const inFlight = async () => /^stickler_in_flight (\d+)$/m.exec(await (await fetch(`${short.url}/metrics`)).text())?.[1]
    await expect.poll(inFlight).toBe('1')
    await short.close()
    expect((await waiting).status).toBe(503)
  })
})
