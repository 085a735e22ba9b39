import fc from 'fast-check'
import { anthropicMessages } from '../../e2e/relay/clients/anthropic.ts'
import { openaiChat, openaiResponses } from '../../e2e/relay/clients/openai.ts'
import { replaying } from '../../e2e/relay/replaying.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type Attack, attackWith, holds } from '../attack.ts'
import { canary, type OddReply, oddDeclaredReplies, oddReplies, secret, secretReplies } from '../generators/odd-replies.ts'
import { shownIn } from '../oracles/shown-by-sdks.ts'

// Whatever a check reads of a changed place is forbidden, so that what a client shows of it was not read.
const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ contains: { none: [${canary}, '4711', 'true', 'null', undefined, '[object'] } }, tool_calls], retries: 0, unchecked: withhold }
  safe: { checks: [{ sensitive: { redact: true } }], retries: 0, unchecked: withhold }
routes:
  - { model: openai-safe, upstream: openai, contract: safe }
  - { model: anthropic-safe, upstream: anthropic, contract: safe }
  - { model: openai, upstream: openai, contract: strict }
  - { model: anthropic, upstream: anthropic, contract: strict }
  - { model: openai-plain, upstream: openai }
  - { model: openai-safe-plain, upstream: openai }
  - { model: anthropic-safe-plain, upstream: anthropic }
  - { model: anthropic-plain, upstream: anthropic }
`
const clients = [openaiChat, openaiResponses, anthropicMessages]
/** What joining a value of another type with text leaves. */
const joined = /CANARY|4711|true|null|undefined|\[object/

/** Replies with values of other types, as official clients show and execute them; another model is for tests of the attack. */
export function typesAttack(model = (name: string): string => name): Attack {
  return {
    name: 'types',
    compares: 'what official clients show and execute of odd replies, with what was checked',
    async start() {
      const gateway = await startTestGateway({ yaml })
      return attackWith(
        fc.oneof(oddReplies, oddDeclaredReplies(), secretReplies()),
        (one) => compare(one, gateway, model),
        () => gateway.close(),
      )
    },
  }
}

async function compare({ recording, stream, changed }: OddReply, gateway: TestGateway, model: (name: string) => string): Promise<void> {
  const client = clients.find(({ api }) => api === recording.api)
  gateway.upstream.otherwise(replaying(recording))
  const isSecret = String(changed?.value).includes(secret)
  const name = `${recording.api === 'messages' ? 'anthropic' : 'openai'}${isSecret ? '-safe' : ''}`
  const got = await client?.call({ url: `${gateway.url}/v1`, model: model(name) }, recording, stream)
  const isText = typeof changed?.value === 'string'
  for (const seen of [...(got?.events ?? []), (got?.final as { data?: unknown } | undefined)?.data ?? got?.final]) {
    if (isSecret) holds(`${recording.api}, ${stream ? 'streamed' : 'whole'}: a secret is shown`, !says(seen, secret), changed, seen)
    const { texts, calls } = shownIn(seen)
    // Another text in a call is judged with its arguments.
    for (const value of isText ? texts : [...texts, ...calls]) {
      const isShown = typeof value === 'string' ? joined.test(value) : JSON.stringify(value).includes(canary) || value === 4711
      holds(`${recording.api}, ${stream ? 'streamed' : 'whole'}: shown but not checked`, !isShown, changed, value)
    }
  }
}

/** Whether an answer or an event holds a text; what is refused may be named in the error. */
function says(seen: unknown, text: string): boolean {
  return seen !== undefined && !('error' in Object(seen)) && JSON.stringify(seen).includes(text)
}
