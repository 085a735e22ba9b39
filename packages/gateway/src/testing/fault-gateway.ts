import { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts'

const patient = 'timeouts: { firstByte: 60, idle: 60, total: 60 }'

/** Upstreams with and without patience and retries, and contracts for each way of enforcing; only `hasty`, `idle` and `total` have short limits. */
export const faultYaml = `
server: { port: 0, deadline: 60 }
log: { level: debug }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, ${patient} }
  - { name: again, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 2, ${patient} }
  - { name: second, kind: openai, baseUrl: $UP/second, apiKeyEnv: UP_KEY, retries: 0, ${patient} }
  - { name: hasty, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, timeouts: { firstByte: 0.2, idle: 60, total: 60 } }
  - { name: idle, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, timeouts: { firstByte: 60, idle: 0.3, total: 60 } }
  - { name: total, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, timeouts: { firstByte: 60, idle: 60, total: 0.2 } }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold }
  early: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold, stop: early }
  live: { checks: [{ max_words: { limit: 50 } }], retries: 2 }
  called: { checks: [tool_calls], retries: 1 }
  lenient: { checks: [{ max_words: { limit: 5 } }], retries: 1, mode: lenient }
  shadow: { checks: [{ max_words: { limit: 5 } }], retries: 1, mode: shadow }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: early, upstream: up, contract: early }
  - { model: brief-again, upstream: again, contract: brief }
  - { model: brief-hasty, upstream: hasty, contract: brief }
  - { model: brief-idle, upstream: idle, contract: brief }
  - { model: brief-total, upstream: total, contract: brief }
  - { model: brief-switched, upstream: hasty, fallback: [second], contract: brief }
  - { model: live, upstream: up, contract: live }
  - { model: live-again, upstream: again, contract: live }
  - { model: live-idle, upstream: idle, contract: live }
  - { model: called, upstream: up, contract: called }
  - { model: lenient, upstream: up, contract: lenient }
  - { model: shadow, upstream: up, contract: shadow }
  - { model: plain, upstream: up }
  - { model: plain-again, upstream: again }
  - { model: plain-hasty, upstream: hasty }
  - { model: plain-idle, upstream: idle }
  - { model: plain-total, upstream: total }
`

/** Starts a gateway for faults. */
export function startFaultGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return startTestGateway({ yaml: faultYaml, ...options })
}

/** Forgets the failures of the test before, so that they open no circuit. */
export function forgetFailures({ reload, config }: TestGateway): Promise<unknown> {
  return reload(config)
}

/** Waits until something holds; the time limit of the test ends what never does. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** The lines of the log about runs, parsed. */
export function runLines({ logLines }: TestGateway): Record<string, unknown>[] {
  return logLines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'run')
}

/** The run of a request as the store keeps it, once it is there. */
export async function keptRun({ get }: TestGateway, requestId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { items } = (await (await get('/api/v1/runs?limit=200')).json()) as { items: { id: string; requestId: string }[] }
    const found = items.find((run) => run.requestId === requestId)
    if (found !== undefined) return (await (await get(`/api/v1/runs/${found.id}`)).json()) as Record<string, unknown>
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The sum of a metric over all series that have the labels, written as `name="value"`. */
export async function sumOf({ get }: TestGateway, name: string, ...labels: readonly string[]): Promise<number> {
  const series = (await (await get('/metrics')).text()).split('\n').filter((line) => line.startsWith(`${name}{`))
  const lines = series.filter((line) => labels.every((label) => line.includes(label)))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
