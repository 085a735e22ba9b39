import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeclaredReply, declaredReplies } from '../../attack/generators/declared-replies.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask } from '../../packages/gateway/src/testing/wire.ts'
import { replaying } from './replaying.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  safe: { checks: [{ sensitive: { redact: true } }], mode: lenient, retries: 0, unchecked: deliver }
routes:
  - { model: openai, upstream: openai, contract: safe }
  - { model: anthropic, upstream: anthropic, contract: safe }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

type Path = readonly (string | number)[]

function* stringsIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'string' && !structural.has(String(path.at(-1)))) yield path
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* stringsIn(inner, [...path, Array.isArray(value) ? Number(key) : key])
}
/** Words of the API itself. */
const structural = new Set(['type', 'status', 'role', 'object', 'phase', 'stop_reason'])

/** Why a place is not searched: each line is one reason. */
const passed: readonly RegExp[] = [
  // Ids, which clients send back and providers compare.
  /(?:[ ._]|^)(?:id|created_by)$|_id$/,
  // Bytes, which say nothing as text.
  /(?:signature|encrypted_content|redacted_thinking data|image_generation_call result|audio\.delta delta)$/,
  // Calls that the client runs: with other arguments they would be other calls.
  /^(?:function_call|custom_tool_call|tool_use|local_shell_call|shell_call|apply_patch_call|computer_call|mcp_approval_request) /,
  // Settings of tools, a time, a version, and the client's own words.
  /tools\.(?:format\.(?:definition|syntax)|model)$|container\.(?:expires_at|skills\.version)$|stop_sequence$/,
  // Refusals and sound are delivered as they are, and the answer is unchecked.
  /^message content\.refusal$|^response\.audio\.transcript\.delta delta$/,
]

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value)
}

test('no text of a type that official clients declare is delivered with what a contract takes out', async () => {
  const shown = new Set<string>()
  let count = 0
  const known = new Set<string>()
  for (const { recording, stream, path } of declaredReplies()) {
    const root = structuredClone(stream ? recording.events : recording.whole)
    const declared = at(root, path) as { type?: string }
    const nameOf = (inner: Path) => `${declared.type ?? recording.api} ${inner.filter((one) => typeof one === 'string').join('.')}`
    const places = [...stringsIn(declared)].filter((inner) => !known.has(nameOf(inner) + stream))
    if (places.length === 0) continue
    for (const [index, inner] of places.entries()) {
      known.add(nameOf(inner) + stream)
      const holder = at(declared, inner.slice(0, -1)) as Record<string | number, unknown>
      holder[inner.at(-1) ?? ''] = `n${index}x@other.org`
    }
    gateway.upstream.otherwise(replaying({ ...recording, ...(stream ? { events: root } : { whole: root }) } as typeof recording))
    const model = recording.api === 'messages' ? 'anthropic' : 'openai'
    const { body } = await ask(gateway, recording.api, { model, stream })
    count++
    for (const [index, inner] of places.entries()) if (body.includes(`n${index}x@other.org`)) shown.add(nameOf(inner))
  }
  expect(count).toBeGreaterThan(300)
  expect([...shown].filter((name) => !passed.some((reason) => reason.test(name))).sort()).toEqual([])
}, 120_000)

test('what no type declares but providers send is searched too', async () => {
  const { recording } = declaredReplies().find(({ recording: { api }, stream }) => api === 'responses' && !stream) as DeclaredReply
  const item = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'aGk=', revised_prompt: 'A cat for jane@other.org' }
  const output = [item, ...(recording.whole as { output: object[] }).output]
  const [added, done] = ['added', 'done'].map((end) => ({ type: `response.output_item.${end}`, output_index: 9, item }))
  const events = [...(recording.events ?? [])]
  events.splice(-1, 0, added ?? {}, done ?? {})
  gateway.upstream.otherwise(replaying({ ...recording, whole: { ...recording.whole, output }, events }))
  for (const stream of [false, true]) {
    const { body } = await ask(gateway, 'responses', { model: 'openai', stream })
    expect([stream, body.includes('A cat for [EMAIL]'), body.includes('jane'), body.includes('aGk=')]).toEqual([stream, true, false, true])
  }
})
