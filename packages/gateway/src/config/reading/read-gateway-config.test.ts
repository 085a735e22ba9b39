// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what configuration files hold
import { ConfigurationError } from '@stickler/core'
import { describe, expect, it, test } from 'vitest'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { readGatewayConfig } from './read-gateway-config.ts'

const env = {
  KEY: 'sk-canary-1',
  HEADER: 'canary-2',
  STORE: 'postgres://me:canary-3@db.example/runs',
  CLIENTS: 'alice:canary-4-abcdef,bob:canary-5-abcdef',
  PORT: '9000',
  YES: 'true',
  DIGITS: '42',
}
const files: Readonly<Record<string, string>> = {
  '/conf/answer.schema.json': '{"type":"object"}',
  '/conf/broken.json': '{"type":',
  '/conf/odd.json': '{"$ref":"https://example.com/x"}',
}
const around = {
  env,
  cwd: '/conf',
  readFile: async (path: string): Promise<string> => files[path] ?? Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' })),
}
const read = (source: string, file = 'stickler.yaml'): Promise<GatewayConfig> => readGatewayConfig(source, file, around)

async function complaints(source: string): Promise<string[]> {
  try {
    await read(source)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n')
    throw error
  }
}

/** The least that can be served. */
const least = `
upstreams: [{ name: local, kind: openai, baseUrl: "http://127.0.0.1:11434/v1" }]
routes: [{ model: '*', upstream: local }]
`

const full = `
server: { host: 0.0.0.0, port: 80, admin: { port: 9090 }, keysEnv: CLIENTS, workers: 2, bodyLimit: 2048, inFlight: 3, heartbeat: 2.5, shutdownGrace: 0,
          allowedHosts: ["gateway.example:8080"], origins: [https://chat.example], trustedProxies: [10.0.0.0/8], deadline: 60 }
store: { urlEnv: STORE, keepText: true, retentionDays: 7 }
upstreams:
  - { name: local, kind: openai, baseUrl: https://api.example/v1/, apiKeyEnv: KEY, timeouts: { firstByte: 30, idle: 0.5, total: 120 }, retries: 0,
      provider: ollama, capabilities: { citations: false }, price: { prompt: 0.15, completion: 0.6 }, headers: { X-Team: red }, headersEnv: { api-key: HEADER } }
  - { name: claude, kind: anthropic, apiKeyEnv: KEY, model: opus }
  - { name: cli, kind: claude-cli }
  - { name: demo, kind: scripted, answers: [Hi., { failure: { kind: http, status: 503 } }] }
contracts:
  consultant: { preset: helix, checks: [step_marker] }
  answers: { mode: strict, retries: 1, checks: [{ json: { schemaFile: answer.schema.json } }] }
routes:
  - { model: helix-consultant, upstream: local, upstreamModel: llama3.1, contract: consultant, fallback: [claude, { upstream: cli, model: haiku }],
      errorsAs: text, exemptTasks: [title_generation], root: ./docs }
  - { model: '*', upstream: claude }
ask: { upstreams: [local, claude], cache: { enabled: true, ttl: 2h }, limits: { timeMs: 1000, dailyCostUsd: 1.5 }, audit: { answer: true } }
log: { level: debug }
metrics: { enabled: false }
`

describe('good files', () => {
  it('fills in what is left out', async () => {
    const url = 'http://127.0.0.1:11434/v1'
    expect(await read(least)).toMatchObject({
      file: 'stickler.yaml',
      server: {
        host: '127.0.0.1',
        port: 8787,
        workers: 1,
        bodyLimit: 4_194_304,
        inFlight: 512,
        heartbeat: 10_000,
        shutdownGrace: 10_000,
        deadline: 300_000,
        ...{ keyCount: 0, perKey: {}, keys: '' },
      },
      store: {
        kind: 'sqlite',
        path: '/conf/.stickler/stickler.db',
        url: 'sqlite:/conf/.stickler/stickler.db',
        keepText: false,
        onFull: 'serve',
        retentionDays: 30,
      },
      upstreams: [
        { name: 'local', provider: 'openai', shown: url, settings: { retry: { retries: 2 }, baseUrl: url, headers: {}, timeouts: {} } },
      ],
      routes: [
        {
          model: '*',
          targets: [{ upstream: 'local' }],
          errorsAs: 'frame',
          exemptTasks: [],
          exemptApis: [],
          messages: { count: 2000, characters: 1_000_000 },
        },
      ],
      log: { level: 'info', format: 'auto' },
      metrics: { enabled: true },
    })
    expect(await read(least)).not.toHaveProperty('ask')
  })

  it('takes everything', async () => {
    const config = await read(full)
    expect(config).toMatchObject({
      server: {
        host: '0.0.0.0',
        port: 80,
        keyCount: 2,
        operatorKeyCount: 0,
        admin: { host: '127.0.0.1', port: 9090 },
        keys: env.CLIENTS,
        heartbeat: 2500,
        shutdownGrace: 0,
        trustedProxies: ['10.0.0.0/8'],
      },
      store: { kind: 'postgres', url: env.STORE, shown: 'postgres://me@db.example/runs', keepText: true },
      routes: [
        {
          model: 'helix-consultant',
          targets: [
            { upstream: 'local', model: 'llama3.1' },
            { upstream: 'claude', model: 'opus' },
            { upstream: 'cli', model: 'haiku' },
          ],
          contract: 'consultant',
          root: '/conf/docs',
        },
        { model: '*', targets: [{ upstream: 'claude', model: 'opus' }] },
      ],
      ask: {
        cache: { enabled: true, ttl: 7200, maxEntries: 1000 },
        limits: { promptTokens: 8192, timeMs: 1000, dailyCostUsd: 1.5 },
      },
    })
    const [local, claude] = config.upstreams
    expect(local).toMatchObject({
      price: { promptPerMillion: 0.15, completionPerMillion: 0.6 },
      shown: 'https://api.example/v1',
    })
    const timeouts = { firstByteMs: 30_000, idleMs: 500, totalMs: 120_000 }
    expect(local?.settings).toMatchObject({ apiKey: env.KEY, headers: { 'X-Team': 'red', 'api-key': env.HEADER }, timeouts })
    expect(claude).toMatchObject({ kind: 'anthropic', shown: 'https://api.anthropic.com/v1', provider: 'anthropic' })
    expect([...config.contracts].map(([name, { validators }]) => [name, validators.map((one) => one.name)])).toEqual([
      ['consultant', ['step_marker']],
      ['answers', ['json']],
    ])
  })

  it('puts variables in, and reads numbers and truth values where the schema wants them', async () => {
    const config = await read(
      `server:\n  port: \${PORT}\n  workers: \${WORKERS:-3}\nstore:\n  keepText: \${YES}\n${least.replace('local, kind', '"${DIGITS}", kind').replace('upstream: local', 'upstream: "42"')}`,
    )
    expect(config).toMatchObject({ server: { port: 9000, workers: 3 }, store: { keepText: true }, upstreams: [{ name: '42' }] })
  })

  it('finds files beside the file, wherever that is', async () => {
    const config = await read(`${least}store: { url: "sqlite:runs.db" }\n`, 'etc/gateway.yaml')
    expect(config.store).toMatchObject({ path: '/conf/etc/runs.db', folder: '/conf/etc' })
  })
})

describe('secrets', () => {
  it('are not repeated where a variable brings them to the wrong place', async () => {
    const lines = await complaints(`log:\n  level: \${KEY}\n${least.replace('upstream: local', 'upstream: "${KEY}"')}`)
    expect(lines).toEqual([
      'stickler.yaml:2:3: log.level: unknown value "${KEY}"; known: debug, info, warn, error, silent',
      'stickler.yaml:5:24: routes.0.upstream: unknown upstream "${KEY}"; known: local',
    ])
  })
})

describe('bad files', () => {
  const upstream = (fields: string) => `upstreams:\n- { name: a, kind: openai, ${fields} }\nroutes: [{ model: m, upstream: a }]\n`
  const bad: readonly (readonly [what: string, source: string, lines: readonly unknown[]])[] = [
    [
      'nothing',
      '',
      [
        'stickler.yaml:1:1: there are no routes; map a model to an upstream and a contract, such as routes: [{ model: fast, upstream: NAME, contract: NAME }]',
      ],
    ],
    ['no routes', 'upstreams: []\nroutes: []\n', [expect.stringContaining('there are no routes')]],
    [
      'an order of tools without a rule',
      `${least}contracts:\n  a:\n    preset: techtime\n    checks: [tool_sequence: { order: null }]\n  b: { checks: [tool_sequence: { strict: true }], strict: true }\n`,
      [
        'stickler.yaml:7:14: contracts.a.checks.0.tool_sequence: tool_sequence has no rule; give order, expect, before, requires, never or at_most',
        'stickler.yaml:8:17: contracts.b.checks.0.tool_sequence: tool_sequence has no rule; give order, expect, before, requires, never or at_most',
      ],
    ],
    [
      'a check that asks a model, which nothing provides',
      `${least}contracts:\n  a: { checks: [context_relevance: { strategy: llm }] }\n`,
      [
        expect.stringMatching(
          /^stickler\.yaml:5:\d+: contracts\.a\.checks: the check context_relevance needs a model, and none is available here/,
        ),
      ],
    ],
    ['an unknown section', `${least}sever: {}\n`, ['stickler.yaml:4:1: sever: unknown key "sever"; did you mean "server"?']],
    ['an unknown key', `${least}server: { prot: 1 }\n`, ['stickler.yaml:4:11: server.prot: unknown key "prot"; did you mean "port"?']],
    [
      'a port out of range',
      `${least}server: { port: 70000 }\n`,
      ['stickler.yaml:4:11: server.port: too big: expected number to be <=65535'],
    ],
    ['a port that is none', `${least}server: { port: "80" }\n`, ['stickler.yaml:4:11: server.port: expected number, received string']],
    ['half a worker', `${least}server: { workers: 1.5 }\n`, ['stickler.yaml:4:11: server.workers: expected int, received number']],
    [
      'time that is none',
      `${least}server: { deadline: 0 }\n`,
      ['stickler.yaml:4:11: server.deadline: too small: expected number to be >0'],
    ],
    ['endless time', `${least}server: { deadline: .inf }\n`, [expect.stringContaining('server.deadline: ')]],
    [
      'every origin',
      `${least}server: { origins: ["*", "https://a.example/"] }\n`,
      [expect.stringContaining('server.origins.0: must be an origin'), expect.stringContaining('server.origins.1: must be an origin')],
    ],
    ['a proxy that is none', `${least}server: { trustedProxies: [10.0.0.0/33, everyone] }\n`, [expect.any(String), expect.any(String)]],
    [
      'a host with a port',
      `${least}server: { host: "localhost:80" }\n`,
      [expect.stringContaining('server.host: must be a host name or an address')],
    ],
    [
      'names that mean nothing',
      `upstreams: [{ name: local, kind: scripted, answers: [] }]\ncontracts: { brief: { checks: [] } }\nroutes:\n- { model: a, upstream: locl, contract: breif, fallback: [local, lcal, { upstream: x }] }\nask: { upstreams: [nope] }\n`,
      [
        'stickler.yaml:4:15: routes.0.upstream: unknown upstream "locl"; did you mean "local"?',
        'stickler.yaml:4:31: routes.0.contract: unknown contract "breif"; did you mean "brief"?',
        'stickler.yaml:4:66: routes.0.fallback.1: unknown upstream "lcal"; did you mean "local"?',
        'stickler.yaml:4:74: routes.0.fallback.2.upstream: unknown upstream "x"; known: local',
        'stickler.yaml:5:20: ask.upstreams.0: unknown upstream "nope"; known: local',
      ],
    ],
    [
      'a shadow contract that is unknown, or the contract itself',
      'upstreams: [{ name: a, kind: scripted, answers: [] }]\ncontracts: { brief: { checks: [] } }\nroutes:\n- { model: a, upstream: a, shadow: breif }\n- { model: b, upstream: a, contract: brief, shadow: brief }\n',
      [
        'stickler.yaml:4:28: routes.0.shadow: unknown contract "breif"; did you mean "brief"?',
        'stickler.yaml:5:45: routes.1.shadow: the shadow contract is the contract of the route itself; name another one',
      ],
    ],
    [
      'names that mean two things',
      'upstreams:\n- { name: a, kind: scripted, answers: [] }\n- { name: a, kind: scripted, answers: [] }\nroutes:\n- { model: m, upstream: a }\n- { model: m, upstream: a }\n',
      [
        'stickler.yaml:3:5: upstreams.1.name: there are two upstreams with the name "a"',
        'stickler.yaml:6:5: routes.1.model: there are two routes for the model "m"',
      ],
    ],
    [
      'a model with a line break',
      least.replace("'*'", '"gpt\\n*"'),
      ['stickler.yaml:3:12: routes.0.model: must be the name of a model, or a pattern such as claude-*'],
    ],
    [
      'variables that are not set',
      `${upstream('baseUrl: "${NOWHERE}", apiKeyEnv: NO_KEY, headersEnv: { x-a: NO_HEADER }')}server: { keysEnv: NO_KEYS }\nstore: { urlEnv: NO_STORE }\n`,
      [
        'stickler.yaml:2:28: upstreams.0.baseUrl: the environment variable NOWHERE is not set',
        'stickler.yaml:2:51: upstreams.0.apiKeyEnv: the environment variable NO_KEY is not set',
        'stickler.yaml:2:84: upstreams.0.headersEnv.x-a: the environment variable NO_HEADER is not set',
        'stickler.yaml:5:10: store.urlEnv: the environment variable NO_STORE is not set',
      ],
    ],
    [
      'keys that are none',
      `${least}server: { keysEnv: DIGITS }\n`,
      ['stickler.yaml:4:11: server.keysEnv: in DIGITS, API key 1 is shorter than 8 characters'],
    ],
    [
      'keys of operators that are none',
      `${least}server: { operatorKeysEnv: DIGITS }\n`,
      ['stickler.yaml:4:11: server.operatorKeysEnv: in DIGITS, API key 1 is shorter than 8 characters'],
    ],
    [
      'a key with two roles',
      `${least}server: { keysEnv: CLIENTS, operatorKeysEnv: CLIENTS }\n`,
      ['stickler.yaml:4:29: server.operatorKeysEnv: in CLIENTS, API key 1 is also a client key'],
    ],
    [
      'keys of operators in the file',
      `${least}server: { operatorKeys: [canary-abcdefgh] }\n`,
      [
        'stickler.yaml:4:11: server.operatorKeys: a secret must not be in a file; put it into the environment and write operatorKeysEnv: NAME',
      ],
    ],
    [
      'a listener for operators without a port',
      `${least}server: { admin: { host: 127.0.0.1 } }\n`,
      [expect.stringContaining('server.admin.port')],
    ],
    [
      'a store that is none',
      `${least}store: { urlEnv: KEY }\n`,
      [expect.stringMatching(/^stickler\.yaml:4:10: store\.urlEnv: (?!.*canary)expected sqlite/)],
    ],
    [
      'two stores',
      `${least}store: { url: "sqlite:a", urlEnv: STORE }\n`,
      ['stickler.yaml:4:27: store.urlEnv: url and urlEnv are mutually exclusive'],
    ],
    [
      'a key in the file',
      upstream('baseUrl: http://a, apiKey: sk-canary'),
      ['stickler.yaml:2:47: upstreams.0.apiKey: a secret must not be in a file; put it into the environment and write apiKeyEnv: NAME'],
    ],
    [
      'a key in the file, of a kind that is misspelt',
      'upstreams:\n- { name: a, kind: opanai, apiKey: sk-canary }\nroutes: [{ model: m, upstream: a }]\n',
      [
        expect.stringMatching(/^stickler\.yaml:2:14: upstreams\.0\.kind: unknown value "opanai"; did you mean "openai"/),
        expect.stringMatching(/^stickler\.yaml:2:28: upstreams\.0\.apiKey: a secret must not be in a file/),
      ],
    ],
    [
      'a key that is put in',
      upstream('baseUrl: http://a, api_key: "${KEY}"'),
      ['stickler.yaml:2:47: upstreams.0.api_key: reference secrets by environment variable; write apiKeyEnv: KEY'],
    ],
    [
      'keys of clients in the file',
      `${least}server: { keys: [canary-abcdefgh] }\n`,
      ['stickler.yaml:4:11: server.keys: a secret must not be in a file; put it into the environment and write keysEnv: NAME'],
    ],
    [
      'a password in the file',
      `${least}store: { url: "postgres://me:canary@db/runs" }\n`,
      [
        'stickler.yaml:4:10: store.url: a password must not be in a file; put the whole address into the environment and write urlEnv: NAME',
      ],
    ],
    [
      'a secret in a header',
      upstream('baseUrl: http://a, headers: { Authorization: Bearer canary }'),
      [
        'stickler.yaml:2:58: upstreams.0.headers.Authorization: a header like this holds a secret, which must not be in a file; write headersEnv: { Authorization: VARIABLE }',
      ],
    ],
    [
      'a header of the connection',
      upstream('baseUrl: http://a, headers: { Host: x }'),
      [expect.stringContaining('is a header that the gateway sets itself')],
    ],
    [
      'a header that is two',
      upstream('baseUrl: http://a, headers: { x-a: "b\\r\\nc: d" }'),
      [expect.stringContaining('contains characters that HTTP does not allow')],
    ],
    [
      'the key in place of its variable',
      upstream('baseUrl: http://a, apiKeyEnv: sk-canary'),
      [expect.stringContaining('give the name of an environment variable')],
    ],
    ['a contract with a space', `${least}contracts: { "my answers": {} }\n`, [expect.stringContaining('letters, digits and . _ - only')]],
    [
      'schema files that cannot be used',
      `${least}contracts:\n  a: { checks: [json: { schemaFile: gone.json }] }\n  b: { checks: [json: { schemaFile: broken.json }] }\n  c: { checks: [json: { schemaFile: odd.json }] }\n  d: { checks: [json: { schemaFile: 5 }] }\n  e: { checks: [json: { schemaFile: answer.schema.json, schema: {} }] }\n  f: { checks: [max_words: { limit: 1, schemaFile: answer.schema.json }] }\n`,
      [
        'stickler.yaml:5:25: contracts.a.checks.0.json.schemaFile: cannot read gone.json: there is no such file',
        'stickler.yaml:6:25: contracts.b.checks.0.json.schemaFile: broken.json is not JSON',
        expect.stringMatching(/^stickler\.yaml:7:17: contracts\.c\.checks\.0\.json: /),
        'stickler.yaml:8:25: contracts.d.checks.0.json.schemaFile: must be the name of a file',
        'stickler.yaml:9:25: contracts.e.checks.0.json.schemaFile: schema and schemaFile are mutually exclusive',
        'stickler.yaml:10:40: contracts.f.checks.0.max_words.schemaFile: unknown key "schemaFile"; known: limit',
      ],
    ],
    [
      'mistakes of every sort, at once and in the order of the file',
      'server: { prot: 1 }\nupstreams:\n- { name: a, kind: opnai }\ncontracts:\n  c: { checks: [step_markr] }\nroutes:\n- { model: m, upstream: b, contract: c }\nlog:\n  level: ${LEVEL}\n',
      [
        'stickler.yaml:1:11: server.prot: unknown key "prot"; did you mean "port"?',
        'stickler.yaml:3:14: upstreams.0.kind: unknown value "opnai"; did you mean "openai"?',
        'stickler.yaml:5:17: contracts.c.checks.0: unknown validator "step_markr"; did you mean "step_marker"?',
        'stickler.yaml:7:15: routes.0.upstream: unknown upstream "b"; known: a',
        'stickler.yaml:9:3: log.level: the environment variable LEVEL is not set',
      ],
    ],
    ['no YAML', 'server: [', [expect.stringMatching(/^stickler\.yaml:1:\d+: /)]],
    ['a list', '- a\n', ['stickler.yaml:1:1: expected object, received array']],
    ['a prototype', 'server: { "__proto__": { polluted: 1 } }\n', ['stickler.yaml:1:11: unknown key "__proto__"']],
    [
      'a time to live that is none',
      `${least}ask: { upstreams: [local], cache: { ttl: 5 weeks } }\n`,
      [expect.stringContaining('ask.cache.ttl: ')],
    ],
    [
      'an unknown limit',
      `${least}ask: { upstreams: [local], limits: { tokens: 5 } }\n`,
      [expect.stringContaining('ask.limits.tokens: unknown key')],
    ],
  ]
  test.each(bad)('%s', async (_, source, lines) => {
    const found = await complaints(source)
    expect(found).toEqual(lines)
    expect(found.join('\n')).not.toContain('canary')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
