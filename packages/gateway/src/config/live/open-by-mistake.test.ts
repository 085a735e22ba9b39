import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { readGatewayConfig } from '../reading/read-gateway-config.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
routes:
  - { model: plain, upstream: up }
server: { port: 0, keysEnv: TEAM_KEYS }
`
const env = { UP_KEY: 'upstream-secret-key' }
const keys = { TEAM_KEYS: 'team:a-long-secret-key-0123456789' }
const warning = 'server.keysEnv names TEAM_KEYS, which is not set'

let locked: TestGateway
let open: TestGateway

beforeAll(async () => {
  locked = await startTestGateway({ yaml, env: keys })
  open = await startTestGateway({ yaml })
})
afterAll(() => Promise.all([locked.close(), open.close()]))

const configOf = ({ upstream }: TestGateway, more: Readonly<Record<string, string>>) =>
  readGatewayConfig(yaml.replaceAll('$UP', upstream.url), 'test.yaml', {
    env: { ...env, ...more },
    cwd: '.',
    readFile: () => Promise.reject(new Error('no files')),
  })

test('keys that were to be read from a variable which is not set are warned of', () => {
  expect(open.logLines.join('\n')).toContain(warning)
  expect(locked.logLines.join('\n')).not.toContain(warning)
})

test('a gateway says which contracts ask for repairs that they do not permit', async () => {
  const idle = yaml.replace(
    'server: { port: 0, keysEnv: TEAM_KEYS }',
    'contracts:\n  calm:\n    checks: [{ boilerplate: { remove: true } }]\n    allow: [lossless]\nserver: { port: 0 }',
  )
  const gateway = await startTestGateway({ yaml: idle })
  await gateway.close()
  expect(gateway.logLines.join('\n')).toContain('contracts.calm.checks.0.boilerplate: its options ask for lossy repairs')
})

test('a reload never opens a gateway that has asked for keys', async () => {
  await expect(locked.reload(await configOf(locked, {}))).rejects.toThrow('no API keys any more')
  expect((await locked.post('/v1/chat/completions', { model: 'plain', messages: [{ role: 'user', content: 'hi' }] })).status).toBe(401)
  await open.reload(await configOf(open, keys))
  expect((await open.post('/v1/chat/completions', { model: 'plain', messages: [{ role: 'user', content: 'hi' }] })).status).toBe(401)
})
