import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeClaude, fakeClaude } from '../../testing/fake-claude.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { readEvents } from '../../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

let folder: string
let claude: FakeClaude
let gateway: TestGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-told-'))
  claude = fakeClaude(folder)
  const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: claude-cli, command: ${claude.command} }
contracts:
  adr: { preset: helix, checks: [step_marker, adr_structure], retries: 1 }
routes:
  - { model: adr, upstream: up, contract: adr, errorsAs: text }
  - { model: claude, upstream: claude, contract: adr, errorsAs: text, root: ${folder} }
`
  gateway = await startTestGateway({ yaml, folder })
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

type Said = readonly { readonly role: string; readonly content: unknown }[]

async function ask(model: string, messages: Said, headers: Record<string, string> = {}): Promise<string> {
  const chunks = await readEvents(await gateway.post('/v1/chat/completions', { model, stream: true, messages }, headers))
  const choices = chunks.flatMap((chunk) => (chunk.choices ?? []) as { delta: { content?: string } }[])
  return choices.map(({ delta }) => delta.content ?? '').join('')
}

const user = (content: string) => ({ role: 'user', content })
const record = (title: string) => `---\nadr_id: 1\ntitle: ${title}\n---\n\n<!-- STEP: generate -->`
const good = 'Gut. <!-- STEP: what -->'

describe('the turn after an error that was told as text', () => {
  it.each<[string, (text: string) => unknown, Record<string, string>]>([
    ['as it was sent', (text) => text, {}],
    ['trimmed', (text) => text.trim(), {}],
    ['in parts', (text) => [{ type: 'text', text }], {}],
    ['in a named chat', (text) => text, { 'X-OpenWebUI-Chat-Id': 'told' }],
  ])('does not send it to the model as its own words: %s', async (_, sent, headers) => {
    gateway.upstream.enqueue(...['A', 'B'].map((title) => answering(record(title))), answering(good))
    const told = await ask('adr', [user('Eins')], headers)
    expect(told).toContain('[ENFORCEMENT ERROR]')
    const history = [user('Eins'), { role: 'assistant', content: sent(told) }, user('Zwei')]
    expect(await ask('adr', history, headers)).toBe(good)
    expect(gateway.upstream.requests.at(-1)?.json?.messages).toEqual([user('Eins'), user('Zwei')])
  })

  it('keeps what the model said before it', async () => {
    gateway.upstream.enqueue(...['A', 'B'].map((title) => answering(record(title))), answering(good))
    const told = await ask('adr', [user('Eins')])
    const history = [user('Eins'), { role: 'assistant', content: `Also:${told}` }, user('Zwei')]
    await ask('adr', history)
    expect(gateway.upstream.requests.at(-1)?.json?.messages).toEqual([user('Eins'), { role: 'assistant', content: 'Also:' }, user('Zwei')])
  })

  it('resumes the session of Claude, which has the drafts', async () => {
    claude.play([
      { when: 'Zwei', say: good },
      { when: '', nth: 1, say: record('A') },
      { when: '', say: record('B') },
    ])
    const headers = { 'X-OpenWebUI-Chat-Id': 'drafts' }
    const told = await ask('claude', [user('Eins')], headers)
    expect(told).toContain('[ENFORCEMENT ERROR]')
    expect(await ask('claude', [user('Eins'), { role: 'assistant', content: told }, user('Zwei')], headers)).toBe(good)
    const last = claude.calls().at(-1)
    expect(last).toMatchObject({ input: 'Zwei', resumed: expect.any(String) })
    expect(last?.turns.filter((turn) => turn.startsWith('assistant: '))).toEqual(
      [record('A'), record('B')].map((text) => `assistant: ${text}`),
    )
  })
})
