import { ConfigurationError } from '@stickler/core'
import { StoreUnavailable } from '@stickler/gateway/internal'
import { describe, expect, it, test } from 'vitest'
import type { Platform } from '../serve/node-platform.ts'
import { folderWith, runCli, type Setting } from '../testing/run-cli.ts'

const config = `upstreams:
- { name: near, kind: openai, baseUrl: "http://127.0.0.1:1/v1?key=canary" }
- { name: script, kind: scripted, answers: [Hi.] }
contracts: { brief: { checks: [{ max_words: { limit: 1 } }] } }
routes: [{ model: m, upstream: near, contract: brief }]
`

const grpc = (settings: string): string => `retrieval: {}\nask: { upstreams: [script], pipeline: avap }\ngrpc: ${settings}\n`

const platform: Partial<Platform> = {
  nodeVersion: '22.1.0',
  today: () => Date.parse('2026-06-01'),
  probeUpstreams: async ({ upstreams }) => upstreams.map(({ name }) => ({ name, result: Promise.resolve({ ok: true as const }) })),
  probeParser: async () => undefined,
  probeIndex: async () => undefined,
  probeStore: async () => ({ ok: true }),
}

const doctor = (source: string, setting: Setting = {}, argv: readonly string[] = []) =>
  runCli(['doctor', ...argv], { files: { 'stickler.yaml': source }, ...setting, platform: { ...platform, ...setting.platform } })

describe('stickler doctor', () => {
  it('finds everything well', async () => {
    const cwd = await folderWith({ 'stickler.yaml': config })
    const { code, stdout, stderr } = await doctor(config, { cwd })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.replace(/\d+ MB/, 'N MB')).toBe(
      `ok    node             22.1.0
ok    configuration    stickler.yaml: 2 upstreams, 1 contract, 1 route
ok    keys             none; only this machine can reach 127.0.0.1
ok    upstream near    http://127.0.0.1:1/v1?…
ok    upstream script  scripted
ok    store            sqlite:${cwd}/.stickler/stickler.db
ok    disk             N MB are free at ${cwd}/.stickler
`,
    )
  })

  it('accepts a file with contracts alone', async () => {
    const { code, stdout } = await doctor('contracts:\n  brief: { checks: [{ max_words: 5 }, { language: de }] }\n')
    expect([code, stdout]).toEqual([
      0,
      'ok    node           22.1.0\nok    configuration  stickler.yaml: 0 upstreams, 1 contract, 0 routes\n',
    ])
  })

  it.each([
    ['contracts: { brief: { checks: [{ max_words: five }] } }\n', 'contracts.brief.checks.0.max_words: expected number, received string'],
    ['contracts: {}\nupstreams: []\n', 'there are no routes'],
    ['server: {}\n', 'there are no routes'],
  ])('does not accept %j', async (source, message) => {
    const { code, stdout } = await doctor(source)
    expect([code, stdout.includes(message)]).toEqual([2, true])
  })

  it('warns of options whose repairs the contract does not permit', async () => {
    const { code, stdout } = await doctor(
      config.replace('limit: 1 } }', 'limit: 1 } }, { sensitive: { redact: true } }], allow: [lossless'),
    )
    expect([code, stdout.match(/^warn.*$/m)?.[0]]).toEqual([
      0,
      'warn  contract         stickler.yaml:4:63: contracts.brief.checks.1.sensitive: its options ask for lossy repairs, but `allow` does not list lossy: what it finds is rejected instead',
    ])
  })

  const failing = (name: string): Partial<Platform> => ({
    probeUpstreams: async ({ upstreams }) =>
      upstreams.map((one) => ({
        name: one.name,
        result:
          one.name === name
            ? Promise.resolve({ ok: false as const, kind: 'connection' as const, message: 'connection refused' })
            : Promise.resolve({ ok: true as const }),
      })),
  })
  const cases: readonly (readonly [what: string, source: string, setting: Setting, code: number, says: RegExp])[] = [
    [
      'an upstream that is down',
      config,
      { platform: failing('near') },
      3,
      /^fail {2}upstream near .*: connection refused\n {6}check its baseUrl/m,
    ],
    [
      'probes that throw',
      config,
      { platform: { probeUpstreams: () => Promise.reject(new Error('no probes')) } },
      2,
      /^fail {2}upstreams .*no probes$/m,
    ],
    [
      'a store that cannot be written',
      config,
      { platform: { probeStore: () => Promise.reject(new Error('permission denied')) } },
      2,
      /^fail {2}store .*permission denied$/m,
    ],
    [
      'a store of another version, which says itself what to do',
      config,
      { platform: { probeStore: () => Promise.reject(new StoreUnavailable('version', 'made by another version; move it away')) } },
      2,
      /^fail {2}store .*move it away\n(?! {6}check that it exists)/m,
    ],
    ['a parser that is there', config, { platform: { probeParser: async () => ({ ok: true }) } }, 0, /^ok {4}parser +local$/m],
    [
      'a parser service that cannot be reached',
      `${config}parser: grpc://127.0.0.1:1\n`,
      { platform: { probeParser: () => Promise.reject(new Error('connection refused')) } },
      0,
      /^warn {2}parser +grpc:\/\/127\.0\.0\.1:1: connection refused; code stays unchecked\n {6}start it with `stickler parser`/m,
    ],
    [
      'a parser that is switched off',
      `${config}parser: { timeout: 0 }\n`,
      { platform: { probeParser: () => Promise.reject(new Error('the parser is switched off')) } },
      0,
      /^warn {2}parser +disabled: the parser is switched off; code stays unchecked\n {6}set its timeout above 0$/m,
    ],
    [
      'a parser with a file that the gateway would not start with',
      config,
      {
        platform: {
          checkParserFiles: () => Promise.reject(new ConfigurationError([{ path: ['catalogues', 'avap'], message: 'is wrong' }])),
          probeParser: () => Promise.reject(new Error('not asked')),
        },
      },
      2,
      /^fail {2}parser +catalogues\.avap: is wrong$/m,
    ],
    [
      'an index with passages',
      `${config}retrieval: { index: docs.db }\n`,
      { platform: { probeIndex: async () => ({ ok: true, documents: 1, chunks: 20, isOther: false }) } },
      0,
      /^ok {4}index .*docs\.db: 1 document, 20 passages$/m,
    ],
    [
      'an index without passages',
      `${config}retrieval: {}\n`,
      { platform: { probeIndex: async () => ({ ok: true, documents: 0, chunks: 0, isOther: false }) } },
      0,
      /^warn {2}index .*index\.db is empty\n.*stickler index FOLDER/m,
    ],
    [
      'an index of another embedder',
      `${config}retrieval: {}\n`,
      { platform: { probeIndex: async () => ({ ok: true, documents: 1, chunks: 1, isOther: true }) } },
      0,
      /^warn {2}index .*vectors of another embedder.*\n.*stickler index --rebuild FOLDER/m,
    ],
    [
      'embeddings that cannot be made',
      `${config}retrieval: { embeddings: { baseUrl: "http://127.0.0.1:9/v1", model: m } }\n`,
      { platform: { probeIndex: async () => ({ ok: true, documents: 0, chunks: 0, isOther: false, embeddings: 'status 500' }) } },
      0,
      /^warn {2}embeddings +http:\/\/127\.0\.0\.1:9\/v1: status 500; nothing can be indexed.*\n.*\nwarn {2}index .*is empty$/m,
    ],
    [
      'an index that cannot be searched',
      `${config}retrieval: {}\n`,
      { platform: { probeIndex: () => Promise.reject(new Error('connection refused')) } },
      0,
      /^warn {2}index .*connection refused; questions are answered without sources$/m,
    ],
    ['a store that throws', config, { platform: { probeStore: () => Promise.reject(new Error('boom')) } }, 2, /^fail {2}store .*boom$/m],
    ['an old Node', config, { platform: { nodeVersion: '20.18.3' } }, 2, /^fail {2}node +20\.18\.3\n {6}install Node 20\.19 or newer$/m],
    [
      'a key that is not set for a model on this machine',
      config.replace('kind: openai,', 'kind: openai, apiKeyEnv: NEAR_KEY,'),
      {},
      0,
      /^warn {2}upstream near +the variable NEAR_KEY is not set; calls are sent without a key\n {6}set NEAR_KEY, or leave out apiKeyEnv$/m,
    ],
    [
      'a gateway that is open to all',
      `${config}server: { host: 0.0.0.0 }\n`,
      {},
      2,
      /^fail {2}keys +none, and others can reach 0\.0\.0\.0$/m,
    ],
    [
      'keys',
      `${config}server: { host: 0.0.0.0 }\n`,
      { env: { STICKLER_KEYS: 'a:canary-12345' } },
      0,
      /^ok {4}keys +1 client key, listening on 0\.0\.0\.0$/m,
    ],
    [
      'client keys only',
      config,
      { env: { STICKLER_KEYS: 'a:canary-12345' } },
      0,
      /^warn {2}operators +no keys: the dashboard shows each client its own runs, and metrics cannot be read\n {6}set STICKLER_OPERATOR_KEYS to name:key$/m,
    ],
    [
      'keys of operators alone',
      config,
      { env: { STICKLER_OPERATOR_KEYS: 'a:canary-12345' } },
      0,
      /^warn {2}keys +no client keys, so no client can call a model$/m,
    ],
    [
      'a listener for operators',
      `${config}server: { admin: { port: 9090 } }\n`,
      { env: { STICKLER_KEYS: 'a:canary-12345', STICKLER_OPERATOR_KEYS: 'b:canary-67890' } },
      0,
      /^ok {4}operators +1 key\nok {4}admin +probes and metrics without a key on 127\.0\.0\.1:9090$/m,
    ],
    [
      'a listener for operators that others can reach',
      `${config}server: { admin: { host: 0.0.0.0, port: 9090 } }\n`,
      { env: { STICKLER_KEYS: 'a:canary-12345', STICKLER_OPERATOR_KEYS: 'b:canary-67890' } },
      0,
      /^warn {2}admin +probes and metrics without a key on 0\.0\.0\.0:9090, which others can reach$/m,
    ],
    ['questions over gRPC', `${config}${grpc('{}')}`, {}, 0, /^ok {4}grpc +grpc:\/\/127\.0\.0\.1:50052$/m],
    [
      'gRPC without encryption that others can reach',
      `${config}${grpc('{ host: 0.0.0.0 }')}`,
      { env: { STICKLER_KEYS: 'a:canary-12345' } },
      0,
      /^warn {2}grpc +grpc:\/\/0\.0\.0\.0:50052 sends keys without encryption$/m,
    ],
    [
      'gRPC that is open to all',
      `${config}${grpc('{ host: 0.0.0.0 }')}`,
      {},
      2,
      /^fail {2}grpc +no keys, and others can reach 0\.0\.0\.0$/m,
    ],
    [
      'gRPC on the port of the server',
      `${config}${grpc('{ port: 8787 }')}`,
      {},
      2,
      /^fail {2}grpc +grpc\.port 8787 is already used by another listener$/m,
    ],
    [
      'gRPC on the port of the parser',
      `${config}parser: grpc://localhost:5005\n${grpc('{ port: 5005 }')}`,
      {},
      2,
      /^fail {2}grpc +grpc\.port 5005 is already used by the parser$/m,
    ],
    ['gRPC on the port of a parser elsewhere', `${config}parser: grpc://parser:5005\n${grpc('{ port: 5005 }')}`, {}, 0, /^ok {4}grpc /m],
    [
      'gRPC without its certificate',
      `${config}${grpc('{ tls: { cert: no.pem, key: no.key } }')}`,
      {},
      2,
      /^fail {2}grpc +grpc\.tls\.cert: cannot read .*no\.pem: there is no such file$/m,
    ],
    [
      'two listeners on one port',
      `${config}server: { port: 9090, admin: { port: 9090 } }\n`,
      {},
      2,
      /^fail {2}admin +server\.admin\.port is server\.port, 9090$/m,
    ],
    [
      'keys that have expired',
      config,
      {
        env: { STICKLER_KEYS: 'a:canary-12345:2026-05-31,b:canary-23456:2026-06-01', STICKLER_OPERATOR_KEYS: 'c:canary-67890:2020-01-01' },
      },
      0,
      /^ok {4}keys +1 client key.*\nok {4}operators +0 keys\nwarn {2}keys +expired: 1 client key \(a\)\n.*\nwarn {2}operators +expired: 1 operator key \(c\)$/m,
    ],
    [
      'a budget that is too small',
      `${config}server: { perKey: { tokensPerDay: 20000 } }\n`,
      {},
      0,
      /^warn {2}budget +20000 tokens a day never cover requests to m without a completion limit: even with an empty prompt they reserve 2\d{4} tokens \(4096 completion tokens, 2 retries\)\n {6}raise the budget/m,
    ],
    [
      'a budget that is too small for streams',
      `${config}server: { perKey: { tokensPerDay: 27000 } }\n`,
      {},
      0,
      /^warn {2}budget +27000 tokens a day never cover streamed requests/m,
    ],
    [
      'a budget in dollars without a price',
      `${config}server: { perKey: { usdPerDay: 5 } }\n`,
      {},
      0,
      /^warn {2}budget +calls of upstream near count as free for usdPerDay: it has no price$/m,
    ],
    [
      'a daily cost of questions without a price',
      `${config}ask: { upstreams: [near], limits: { dailyCostUsd: 5 } }\n`,
      {},
      0,
      /^warn {2}budget +calls of upstream near count as free for ask\.limits\.dailyCostUsd: it has no price$/m,
    ],
    [
      'a check of files on a route without a root',
      config.replace('checks: [{ max_words: { limit: 1 } }]', 'preset: helix'),
      {},
      0,
      /^warn {2}route m +file_existence cannot check anything: the route has no `root`\n {6}set `root`/m,
    ],
    [
      'a route without contract',
      config.replace(', contract: brief', ''),
      {},
      0,
      /^warn {2}route m +answers are passed on without a contract$/m,
    ],
    [
      'tasks that are exempt',
      config.replace('brief }]', 'brief, exemptTasks: [title_generation] }]'),
      {},
      0,
      /^warn {2}route m .*for title_generation are not checked against the contract$/m,
    ],
    [
      'an API that is exempt',
      config.replace('brief }]', 'brief, exemptApis: [completions] }]'),
      {},
      0,
      /^warn {2}route m +requests on \/v1\/completions are not checked against the contract$/m,
    ],
    [
      'a root that is not there',
      config.replace('brief }]', 'brief, root: nowhere }]'),
      {},
      2,
      /^fail {2}root +there is no folder .*nowhere$/m,
    ],
    [
      'a bad configuration, all of it',
      `${config}sever: {}\nstore: { urlEnv: NOPE }\n`,
      {},
      2,
      /^fail {2}configuration {2}stickler\.yaml:6:1: sever: .*\nfail {2}configuration {2}stickler\.yaml:7:10: store\.urlEnv: the environment variable NOPE is not set$/m,
    ],
  ]
  test.each(cases)('%s', async (_, source, setting, code, says) => {
    const ended = await doctor(source, setting)
    expect(ended.stdout).toMatch(says)
    expect([ended.code, ended.stderr]).toEqual([code, ''])
    expect(ended.stdout).not.toContain('canary')
  })

  it('does not wait for ever', async () => {
    const after = (_ms: number, task: () => void) => {
      queueMicrotask(task)
      return () => {}
    }
    const instant = { now: () => 0, after }
    const never = async () => [{ name: 'near', result: new Promise<never>(() => {}) }]
    const ended = await doctor(config, {
      platform: { clock: instant, probeUpstreams: never, probeStore: () => new Promise<never>(() => {}) },
    })
    expect(ended.stdout).toMatch(/^fail {2}upstream near .*no answer within 10 s$/m)
    expect(ended.stdout).toMatch(/^fail {2}store .*no answer within 10 s$/m)
    expect(ended.code).toBe(2)
  })

  it('speaks JSON', async () => {
    const ended = await doctor(config, { platform: failing('script') }, ['--json'])
    expect(ended.code).toBe(3)
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([
        { name: 'node', state: 'ok', message: '22.1.0' },
        { name: 'upstream script', state: 'fail', message: 'scripted: connection refused', advice: expect.any(String) },
      ]),
    })
  })

  it('needs a configuration', async () => {
    expect(await runCli(['doctor'], { platform })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^stickler: there is no stickler\.yaml/),
    })
  })
})
