import fc from 'fast-check'
import OpenAI from 'openai'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answeringBody, answeringEvents, type Framing } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type Attack, attackWith, same } from '../attack.ts'
import { bodyOfReply, chunksOfReply, type Reply, replies } from '../generators/replies.ts'

interface RelayCase {
  readonly reply: Reply
  readonly stream: boolean
  readonly framing: Framing
}

/** What is compared of a reply; everything else is listed in docs/attack.md. */
interface View {
  readonly choices: readonly ChoiceView[]
  readonly usage?: unknown
}

interface ChoiceView {
  content: string
  refusal: string
  reasoning: string
  readonly calls: { id: string; name: string; arguments: string }[]
  finish: string | null
  readonly logprobs: unknown[]
}

type Delta = Partial<OpenAI.ChatCompletionChunk.Choice.Delta> & { reasoning?: string; reasoning_content?: string }

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  kept: { checks: [{ max_words: { limit: 100000 } }], retries: 0 }
routes:
  - { model: plain, upstream: up }
  - { model: kept, upstream: up, contract: kept }
`
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tools = ['get_weather', 'ping_host'].map((name) => ({ type: 'function' as const, function: { name, parameters } }))
const cases: fc.Arbitrary<RelayCase> = fc.record({
  reply: replies,
  stream: fc.boolean(),
  framing: fc.constantFrom<Framing>(
    {},
    {},
    { lineEnd: '\r\n' },
    { comments: true },
    { tight: true },
    { splitEvery: 7 },
    { byteOrderMark: true },
  ),
})

/** Replies through the gateway against replies without it; another way to read them is for tests of the attack. */
export function relayAttack(change: (view: View) => View = (view) => view): Attack {
  return {
    name: 'relay',
    compares: 'what the OpenAI SDK reads through the gateway, with what it reads from the provider itself',
    async start() {
      const gateway = await startTestGateway({ yaml })
      return attackWith(
        cases,
        (one) => compare(one, gateway, change),
        () => gateway.close(),
      )
    },
  }
}

async function compare({ reply, stream, framing }: RelayCase, gateway: TestGateway, change: (view: View) => View): Promise<void> {
  const behaviour: Behaviour = stream ? answeringEvents(chunksOfReply(reply), { framing }) : answeringBody(bodyOfReply(reply))
  gateway.upstream.otherwise(behaviour)
  const direct = await read(`${gateway.upstream.url}/v1`, 'real-model', reply, stream)
  const isKept = reply.choices.every(({ refusal, finish, content, calls }) => {
    const isEmpty = content.join('').trim() === '' && calls.length === 0
    return refusal.length === 0 && !isEmpty && finish !== 'length' && finish !== 'content_filter'
  })
  for (const model of isKept ? ['plain', 'kept'] : ['plain'])
    same(`${model}, ${stream ? 'streamed' : 'whole'}`, change(await read(`${gateway.url}/v1`, model, reply, stream)), direct)
}

async function read(baseURL: string, model: string, { choices, usage }: Reply, stream: boolean): Promise<View> {
  const client = new OpenAI({ baseURL, apiKey: 'sk-none', maxRetries: 0 })
  const question = { model, n: choices.length, tools, messages: [{ role: 'user' as const, content: 'Tabs or spaces?' }] }
  if (!stream) return wholeView(await client.chat.completions.create(question))
  const includeUsage = usage === undefined ? {} : { stream_options: { include_usage: true } }
  const views: ChoiceView[] = []
  let used: unknown
  for await (const chunk of await client.chat.completions.create({ ...question, ...includeUsage, stream: true })) {
    used = chunk.usage ?? used
    // Probabilities of a stream are not yet passed on one for one.
    for (const choice of chunk.choices) take(viewAt(views, choice.index), { ...choice, logprobs: null })
  }
  return { choices: views, ...(used === undefined ? {} : { usage: used }) }
}

function wholeView({ choices, usage }: OpenAI.ChatCompletion): View {
  const views: ChoiceView[] = []
  for (const { index, message, finish_reason, logprobs } of choices) {
    const calls = message.tool_calls?.map((call, at) => ({ index: at, ...call }))
    take(viewAt(views, index), {
      delta: { ...message, ...(calls ? { tool_calls: calls } : {}) } as Delta,
      finish_reason,
      logprobs,
    })
  }
  return { choices: views, ...(usage === undefined ? {} : { usage }) }
}

function take(
  view: ChoiceView,
  choice: { delta: Delta; finish_reason: string | null; logprobs?: { content: unknown[] | null } | null },
): void {
  const { content, refusal, reasoning, reasoning_content, tool_calls = [] } = choice.delta
  view.content += content ?? ''
  view.refusal += refusal ?? ''
  view.reasoning += reasoning ?? reasoning_content ?? ''
  view.finish = choice.finish_reason ?? view.finish
  view.logprobs.push(...(choice.logprobs?.content ?? []))
  for (const { index, id = '', function: given } of tool_calls) {
    const call = view.calls[index] ?? { id: '', name: '', arguments: '' }
    view.calls[index] = call
    call.id += id
    call.name += given?.name ?? ''
    call.arguments += given?.arguments ?? ''
  }
}

function viewAt(views: ChoiceView[], index: number): ChoiceView {
  const view = views[index] ?? { content: '', refusal: '', reasoning: '', calls: [], finish: null, logprobs: [] }
  views[index] = view
  return view
}
