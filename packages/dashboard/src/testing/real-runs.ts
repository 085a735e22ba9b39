import type { Behaviour } from '../../../gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../../gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../../gateway/src/testing/test-gateway.ts'
import type { Page, RunRow } from '../api/types.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  support:
    checks:
      - sensitive: { redact: true }
      - links: {}
      - boilerplate: { remove: true }
      - step_marker
    allow: [lossless, lossy]
    retries: 1
  invoice:
    checks:
      - json: { schema: { type: object, properties: { total: { type: number }, currency: { enum: [EUR, USD] } }, required: [total, currency] } }
    allow: [lossless]
    retries: 2
  brief: { checks: [{ max_words: { limit: 12 } }], retries: 1 }
  streamed: { checks: [{ max_words: { limit: 60 } }, links], allow: [lossless, lossy], retries: 1 }
  calling: { checks: [tool_calls], allow: [lossless], retries: 1 }
  shadowed: { checks: [{ max_words: { limit: 3 } }], mode: shadow }
routes:
  - { model: support, upstream: up, contract: support }
  - { model: invoice, upstream: up, contract: invoice }
  - { model: brief, upstream: up, contract: brief }
  - { model: streamed, upstream: up, contract: streamed }
  - { model: calling, upstream: up, contract: calling }
  - { model: shadowed, upstream: up, contract: shadowed }
`

/** Runs of a real gateway, by what they show. */
type RealRuns = Readonly<Record<'repaired' | 'retried' | 'unresolved' | 'streamed' | 'shadowed' | 'failed' | 'called', string>>

/** A gateway with one run of each kind. */
export interface RealGateway {
  readonly gateway: TestGateway
  readonly runs: RealRuns
}

const parameters = { type: 'object', properties: { count: { type: 'integer' }, host: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'ping', parameters } }]

const support =
  'Sure, here is the answer:\n\nYour refund is on its way, Jane. 😀 We wrote to jane.doe@acme.com and billing@acme.com on Monday.\r\nMore in [the help centre](javascript:alert(1)) or [the shop](https://shop.example).\n\nIs there anything else?'

/** Starts a gateway and sends a request of each kind to it. */
export async function startRealRuns({ keepText = true }: { readonly keepText?: boolean } = {}): Promise<RealGateway> {
  const kept = keepText ? '' : 'store: { url: "sqlite::memory:", keepText: false }\n'
  const gateway = await startTestGateway({ yaml: kept + yaml })
  const ask = async (model: string, question: string, ...answers: readonly Behaviour[]): Promise<void> => {
    gateway.upstream.enqueue(...answers)
    const messages = [
      { role: 'system', content: 'You are the help desk of a shop. Be brief.' },
      { role: 'user', content: question },
    ]
    const response = await gateway.post('/v1/chat/completions', {
      ...{ model, messages, stream: model === 'streamed' },
      ...(model === 'calling' ? { tools } : {}),
    })
    await response.text()
  }
  const wrong = '{"total": "12.50", "currency": "Euro",}'
  const streamed = 'Refunds take [five days](https://shop.example/refunds). They are paid to the [account](javascript:x) that was used.'
  await ask('support', 'Where is my refund?', answering(support))
  await ask('invoice', 'Extract the invoice: Acme, 12.50 euros.', answering(wrong), answering("{'total': 12.5, 'currency': 'EUR'}"))
  await ask(
    'brief',
    'Explain the refund policy.',
    answering('Refunds are paid within five working days to the account that was used for the order.'),
    answering('Refunds are paid within six working days to the account that was used for the order, as always.'),
  )
  await ask('streamed', 'Write about refunds.', answering(streamed, { delayMs: 15 }))
  await ask('shadowed', 'And now?', answering('Now we wait for the bank.'))
  const toolCalls = [{ id: 'c', name: 'ping', arguments: '{"count": "3", "host": "gw"}' }]
  await ask('calling', 'Ping it three times.', answering('', { toolCalls }))
  await ask('brief', 'Fail, please.', answeringBody({ error: { message: 'overloaded' } }, { status: 500 }))
  const names = ['failed', 'called', 'shadowed', 'streamed', 'unresolved', 'retried', 'repaired'] as const
  // Rows are written a moment after the reply.
  for (;;) {
    const { items } = (await (await gateway.get('/api/v1/runs')).json()) as Page<RunRow>
    if (items.length === names.length)
      return { gateway, runs: Object.fromEntries(names.map((name, at) => [name, items[at]?.id ?? ''])) as RealRuns }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
