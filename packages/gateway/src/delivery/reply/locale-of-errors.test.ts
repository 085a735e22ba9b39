import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeClaude } from '../../testing/fake-claude.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, failing } from '../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

let folder: string
let gateway: TestGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-locale-'))
  const claude = fakeClaude(folder)
  claude.play([{ when: '.', exit: 3 }])
  const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: claude, kind: claude-cli, command: ${JSON.stringify(claude.command)} }
contracts:
  de: { checks: [{ max_words: { limit: 5 } }], retries: 0, locale: de }
  en: { checks: [{ max_words: { limit: 5 } }], retries: 0, locale: en }
routes:
  - { model: de, upstream: up, contract: de, messages: { count: 2, characters: 20 } }
  - { model: en, upstream: up, contract: en, messages: { count: 2, characters: 20 } }
  - { model: claude-de, upstream: claude, contract: de }
  - { model: claude-en, upstream: claude, contract: en }
`
  gateway = await startTestGateway({ yaml })
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const

async function errorOf(path: string, model: string, stream: boolean, contents: readonly string[] = ['Hallo?']): Promise<string> {
  const messages = contents.map((content) => ({ role: 'user', content }))
  const body = path === '/v1/responses' ? { model, stream, input: messages } : { model, stream, messages, max_tokens: 50 }
  const text = await (await gateway.post(path, body)).text()
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(text.slice(text.indexOf('"error"')))?.[1] ?? text
}

const german = /\b(?:Der|hat|ist|sind|höchstens)\b/
const english = /\b(?:the|with|are|most)\b/i

describe.each(paths)('errors are in the language of the contract on %s', (path) => {
  describe.each([false, true])('streamed: %s', (stream) => {
    test.each<[string, Behaviour, string?]>([
      ['a 500', failing(500), 'status 500'],
      ['a 429', failing(429), 'status 429'],
      ['a 401', failing(401)],
      ['a refusal', failing(400, {}, 'xyz'), 'xyz'],
      ['an odd status', failing(418), 'status 418'],
      ['no sense', answeringBody({})],
    ])('%s', async (_name, fault, own) => {
      gateway.upstream.enqueue(fault, fault)
      const [de, en] = [await errorOf(path, 'de', stream), await errorOf(path, 'en', stream)]
      expect([german.test(de), english.test(de)], de).toEqual([true, false])
      if (own === undefined) expect([german.test(en), english.test(en)], en).toEqual([false, true])
      else expect(en).toBe(own)
      // The words of the provider are its own.
      expect(de.includes('xyz')).toBe(en.includes('xyz'))
    })

    test('too many messages, and a message that is too long', async () => {
      for (const contents of [['a', 'b', 'c'], ['x'.repeat(21)]]) {
        const [de, en] = [await errorOf(path, 'de', stream, contents), await errorOf(path, 'en', stream, contents)]
        expect([german.test(de), english.test(de)], de).toEqual([true, false])
        expect([german.test(en), english.test(en)], en).toEqual([false, true])
      }
    })

    test('a command that crashes', async () => {
      expect(await errorOf(path, 'claude-de', stream)).toBe('Der Anbieter ist ausgefallen.')
      expect(await errorOf(path, 'claude-en', stream)).toBe('The upstream failed.')
    })
  })

  test('a stream that breaks off after its first text', async () => {
    gateway.upstream.enqueue(breakingOff('Eins zwei drei.', 2))
    expect(await errorOf(path, 'de', true)).toMatch(german)
  })
})
