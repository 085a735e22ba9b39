import type { GatewayConfig } from '@stickler/gateway'
import { isLoopback } from '@stickler/gateway/internal'
import type { Cli } from '../cli.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { count, table } from '../terminal/text.ts'

/** What is announced when a gateway listens. */
interface Announcement {
  readonly url: string
  /** The address of the separate listener for operators, if any. */
  readonly adminUrl?: string | undefined
  /** The gRPC address, if enabled. */
  readonly grpcUrl?: string | undefined
  readonly config: GatewayConfig
  readonly isDemo: boolean
  /** Whether the demo sends requests of its own. */
  readonly isPlaying: boolean
  readonly json: boolean
}

/** Prints the address of the gateway, for people on stderr and for programs on stdout. */
export async function announce({ url, adminUrl, grpcUrl, config, isDemo, isPlaying, json }: Announcement, cli: Cli): Promise<void> {
  // A minute would hardly be seen in the usual period of a day.
  const dashboard = `${adminUrl ?? url}/${isPlaying ? '?range=15m' : ''}`
  const lines = [
    `stickler listens on ${url}`,
    ...table([...rowsOf(dashboard, grpcUrl, config), ...(isPlaying ? [trafficRow] : [])], '  '),
    ...(isDemo ? demoLines(url, config.server.keyCount + config.server.operatorKeyCount > 0) : []),
  ]
  for (const line of lines) cli.stderr.say(`${printable(line)}\n`)
  if (!json) return
  const others = { ...(adminUrl === undefined ? {} : { admin: adminUrl }), ...(grpcUrl === undefined ? {} : { grpc: grpcUrl }) }
  await cli.stdout.write(`${safeJson({ url, ...others, dashboard, pid: process.pid, workers: config.server.workers })}\n`)
}

/** An address with the actual port. */
export function urlOf(host: string, port: number, scheme = 'http'): string {
  const shown =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return `${scheme}://${shown}:${port}`
}

function rowsOf(dashboard: string, grpcUrl: string | undefined, { routes, server, store }: GatewayConfig): string[][] {
  const models = routes.map(({ model, contract, contracts = [contract], pipeline }) => {
    const kept =
      pipeline === undefined
        ? contract === undefined
          ? 'unenforced'
          : `${contracts.length > 1 ? 'contracts' : 'contract'} ${contracts.join(', ')}`
        : `pipeline ${pipeline}`
    return `${model} (${kept})`
  })
  const keys = server.keyCount + server.operatorKeyCount
  const open = isLoopback(server.host) ? 'none; only this machine can ask' : 'none; anyone who can reach this address can ask'
  return [
    ['dashboard', dashboard],
    ...(grpcUrl === undefined ? [] : [['gRPC', grpcUrl]]),
    ['models', models.slice(0, 8).join(', ') + (models.length > 8 ? `, and ${models.length - 8} more` : '')],
    ['keys', keys === 0 ? open : `${count(server.keyCount, 'client')}, ${count(server.operatorKeyCount, 'operator')}`],
    ['store', store.shown],
  ]
}

const trafficRow = [
  'traffic',
  'for a minute the demo sends requests of its own, so that the dashboard has something to show; --no-traffic sends none',
]

function demoLines(url: string, needsKey: boolean): string[] {
  const key = needsKey ? " -H 'authorization: Bearer YOUR-KEY'" : ''
  const ask = (model: string, question: string, fields: object = {}): string => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: question }], ...fields })
    return `  curl -si ${url}/v1/chat/completions -H 'content-type: application/json'${key} -d '${body}'`
  }
  return [
    'an answer that is repaired:',
    ask('demo-repair', 'How do I start?'),
    'an answer that is retried:',
    ask('demo-retry', 'Tabs or spaces?'),
    'an answer that never passes:',
    ask('demo-give-up', 'Tabs or spaces?'),
    'JSON for a program, without the prose and the fence around it:',
    ask('demo-json', 'Plan a trip.', { response_format: { type: 'json_object' } }),
    'code that does not parse, retried with the errors of the parser:',
    ask('demo-code', 'How do I hash a password?'),
    'an answer from documents, with checked citations:',
    ask('demo-docs', 'When is a stream stopped?'),
  ]
}
