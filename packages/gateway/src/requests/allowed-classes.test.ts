import type { RepairClass } from '@stickler/core'
import { repairClasses } from '@stickler/core/internal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { readEvents } from '../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

const subsets = repairClasses.reduce<RepairClass[][]>((all, one) => all.concat(all.map((set) => [...set, one])), [[]])
const nameOf = (check: string, allow: readonly string[]): string => [check, ...allow].join('-')
const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
${['json', 'tool_calls'].flatMap((check) => subsets.map((allow) => `  ${nameOf(check, allow)}: { checks: [${check}], retries: 0, allow: [${allow}] }`)).join('\n')}
routes:
${['json', 'tool_calls'].flatMap((check) => subsets.map((allow) => `  - { model: ${nameOf(check, allow)}, upstream: up, contract: ${nameOf(check, allow)} }`)).join('\n')}
`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]
const call = (name: string, given: string) => answering('', { toolCalls: [{ id: 'c', name, arguments: given }] })
const answers = {
  json: ['{"a": 1,}', '{"a": NaN}', '{"a": "b', '{"a": }', '{"a": 1}\n{"a": 2}'].map((text) => answering(text)),
  tool_calls: [
    call('Get-Weather', '{"city": "Rome"}'),
    call('get_wether', '{"city": "Rome"}'),
    call('get_weather', 'I think {"city": "Rome"}'),
    answering('<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'),
  ],
}

interface Verdict {
  readonly status: string
  readonly repairs: readonly { readonly class: RepairClass }[]
}

test.each([false, true])('no reply has a repair of a class that its contract does not allow; stream: %j', async (stream) => {
  const seen = new Set<RepairClass>()
  for (const [check, given] of Object.entries(answers)) {
    for (const allow of subsets) {
      for (const answer of given) {
        gateway.upstream.enqueue(answer)
        const body = { model: nameOf(check, allow), stream, tools, messages: [{ role: 'user', content: 'x' }] }
        const response = await gateway.post('/v1/chat/completions', body)
        const replies = stream && response.ok ? await readEvents(response) : [(await response.json()) as Record<string, unknown>]
        const verdict = replies.map(({ stickler }) => stickler as Verdict | undefined).find((one) => one !== undefined)
        for (const { class: kind } of verdict?.repairs ?? []) {
          expect(allow).toContain(kind)
          seen.add(kind)
        }
      }
    }
  }
  expect([...seen].sort()).toEqual([...repairClasses].sort())
})
