import { type Clock, systemClock } from '@stickler/core'
import type { ParserEvent } from '@stickler/core/syntax'
import { circuitLines } from '@stickler/parser'
import type { DestinationStream } from 'pino'
import { apiRoutes } from './admin/api/api-routes.ts'
import type { ReadinessCheck } from './admin/api/health-routes.ts'
import { LiveFeed } from './admin/api/live-feed.ts'
import { withOpenApi } from './admin/openapi/openapi-route.ts'
import { pageRoutes } from './admin/page/page-routes.ts'
import type { AgentServer } from './apis/agent/agent-server.ts'
import { askPorts } from './apis/ask/ask-ports.ts'
import { askRoute } from './apis/ask/ask-route.ts'
import type { AskTargets } from './apis/ask/ask-settings.ts'
import { chat } from './apis/chat/chat.ts'
import type { RouteDependencies } from './apis/dependencies.ts'
import { messages, messagesProtocol } from './apis/messages/messages.ts'
import { modelRoute } from './apis/model-route.ts'
import { passingRoutes } from './apis/passing/passing-routes.ts'
import { responses } from './apis/responses/responses.ts'
import { createLiveConfig } from './config/live/live-config.ts'
import { contractNames } from './config/resolved/contract-names.ts'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { keepingOf } from './config/resolved/keeping-of.ts'
import { growingSecrets, secretsOf } from './config/resolved/secrets-of.ts'
import { KeyBudgets } from './enforcement/budgets/key-budgets.ts'
import { patientKeeper } from './enforcement/conversation.ts'
import { JudgingCounts } from './enforcement/judging/judging-counts.ts'
import { Turnstile } from './enforcement/judging/turnstile.ts'
import { namesOf } from './enforcement/names-of.ts'
import { CircuitChanges } from './enforcement/parsing/circuit-changes.ts'
import { parserChecks } from './enforcement/parsing/parser-checks.ts'
import { nextParsing } from './enforcement/parsing/parsing.ts'
import { heldContracts } from './enforcement/preparing/held-contracts.ts'
import { nextRetrieving } from './enforcement/retrieving/retrieving.ts'
import { SessionStates } from './enforcement/session-states.ts'
import { createClientAddress } from './front/access/client-address.ts'
import { checkExposure } from './front/access/hosts.ts'
import { createKeyring, type Keyring } from './front/access/keys.ts'
import { createListeners } from './front/listeners.ts'
import type { RequestCount } from './front/request-count.ts'
import type { Mutable } from './mutable.ts'
import { attemptLines } from './observe/logs/attempt-lines.ts'
import { createLogger } from './observe/logs/logger.ts'
import { parserLines } from './observe/logs/parser-lines.ts'
import { pipelineLines } from './observe/logs/pipeline-lines.ts'
import { apis } from './observe/metrics/metric-names.ts'
import { createMetrics, type MetricsSnapshot } from './observe/metrics/metrics.ts'
import type { OtherMetrics } from './observe/metrics/metrics-page.ts'
import { createTracing } from './observe/tracing/request-spans.ts'
import { liveMask } from './records/masking/live-mask.ts'
import { maskingRecorder } from './records/masking/masking-recorder.ts'
import { runIds } from './records/run/run-id.ts'
import type { AttemptRecord, RunRecord } from './records/run/run-record.ts'
import { servingRecorder } from './records/serving-recorder.ts'
import { openStore } from './records/store/open-store.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/** What a gateway is started with. */
export interface GatewayOptions {
  readonly config: GatewayConfig
  /** Where log lines go. */
  readonly log: DestinationStream
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** Makes unique names. */
  readonly random?: () => string
  /** Gives the metrics of other workers on the same port, which are shown together with its own. */
  readonly otherMetrics?: OtherMetrics
}

/** A gateway that listens. */
export interface Gateway {
  /** Where it can be reached. */
  readonly url: string
  /** Where operators reach it, when they have a listener of their own. */
  readonly adminUrl?: string
  /** Where questions are answered over gRPC, when they are. */
  readonly grpcUrl?: string
  /** Takes no new work from now on. */
  drain(): void
  /** Ends: what runs has `graceMs` to finish; everything recorded is written. */
  close(graceMs?: number): Promise<void>
  /** Takes over another configuration, one at a time; requests that run keep the one they began with. Resolves to the keys that wait for a restart; rejects a bad one, which changes nothing. */
  reload(config: GatewayConfig): Promise<readonly string[]>
  /** Writes the log lines that still wait for others. */
  flushLog(): void
  /** Its own metrics, for other workers to show. */
  metrics(): Promise<MetricsSnapshot>
}

const purgeEveryMs = 3_600_000

/** Starts a gateway: opens the store, listens, and answers until it is closed. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, clock = systemClock, today = Date.now, random = () => crypto.randomUUID() } = options
  const secrets = growingSecrets()
  secrets.add(secretsOf(config))
  const logging = createLogger({ level: config.log.level, destination: options.log, secrets: secrets.current })
  const log = logging.logger
  const live = createLiveConfig(config)
  live.follow(({ log: { level } }) => {
    log.level = level
  })
  const store = await openStore({
    url: config.store.url,
    folder: config.store.folder,
    ...keepingOf(config),
    isName: contractNames(() => live.current().contracts),
    endsSession: (contract, step) => live.current().contracts.get(contract)?.declared?.step?.last.includes(step) === true,
    now: today,
    onAlert: (alert) => log.error({ event: 'store', kind: alert.kind }, alert.message),
  })
  live.follow((now) => store.configure(keepingOf(now)))
  const metrics = createMetrics({ names: namesOf(config), processMetrics: true })
  metrics.watch('logLost', logging.lost)
  metrics.watch('storeWaiting', () => store.waitingBytes)
  metrics.watch('storeFailures', () => store.counters.failures)
  metrics.watch('storeLost', () => store.counters.rejected + store.counters.dropped)
  metrics.watch('storeFailing', () => (store.failing ? 1 : 0))
  const counts = new JudgingCounts()
  metrics.watch('judgingQueued', () => counts.queued)
  metrics.watch('judgingThreads', () => counts.threads)
  metrics.watch('judgingEnded', () => counts.ends())
  const turnstile = new Turnstile()
  const changes = new CircuitChanges()
  const ports = {
    clock,
    today,
    counts,
    turnstile,
    turn: turnstile.pass,
    onParser: (event: ParserEvent) => {
      metrics.parser(event)
      if (event.type !== 'circuit') return
      changes.add({ at: today(), state: event.state })
      log[event.state === 'open' ? 'warn' : 'info']({ event: 'parser', status: event.state }, circuitLines[event.state])
    },
    onBreaker: (upstream: string, state: string) => log.warn({ upstream, status: state }, 'circuit breaker'),
  }
  let snapshot: Snapshot = takeSnapshot(config, ports)
  metrics.watch('parserState', (state) => (snapshot.parsing.state === state ? 1 : 0))
  const tellParser = (record: RunRecord): void => {
    for (const line of parserLines(record, snapshot.parserChecks))
      log.warn({ event: 'parser', requestId: record.requestId, run: record.id }, line)
  }
  let configuredAt = today()
  let isClosed = false
  let keyring = keyringOf(config, today)
  /** Snapshots that requests may still use, each with how to stop waiting for them. */
  const retired = new Map<Snapshot, () => void>()
  const feed = new LiveFeed({ queries: store, clock, log })

  const nextId = runIds(random)
  const reserved = new Map<string, number>()
  const budgets = new KeyBudgets({
    ledger: store.budgets,
    clock,
    today,
    newId: random,
    limits: () => live.current().server.perKey,
    deadlineMs: () => live.current().server.deadlineMs,
  })

  const recorder = servingRecorder(maskingRecorder(store.recorder, secrets.current), {
    onFull: () => live.current().store.onFull,
    clock,
    tell: (error) => log.error({ event: 'store', err: error }, 'a run could not be recorded'),
  })
  const mask = liveMask(secrets.current)
  const tellProcess = ({ number, resumption, stderr }: AttemptRecord, { requestId, id, upstream }: RunRecord): void => {
    if (resumption === undefined && stderr === undefined) return
    const about = { requestId, run: id, upstream, attempt: number }
    if (resumption === 'forgotten') log.warn({ ...about, event: 'session' }, 'the session to resume was gone; the transcript was sent')
    // Masked before the log cuts its lines, so that every secret is whole.
    if (stderr !== undefined) log.warn({ ...about, event: 'stderr', stderr: mask(stderr).split(/\r?\n/).slice(-16) }, 'error stream')
  }
  const states = new SessionStates({
    read: (session, owner) => store.sessionSteps(session, owner),
    clock,
    tell: (error) => log.warn({ event: 'session', err: error }, 'the state of a session could not be read'),
  })
  const dependencies: RouteDependencies = {
    current: () => snapshot.routes,
    recorder,
    sessions: patientKeeper(store.sessions, clock),
    sessionState: (session, key, contract) => states.of(session, key, contract),
    mayServe: () => recorder.mayServe(),
    observe(record, exchange, outcome) {
      metrics.run(record)
      states.note(record)
      const { requestId, api, contract, model, upstream, status, ms, attempts, stream, failure, usage } = record
      exchange.ending = { contract, outcome }
      // A client that leaves says nothing about the upstream.
      if (failure !== undefined && failure.kind !== 'aborted') metrics.upstreamFailure(upstream, failure.kind)
      const known = {
        requestId,
        run: record.id,
        api,
        contract,
        model,
        upstream,
        verdict: status,
        ms: Math.round(ms),
        attempts: attempts.length,
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        stream,
      }
      log.info(failure === undefined ? known : { ...known, kind: failure.kind }, 'run')
      for (const { level, fields, message } of attemptLines(record)) log[level](fields, message)
      for (const attempt of attempts) tellProcess(attempt, record)
      tellParser(record)
      for (const { level, fields, message } of pipelineLines(record))
        log[level]({ ...fields, event: 'pipeline', requestId, run: record.id }, message)
    },
    trace: createTracing(today),
    clock,
    today,
    newRunId: () => nextId(today()),
    admit: (key, most) => budgets.admit(key, most),
  }
  const asking = (): AskTargets | undefined =>
    snapshot.ask === undefined ? undefined : { ...snapshot.ask, ...askPorts(store, recorder), reserved, clock, today }
  const keys: Keyring = {
    get size() {
      return keyring.size
    },
    identify: (key) => keyring.identify(key),
  }
  let agent: AgentServer | undefined
  const tellInFlight = (): void => metrics.inFlight(server.inFlight + (agent?.inFlight ?? 0))
  let addressOf = createClientAddress([])
  live.follow(({ server: { trustedProxies } }) => {
    addressOf = createClientAddress(trustedProxies)
  })
  const server = createListeners({
    server: config.server,
    keys,
    log,
    clock,
    newId: random,
    answered: (exchange, { route, status, ms, aborted }) => {
      const count: Mutable<RequestCount> = { api: apis.get(route) ?? '', status }
      if (exchange.ending !== undefined) count.contract = exchange.ending.contract
      if (aborted) count.outcome = 'error'
      else if (exchange.ending !== undefined) count.outcome = exchange.ending.outcome
      metrics.request(count)
      tellInFlight()
      if (!log.isLevelEnabled('debug')) return
      const event = aborted ? 'aborted' : 'answered'
      const client = addressOf(exchange.request)
      log.debug({ requestId: exchange.requestId, client, route, status, ms: Math.round(ms), event }, 'request')
    },
    routes: withOpenApi([
      modelRoute('/v1/chat/completions', chat, dependencies),
      modelRoute('/v1/responses', responses, dependencies),
      modelRoute('/v1/messages', messages, dependencies, messagesProtocol({ native: true })),
      ...passingRoutes(dependencies),
      askRoute(dependencies, asking),
      ...pageRoutes(),
      ...apiRoutes({
        store,
        recorder,
        feed,
        metrics,
        otherMetrics: options.otherMetrics,
        clock,
        today,
        newRunId: dependencies.newRunId,
        draining: () => server.draining,
        models: () => snapshot.routes.models,
        contracts: () => live.current().contracts,
        executor: () => snapshot.checking.executor,
        ports: () => snapshot.checking.ports,
        tell: tellParser,
        extras: () => extrasOf(snapshot),
        parser: () => (snapshot.parserChecks.size === 0 ? undefined : changes.viewOf(snapshot.parsing)),
        configuredAt: () => configuredAt,
        hasMetrics: () => live.current().metrics.enabled,
      }),
    ]),
  })
  live.follow((now) => server.configure(now.server))
  live.follow((now) => metrics.configure(namesOf(now)))
  const listen = async () => {
    // Files that the settings name are read now; a service need not be there.
    if (snapshot.parserChecks.size > 0) await snapshot.parsing.open()
    // Before HTTP, by which others know that the gateway is ready. Most gateways need no gRPC, which takes its time to load.
    if (config.grpc !== undefined) {
      const { openGatewayAgent } = await import('./apis/agent/gateway-agent.ts')
      const parts = {
        server: () => live.current().server,
        keys,
        asking,
        dependencies,
        metrics,
        changed: tellInFlight,
        log,
        clock,
        newId: random,
      }
      agent = await openGatewayAgent(config.grpc, parts)
    }
    const addresses = await server.listen()
    return agent === undefined ? addresses : { ...addresses, grpcUrl: agent.url }
  }
  const addresses = await listen().catch(async (error: unknown) => {
    await Promise.all([agent?.close(0), store.close(0), closeAll(snapshot), snapshot.parsing.close()])
    throw error
  })
  const purge = (): void => void store.purge().catch((error: unknown) => log.warn({ err: error }, 'old runs could not be deleted'))
  // At the start too: a gateway that never runs for an hour would keep everything.
  purge()
  const purging = setInterval(purge, purgeEveryMs)
  purging.unref()

  return {
    ...addresses,
    drain() {
      server.drain()
      agent?.drain()
      feed.close()
    },
    async reload(written) {
      const before = snapshot
      const { config: next, restart } = live.plan(written)
      const keys = keyringOf(next, today)
      for (const { host } of [next.server, next.server.admin ?? next.server, next.grpc ?? next.server]) checkExposure(host, keys.size > 0)
      const parsing = nextParsing(before.parsing, next.parser, ports)
      // As at the start: files that are missing must not leave all code unchecked.
      if (parserChecks(heldContracts(next)).size > 0) await parsing.open()
      if (isClosed) {
        await parsing.close()
        return restart
      }
      const retrieving = nextRetrieving(before.retrieving, next.retrieval, ports)
      // Before anything can be sent with them.
      secrets.add(secretsOf(next))
      snapshot = takeSnapshot(next, ports, { parsing, retrieving })
      keyring = keys
      live.replace(next)
      // Whoever listens comes back with a key that is still known, or not at all.
      if (next.server.keys !== before.config.server.keys || next.server.operatorKeys !== before.config.server.operatorKeys) feed.close()
      configuredAt = today()
      // Requests that began with it may still ask again.
      const cancel = clock.after(before.config.server.deadlineMs, () => {
        retired.delete(before)
        void closeAll(before)
        // What a reload does not change outlives it.
        const inUse = [snapshot, ...retired.keys()]
        if (!inUse.some(({ parsing }) => parsing === before.parsing)) void before.parsing.close()
        if (!inUse.some(({ retrieving }) => retrieving === before.retrieving)) void before.retrieving?.close().catch(() => {})
      })
      before.judging.retire()
      retired.set(before, cancel)
      return restart
    },
    flushLog: () => logging.flush(),
    metrics: () => metrics.snapshot(),
    async close(graceMs = live.current().server.shutdownGraceMs) {
      isClosed = true
      clearInterval(purging)
      feed.close()
      await Promise.all([server.close(graceMs), agent?.close(graceMs)])
      for (const cancel of retired.values()) cancel()
      const all = [...retired.keys(), snapshot]
      const parsers = new Set(all.map(({ parsing }) => parsing))
      const indexes = new Set(all.map(({ retrieving }) => retrieving))
      await Promise.all([
        ...all.map(closeAll),
        ...[...parsers].map((parsing) => parsing.close()),
        ...[...indexes].map((retrieving) => retrieving?.close().catch(() => {})),
      ])
      await budgets.close()
      await store.close()
      logging.flush()
    },
  }
}

async function closeAll({ upstreams, judging }: Snapshot): Promise<void> {
  await Promise.all([judging.close(), ...[...upstreams.values()].map((upstream) => upstream.close().catch(() => {}))])
}

/** What makes the gateway degraded when it is not well: nobody waits for a parser that no contract needs, or that is switched off. */
function extrasOf({ parsing, parserChecks, retrieving }: Snapshot): Readonly<Record<string, ReadinessCheck>> {
  return {
    ...(parserChecks.size === 0 || parsing.settings.kind === 'disabled' ? {} : { parser: () => parsing.ready() }),
    ...(retrieving === undefined ? {} : { retrieval: () => retrieving.ready() }),
  }
}

function keyringOf({ server: { keys, operatorKeys } }: GatewayConfig, today: () => number): Keyring {
  return createKeyring({ clients: keys, operators: operatorKeys }, today)
}
