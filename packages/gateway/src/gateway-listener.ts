import type { IncomingMessage } from 'node:http'
import type { Mutable } from '@stickler/core/internal/relay'
import { liveKeyring } from './config/live/live-config.ts'
import { createClientAddress } from './front/access/client-address.ts'
import type { AnsweredRequest } from './front/dispatcher.ts'
import type { Exchange, Identity } from './front/exchange.ts'
import { createListeners } from './front/listeners.ts'
import type { Logger } from './front/log.ts'
import type { RequestCount } from './front/request-count.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { gatewayRoutes, type ListenerParts } from './gateway-routes.ts'
import type { MetricsSink } from './observe/metrics/metrics-sink.ts'
import { createTracing } from './observe/tracing/request-spans.ts'
import { patientKeeper } from './requests/conversation.ts'
import type { RouteDependencies } from './requests/request-ports.ts'
import type { AskTargets } from './routes/ask/ask-targets.ts'
import type { QuestionServer } from './routes/grpc/question-server.ts'

/** The listeners, over HTTP and over gRPC. */
interface GatewayListener {
  readonly url: string
  readonly adminUrl?: string
  readonly grpcUrl?: string
  /** Admits no requests from now on. */
  drain(): void
  close(graceMs: number): Promise<void>
}

/** Makes the listeners of a gateway, and listens. */
export async function openListener(opened: GatewayParts, parts: ListenerParts): Promise<GatewayListener> {
  const { live, logging, metrics, clock, newId, today } = opened
  const log = logging.logger
  const keys = liveKeyring(live, today)
  const dependencies = dependenciesOf(opened)
  const asking = askingOf(opened)
  let addressOf = createClientAddress([])
  live.follow((now) => {
    addressOf = createClientAddress(now.server.trustedProxies)
  })
  let grpcServer: QuestionServer | undefined
  const countInFlight = (): void => metrics.inFlight(server.inFlight + (grpcServer?.inFlight ?? 0))
  const names = new Map([['/ask', 'ask'], ['/v1/check', 'check'], ...parts.apis.map(({ path, name }): [string, string] => [path, name])])
  const ofClient = (request: IncomingMessage): string => addressOf(request)
  const count = requestListener({
    metrics,
    log,
    apiOf: (route) => (route.startsWith('/guardrails/') ? 'check' : names.get(route)),
    addressOf: ofClient,
  })
  const server = createListeners({
    server: live.current().server,
    keys,
    log,
    clock,
    newId,
    turn: opened.turn,
    addressOf: ofClient,
    answered(exchange, request) {
      count(exchange, request)
      countInFlight()
    },
    routes: gatewayRoutes({ ...parts, opened, dependencies, asking, draining: () => server.draining }),
  })
  live.follow((now) => server.configure(now.server))

  const { grpc } = live.current()
  // Before HTTP, which signals readiness. Most gateways need no gRPC, which is slow to load.
  if (grpc !== undefined) {
    const { openGrpcListener } = await import('./routes/grpc/grpc-listener.ts')
    const around = { keys, asking, dependencies, metrics, log, clock, newId, changed: countInFlight }
    grpcServer = await openGrpcListener(grpc, { ...around, server: () => live.current().server })
  }
  const addresses = await server.listen().catch(async (error: unknown) => {
    await grpcServer?.close(0)
    throw error
  })
  return {
    ...addresses,
    ...(grpcServer === undefined ? {} : { grpcUrl: grpcServer.url }),
    drain() {
      server.drain()
      grpcServer?.drain()
    },
    async close(graceMs) {
      await Promise.all([server.close(graceMs), grpcServer?.close(graceMs)])
    },
  }
}

/** The dependencies of the model routes. */
function dependenciesOf({
  snapshots,
  records,
  states,
  metrics,
  lines,
  budgets,
  shadows,
  upstreams,
  clock,
  newId,
  today,
}: GatewayParts): RouteDependencies {
  const { store, recorder } = records
  const nextId = runIds(newId)
  return {
    current: () => snapshots.current.routes,
    recorder,
    shadows,
    sessions: patientKeeper(store.sessions, clock),
    sessionState: (session, key, contract) => states.of(session, key, contract),
    mayServe: () => recorder.mayServe(),
    observe(record, exchange, outcome) {
      exchange.ending = { contract: record.contract, outcome }
      metrics.run(record)
      states.note(record)
      upstreams.run(record)
      lines.run(record)
    },
    attemptFailed: (attempt, run) => lines.attempt(attempt, run),
    trace: createTracing(today),
    clock,
    today,
    newRunId: () => nextId(today()),
    admit: (key, most) => budgets.admit(key, most),
    holdCall: (key, call, capUsd) => budgets.holdCall(key, call, capUsd),
  }
}

/** The current settings for questions; undefined when they are not configured. */
function askingOf({ snapshots, records }: GatewayParts): () => AskTargets | undefined {
  const { store, recorder } = records
  return () => {
    const { ask, use } = snapshots.current
    return ask && { ...ask, audit: (row) => recorder.audit({ ...row }), answers: store.cache, begin: use.begin }
  }
}

const width = 9

/** Makes names for runs: the time in milliseconds, then what is unique to this process, then a counter; later names sort behind. */
function runIds(random: () => string): (nowMs: number) => string {
  const process = random().replaceAll('-', '').slice(0, 12)
  let count = 0
  let lastMs = Number.NaN
  let start = ''
  return (nowMs) => {
    count = (count + 1) % 36 ** 5
    // Many runs share a millisecond, and it takes longer to write than the rest.
    if (nowMs !== lastMs) {
      lastMs = nowMs
      start = `run_${nowMs.toString(36).padStart(width, '0')}_${process}`
    }
    return `${start}${count.toString(36).padStart(5, '0')}`
  }
}

/** The dependencies of the request listener. */
interface RequestListenerParts {
  readonly metrics: Pick<MetricsSink, 'request'>
  readonly log: Logger
  /** The API that is served on a path. */
  apiOf(route: string): string | undefined
  /** The client's address, behind currently trusted proxies. */
  addressOf(request: IncomingMessage): string
}

/** Makes the listener that counts each finished request, and logs it if enabled. */
function requestListener({
  metrics,
  log,
  apiOf,
  addressOf,
}: RequestListenerParts): (exchange: Exchange, answered: AnsweredRequest) => void {
  return (exchange, { route, status, ms, aborted }) => {
    const count: Mutable<RequestCount> = { api: apiOf(route) ?? '', status }
    if (exchange.ending !== undefined) count.contract = exchange.ending.contract
    if (aborted) count.outcome = 'error'
    else if (exchange.ending !== undefined) count.outcome = exchange.ending.outcome
    metrics.request(count)
    if (!log.isLevelEnabled('debug')) return
    const event = aborted ? 'aborted' : 'answered'
    const client = addressOf(exchange.request)
    const about = { requestId: exchange.requestId, ...askerOf(exchange.identity), client }
    log.debug({ ...about, route, status, ms: Math.round(ms), event }, 'request')
  }
}

/**
 * The caller for log lines: the name of the key and its role, never the key; undefined until a key
 * was accepted.
 */
function askerOf({ key, role }: Identity): { readonly key?: string; readonly role?: string } {
  if (key !== '') return { key, role }
  return role === 'local' ? { role } : {}
}
