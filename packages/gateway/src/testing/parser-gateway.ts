import { answering } from './programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

/** A gateway whose contract `code` checks JSON, and delivers what has no verdict; `strict` withholds it. */
export function startParserGateway(parser: string, server = '{ port: 0 }'): Promise<TestGateway> {
  return startTestGateway({
    behaviour: answering(sound),
    yaml: `
server: ${server}
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, timeouts: { firstByte: 60, idle: 60, total: 60 } }
contracts:
  code: { checks: [{ code_syntax: { languages: [json, scripted] } }], retries: 0, timeoutMs: 60000, unchecked: deliver }
  strict: { checks: [{ code_syntax: { languages: [json, scripted] } }], retries: 0, timeoutMs: 60000 }
  brief: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
routes:
  - { model: code, upstream: up, contract: code }
  - { model: strict, upstream: up, contract: strict }
  - { model: brief, upstream: up, contract: brief }
parser: ${parser}
`,
  })
}

/** A block of code in an answer. */
export function codeBlock(source: string, language = 'json'): string {
  return `Here it is:\n\n\`\`\`${language}\n${source}\n\`\`\`\n`
}

/** An answer with sound code. */
export const sound = codeBlock('{"a": 1}')

/** An answer with broken code. */
export const broken = codeBlock('{"a": }')

/** What the log says of the parser, in its order. */
export function parserLog({ logLines }: TestGateway): string[] {
  return logLines
    .map((line) => JSON.parse(line) as { readonly event?: string; readonly msg: string })
    .filter(({ event }) => event === 'parser')
    .map(({ msg }) => msg)
}

/** The log lines of the circuit and of responses without a verdict, as they are agreed. */
export const lines = {
  open: '[ptvl] circuit OPEN — skipping parser, returning unvalidated',
  halfOpen: '[ptvl] circuit HALF-OPEN — probing parser availability',
  closed: '[ptvl] circuit CLOSED — parser reachable',
  unvalidated: '[ptvl] parser unavailable — returning unvalidated',
} as const

/** What the probe for readiness says. */
export async function readiness({ get }: TestGateway): Promise<readonly [number, unknown]> {
  const response = await get('/readyz')
  return [response.status, await response.json()]
}
