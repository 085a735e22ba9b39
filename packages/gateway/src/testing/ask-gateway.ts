import { closedPort, type ProgrammableUpstream, type RecordedRequest } from './programmable-upstream.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

/** What a question brought. */
export interface AskedReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What the providers were asked for it. */
  readonly calls: readonly RecordedRequest[]
}

/** A gateway that answers questions. */
export interface AskGateway {
  readonly gateway: TestGateway
  readonly upstream: ProgrammableUpstream
  /** Asks the usual question, with these fields over it. */
  ask(body?: object, headers?: Readonly<Record<string, string>>): Promise<AskedReply>
  /** The rows of the audit, the last first. */
  audit(): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): Promise<void>
}

const upstreams = `
upstreams:
  - { name: first, kind: openai, baseUrl: $UP/v1, provider: openai, model: gpt-x, retries: 0, price: { prompt: 1, completion: 2 }, models: { gpt-y: { prompt: 10, completion: 20 } } }
  - { name: hasty, kind: openai, baseUrl: $UP/v1, provider: openai, model: gpt-x, retries: 0, timeouts: { firstByte: 0.3 } }
  - { name: second, kind: openai, baseUrl: $UP/backup/v1, provider: groq, model: llama-x, retries: 0 }
  - { name: small, kind: openai, baseUrl: $UP/small/v1, provider: ollama, model: tiny, retries: 0 }
  - { name: gone, kind: openai, baseUrl: $GONE, provider: together, model: none, retries: 0 }
contracts: { cited: { preset: reddb } }
routes: [{ model: cited, upstream: first, contract: cited }]
`

/** The question that is asked when a test does not care. */
export const usualQuestion = 'Which colour is grass?'

/** Its sources. */
export const usualSources: readonly { readonly urn: string; readonly payload: string }[] = [
  { urn: 'urn:doc:1', payload: 'Grass is <green> & "wet".' },
  { urn: 'urn:doc:2', payload: 'The sky is blue.' },
]

/** What else a gateway is started with. */
export interface AskGatewayOptions {
  /** More of its configuration. */
  readonly yaml?: string
  readonly env?: Readonly<Record<string, string>>
  /** What reading the audit needs. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Starts a gateway whose `ask` is this YAML; its upstreams are first, hasty, second, small (ollama) and gone. */
export async function startAskGateway(
  ask: string,
  { yaml = '', env = {}, headers: reading = {} }: AskGatewayOptions = {},
): Promise<AskGateway> {
  const gateway = await startTestGateway({ yaml: `${yaml}${upstreams.replace('$GONE', await closedPort())}ask: ${ask}`, env })
  const { upstream } = gateway
  return {
    gateway,
    upstream,
    async ask(body = {}, headers = {}) {
      const before = upstream.requests.length
      const response = await gateway.post('/ask', { question: usualQuestion, sources: usualSources, ...body }, headers)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, calls: upstream.requests.slice(before) }
    },
    async audit() {
      const { items } = (await (await gateway.get('/api/v1/audit?limit=200', reading)).json()) as {
        items: { row: Record<string, unknown> }[]
      }
      return items.map(({ row }) => row)
    },
    close: () => gateway.close(),
  }
}
