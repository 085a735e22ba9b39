import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeClaude } from '../../packages/gateway/src/testing/fake-claude.ts'
import { bundleCommand, type CommandBundle, type ServedProcess, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'
import { testEngines } from '../../packages/gateway/src/testing/store-engines.ts'

let bundle: CommandBundle
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stickler-restart-')))
const running: ServedProcess[] = []

beforeAll(async () => {
  bundle = await bundleCommand()
}, 60_000)
afterAll(async () => {
  for (const { process } of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  bundle.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(own: string, command: string, store: string): Promise<ServedProcess> {
  mkdirSync(own, { recursive: true })
  const yaml = `
server: { port: 0 }
store: { urlEnv: STORE }
log: { level: warn }
upstreams: [{ name: claude, kind: claude-cli, command: ${command} }]
contracts: { chat: { preset: helix, checks: [step_marker] } }
routes: [{ model: helix, upstream: claude, contract: chat, root: ${folder} }]
`
  const env = { STORE: store, STICKLER_KEYS: 'alice:alice-key-0123456789', HOME: folder }
  const served = await serveInProcess(bundle, { folder: own, yaml, env })
  if (served.url === '') throw new Error(served.said())
  running.push(served)
  return served
}

function chat({ url }: ServedProcess) {
  const defaultHeaders = { 'X-OpenWebUI-Chat-Id': 'chat-1' }
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'alice-key-0123456789', maxRetries: 0, defaultHeaders })
  return async (messages: readonly OpenAI.Chat.ChatCompletionMessageParam[]): Promise<string> => {
    let text = ''
    const chunks = await client.chat.completions.create({ model: 'helix', stream: true, messages: [...messages] })
    for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? ''
    return text
  }
}

describe.each(testEngines().map((engine) => [engine.name, engine] as const))('a chat with its store in %s', (name, engine) => {
  beforeAll(() => engine.start(), 60_000)
  afterAll(() => engine.stop())

  it('goes on in its session after the gateway was killed, and on another gateway of the same store', async () => {
    const own = join(folder, name)
    mkdirSync(own)
    const claude = fakeClaude(own)
    claude.play([{ when: '', say: 'Fine. <!-- STEP: done -->' }])
    const database = await engine.newDatabase(own)
    const said = { role: 'assistant', content: 'Fine. <!-- STEP: done -->' } as const
    const user = (content: string) => ({ role: 'user', content }) as const

    const first = await serve(join(own, 'a'), claude.command, database.url)
    expect(await chat(first)([user('One')])).toBe(said.content)
    first.process.kill('SIGKILL')
    await first.ended

    const second = await serve(join(own, 'a'), claude.command, database.url)
    expect(await chat(second)([user('One'), said, user('Two')])).toBe(said.content)
    const third = await serve(join(own, 'b'), claude.command, database.url)
    const turns = [user('One'), said, user('Two'), said]
    // Both at once: one gateway has the session, the other sends the transcript.
    await Promise.all([chat(second)([...turns, user('Three a')]), chat(third)([...turns, user('Three b')])])

    const calls = claude.calls()
    expect(calls.slice(0, 2)).toMatchObject([
      { input: 'One', resumed: null },
      { input: 'Two', resumed: expect.any(String), turns: ['user: One', `assistant: ${said.content}`] },
    ])
    expect(
      calls
        .slice(2)
        .map(({ resumed }) => resumed === null)
        .toSorted(),
    ).toEqual([false, true])
    expect(calls.slice(2).find(({ resumed }) => resumed !== null)?.input).toMatch(/^Three [ab]$/)
    expect(claude.shared()).toEqual([])
    await database.close()
  }, 60_000)
})
