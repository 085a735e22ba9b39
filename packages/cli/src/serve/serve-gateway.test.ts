import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { ConfigurationError } from '@stickler/core'
import type { GatewayConfig, GatewayOptions } from '@stickler/gateway'
import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli, type Setting } from '../testing/run-cli.ts'
import type { Platform } from './node-platform.ts'

const config = `upstreams: [{ name: a, kind: openai, baseUrl: "http://127.0.0.1:1", apiKeyEnv: KEY }]
contracts: { brief: { checks: [{ max_words: { limit: 1 } }] } }
routes: [{ model: m, upstream: a, contract: brief }, { model: "*", upstream: a }]
`
const env = { KEY: 'sk-canary' }

/** A gateway that only remembers what it is told. */
class FakeGateway {
  readonly told: string[] = []
  readonly started: GatewayOptions[] = []
  readonly reloaded: GatewayConfig[] = []
  hangUp = (): void => {}

  readonly platform: Partial<Platform> = {
    startGateway: async (options) => {
      this.started.push(options)
      this.told.push('start')
      return {
        url: `http://${options.config.server.host}:4711`,
        drain: () => void this.told.push('drain'),
        close: async (graceMs) => void this.told.push(`close ${graceMs}`),
        reload: async (next) => {
          this.reloaded.push(next)
          return []
        },
        metrics: async () => [],
        flushLog: () => undefined,
      }
    },
    playDemo: async (url, { signal }) => {
      this.told.push(`play ${url}`)
      signal.addEventListener('abort', () => this.told.push('stop playing'))
    },
    onHangup: (listener) => {
      this.hangUp = listener
      return () => void this.told.push('forget')
    },
  }
}

/** Runs `serve` until it has said where it is, then does something, then ends it as Ctrl-C does. */
async function serveUntil(
  argv: readonly string[],
  setting: Setting,
  act: (gateway: FakeGateway, said: () => string) => Promise<void> | void = () => {},
) {
  const gateway = new FakeGateway()
  const controller = new AbortController()
  let said = ''
  let ready = (): void => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString()
      if (said.includes('  store ')) ready()
      done()
    },
  })
  const run = runCli(['serve', ...argv], {
    env,
    ...setting,
    stderr,
    signal: controller.signal,
    platform: { ...gateway.platform, ...setting.platform },
  })
  await Promise.race([isReady, run])
  await act(gateway, () => said)
  controller.abort('SIGTERM')
  const { code, stdout } = await run
  return { code, stdout, stderr: said, gateway }
}

describe('stickler serve', () => {
  it('protects the demo with the keys of the environment, and with no other variable', async () => {
    const keys = { STICKLER_KEYS: 'alice:key-of-alice-0123456789abcdef', STICKLER_OPERATOR_KEYS: 'ops:key-of-operators-0123456789' }
    const { stderr, gateway } = await serveUntil(['--demo'], { env: { ...keys, STICKLER_PARSER_URL: 'grpc://127.0.0.1:1' } })
    expect(gateway.started[0]?.config.server).toMatchObject({ keyCount: 1, operatorKeyCount: 1, keys: keys.STICKLER_KEYS })
    expect(stderr).toMatch(/keys +1 client, 1 operator/)
    expect(stderr).toContain("-H 'authorization: Bearer YOUR-KEY'")
    expect(stderr).not.toContain('key-of-alice')
    const open = await serveUntil(['--demo'], { env: {} })
    expect(open.stderr).toMatch(/keys +none; only this machine can ask/)
    expect(open.stderr).not.toContain('authorization')
    expect(await runCli(['serve', '--demo'], { env: { STICKLER_KEYS: 'alice' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('STICKLER_KEYS'),
    })
  })

  it('tells where it listens, and ends cleanly when it is told to', async () => {
    const cwd = await folderWith({ 'stickler.yaml': config })
    const { code, stdout, stderr, gateway } = await serveUntil([], { cwd })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe(
      `stickler listens on http://127.0.0.1:4711
  dashboard  http://127.0.0.1:4711/
  models     m (contract brief), * (unenforced)
  keys       none; only this machine can ask
  store      sqlite:${cwd}/.stickler/stickler.db
`,
    )
    expect(gateway.told).toEqual(['start', 'drain', 'close 10000', 'forget'])
  })

  it('prints one line of JSON for programs', async () => {
    const { stdout } = await serveUntil(['--json'], { files: { 'stickler.yaml': config } })
    expect(JSON.parse(stdout)).toEqual({ url: 'http://127.0.0.1:4711', dashboard: 'http://127.0.0.1:4711/', pid: process.pid, workers: 1 })
  })

  it('lets the command line override the file', async () => {
    const cwd = await folderWith({ 'conf/x.yaml': config })
    const argv = ['--config', 'conf/x.yaml', '--host', 'localhost', '--port', '0', '--store', 'sqlite:runs.db']
    const { gateway } = await serveUntil(argv, { cwd })
    expect(gateway.started[0]?.config).toMatchObject({
      file: 'conf/x.yaml',
      server: { host: 'localhost', port: 0 },
      store: { path: join(cwd, 'runs.db') },
    })
  })

  it('shows a demo that needs nothing and leaves nothing', async () => {
    const { code, stderr, gateway } = await serveUntil(['--demo'], {}, ({ started }) => {
      expect(existsSync(dirname(started[0]?.config.store.path ?? ''))).toBe(true)
    })
    expect(code).toBe(0)
    const commands = stderr.split('\n').filter((line) => line.startsWith('  curl '))
    expect(commands[0]).toBe(
      `  curl -si http://127.0.0.1:4711/v1/chat/completions -H 'content-type: application/json' -d '{"model":"demo-repair","messages":[{"role":"user","content":"How do I start?"}]}'`,
    )
    expect(commands.map((line) => /demo-[a-z-]+/.exec(line)?.[0])).toEqual([
      'demo-repair',
      'demo-retry',
      'demo-give-up',
      'demo-json',
      'demo-code',
      'demo-docs',
    ])
    expect(existsSync(dirname(gateway.started[0]?.config.store.path ?? ''))).toBe(false)
  })

  it('plays the traffic of the demo, unless it is told not to, or keys are needed', async () => {
    const keys = { STICKLER_KEYS: 'alice:key-of-alice-0123456789abcdef' }
    const played = await serveUntil(['--demo'], { env: {} })
    expect(played.gateway.told.slice(0, 3)).toEqual(['start', 'play http://127.0.0.1:4711', 'stop playing'])
    expect(played.stderr).toMatch(/ {2}traffic +for a minute/)
    for (const [argv, env] of [
      [['--demo', '--no-traffic'], {}],
      [['--demo'], keys],
    ] as const) {
      const quiet = await serveUntil(argv, { env })
      expect(quiet.gateway.told).toEqual(['start', 'drain', 'close 10000', 'forget'])
      expect(quiet.stderr).not.toContain('traffic')
    }
    expect(await runCli(['serve', '--no-traffic'])).toMatchObject({ code: 2, stderr: 'stickler: --no-traffic needs --demo\n' })
  })

  it.each<[format: string, terminals: Setting['terminals'], said: string]>([
    ['auto', ['stderr'], '00:00:00.000 info  run'],
    ['auto', [], '{"level":"info","time":0,"msg":"run"}'],
    ['json', ['stderr'], '{"level":"info","time":0,"msg":"run"}'],
    ['text', [], '00:00:00.000 info  run'],
  ])('writes log lines as %s, with the terminals %j', async (format, terminals, line) => {
    const cwd = await folderWith({ 'stickler.yaml': `${config}log: { format: ${format} }\n` })
    const setting = { cwd, env: { ...env, NO_COLOR: '1' }, terminals: terminals ?? [] }
    const { stderr } = await serveUntil([], setting, ({ started }) => {
      started[0]?.log.write('{"level":"info","time":0,"msg":"run"}\n')
    })
    expect(stderr.split('\n')).toContain(line)
  })

  it('reads the configuration again on SIGHUP, and keeps the old one when the new one is bad', async () => {
    const cwd = await folderWith({ 'stickler.yaml': config })
    const file = join(cwd, 'stickler.yaml')
    const { stderr, gateway } = await serveUntil([], { cwd }, async (running, said) => {
      await writeFile(file, `${config}server: { prot: 1 }\nlog: { level: loud }\n`)
      running.hangUp()
      await expect.poll(said).toContain('was not reloaded')
      expect(running.reloaded).toEqual([])
      await writeFile(file, `${config}server: { port: 1 }\n`)
      running.hangUp()
      await expect.poll(() => running.reloaded.length).toBe(1)
    })
    expect(gateway.reloaded[0]?.server.port).toBe(1)
    expect(stderr.split('\n').slice(5, -1)).toEqual([
      'stickler: stickler.yaml was not reloaded, the previous configuration stays in use: 2 problems',
      'stickler: stickler.yaml:4:11: server.prot: unknown key "prot"; did you mean "port"?',
      expect.stringMatching(/^stickler: stickler\.yaml:\d+:\d+: /),
      'stickler: reloaded stickler.yaml; needs a restart: server.port (stickler.yaml:4:11)',
    ])
  })
})

describe('what keeps it from starting', () => {
  const failing = (error: Error): Partial<Platform> => ({ startGateway: () => Promise.reject(error) })
  const refused = new ConfigurationError([{ message: '127.0.0.1:8787 is already in use', path: ['port'] }])
  const cases: readonly (readonly [what: string, argv: readonly string[], setting: Setting, code: number, says: string | RegExp])[] = [
    [
      'no configuration',
      [],
      {},
      2,
      'stickler: there is no stickler.yaml; `stickler init` writes one, and `stickler serve --demo` needs none\n',
    ],
    ['no such configuration', ['--config', 'x.yaml'], {}, 2, 'stickler: cannot read x.yaml: there is no such file\n'],
    ['a demo with a configuration', ['--demo', '--config', 'x'], {}, 2, 'stickler: --demo and --config exclude each other\n'],
    ['a port that is none', ['--port', '70000'], {}, 2, /argument '70000' is invalid\. Expected a whole number from 0 to 65535\.\n$/],
    ['no workers', ['--workers', '0'], {}, 2, /Expected a whole number from 1 to 64\.\n$/],
    ['a store that is none', ['--demo', '--store', 'mysql://me:canary@x'], {}, 2, /^stickler: --store: expected sqlite:path/],
    [
      'a bad configuration, all of it',
      [],
      { files: { 'stickler.yaml': `${config}sever: {}\nserver: { port: x }\n` } },
      2,
      'stickler.yaml:4:1: sever: unknown key "sever"; did you mean "server"?\nstickler.yaml:5:11: server.port: expected number, received string\n',
    ],
    [
      'no key',
      [],
      { files: { 'stickler.yaml': config.replace('127.0.0.1', 'model.test') }, env: {} },
      2,
      'stickler.yaml:1:70: upstreams.0.apiKeyEnv: the environment variable KEY is not set\n',
    ],
    ['a port in use', ['--demo'], { platform: failing(refused) }, 2, 'port: 127.0.0.1:8787 is already in use\n'],
    [
      'a store that cannot be opened',
      ['--demo', '--store', 'postgres://me:canary@db.example/x'],
      { platform: failing(Object.assign(new Error('the database does not answer (ECONNREFUSED)'), { code: 'ECONNREFUSED' })) },
      2,
      'stickler: cannot open the store postgres://me@db.example/x: the database does not answer (ECONNREFUSED)\n',
    ],
    [
      'a fault of our own',
      ['--demo'],
      { platform: failing(Object.assign(new TypeError('boom'), { code: 'ERR_X' })) },
      70,
      /^stickler: internal error: boom/,
    ],
    ['a fault', ['--demo'], { platform: failing(new Error('boom')) }, 70, /^stickler: internal error: boom/],
  ]
  test.each(cases)('%s', async (_, argv, setting, code, says) => {
    const ended = await runCli(['serve', ...argv], { env, ...setting })
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', typeof says === 'string' ? says : expect.stringMatching(says)])
    expect(ended.stderr).not.toContain('canary')
  })
})
