import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { overrideConfig, readGatewayConfig } from '../reading/read-gateway-config.ts'

const env = {
  KEY: 'sk-canary-1',
  HEADER: 'canary-2',
  STORE: 'postgres://me:canary-3@db.example/runs',
  CLIENTS: 'alice:canary-4-abcdef,bob:canary-5-abcdef',
  OPERATORS: 'olga:canary-6-abcdef',
}
const source = `
server: { keysEnv: CLIENTS, operatorKeysEnv: OPERATORS }
store: { urlEnv: STORE }
upstreams:
  - { name: local, kind: openai, baseUrl: https://api.example/v1, apiKeyEnv: KEY, headersEnv: { x-extra: HEADER } }
routes: [{ model: '*', upstream: local }]
`
const read = () => readGatewayConfig(source, 'stickler.yaml', { env, cwd: '/conf', readFile: () => Promise.reject(new Error('no files')) })

test('secrets can be used, but are never printed, written or copied', async () => {
  const config = await read()
  const shown = [
    inspect(config, { depth: 9, showHidden: true }),
    JSON.stringify(config),
    JSON.stringify(config.upstreams.map((one) => ({ ...one }))),
  ]
  for (const text of shown) expect(text).not.toMatch(/canary/)
  expect(shown[1]).toContain('"settings":"[hidden]"')
})

test('secrets stay hidden under what the command line says', async () => {
  const config = overrideConfig(await read(), { port: 1, host: '::1', workers: 5 }, '/here')
  expect(config.server).toMatchObject({ port: 1, host: '::1', workers: 5, keys: env.CLIENTS })
  expect(inspect(config, { depth: 9, showHidden: true })).not.toMatch(/canary/)
  expect(overrideConfig(config, { store: 'sqlite:x.db' }, '/here').store.path).toBe('/here/x.db')
  expect(() => overrideConfig(config, { store: 'mysql://me:canary@x' }, '/here')).toThrow(/^(?!.*canary).*expected sqlite/)
})
