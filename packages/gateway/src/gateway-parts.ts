import type { Clock } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { type Api, apis } from '@stickler/core/internal/apis'
import { createLiveConfig, type LiveConfig } from './config/live/live-config.ts'
import { contractNames } from './config/resolved/contract-names.ts'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { growingSecrets, secretsOf } from './config/resolved/secrets-of.ts'
import { usualAuditDays } from './config/schema/ask-schema.ts'
import type { LogDestination } from './front/log.ts'
import { createLogger, type Logging } from './observe/logs/logger.ts'
import { RunListener } from './observe/logs/run-listener.ts'
import { createMetrics, type Metrics } from './observe/metrics/metrics.ts'
import type { OtherMetrics } from './observe/metrics/metrics-page.ts'
import { watchParts } from './observe/metrics/watch-parts.ts'
import { circuitListener, ruleListener, upstreamListener } from './observe/service-listeners.ts'
import { UpstreamWatch } from './observe/upstream-watch.ts'
import { liveMask } from './records/masking/redact.ts'
import { openRecords, type Records } from './records/open-records.ts'
import type { StoreKeeping } from './records/store/store-options.ts'
import { KeyBudgets } from './requests/budgets/key-budgets.ts'
import { namesOf } from './requests/metric-names.ts'
import { SessionStates } from './requests/session-states.ts'
import { ShadowQueue } from './requests/shadow/shadow-queue.ts'
import { JudgingCounts } from './services/judging/judging-counts.ts'
import { TurnQueue } from './services/judging/turn-queue.ts'
import { CircuitChanges } from './services/parsing/circuit-changes.ts'
import { Snapshots } from './snapshot.ts'

/** The dependencies of a gateway. */
export interface GatewayOptions {
  readonly config: GatewayConfig
  /** Where log lines go. */
  readonly log: LogDestination
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** Makes unique names. */
  readonly random?: () => string
  /**
   * Returns the metrics of other workers on the same port, which are shown together with its own.
   */
  readonly otherMetrics?: OtherMetrics
  /** The APIs of models; those of this package when absent. */
  readonly apis?: readonly Api[]
}

/** The parts of a gateway, opened and connected; it does not accept requests yet. */
export interface GatewayParts {
  readonly clock: Clock
  today(): number
  newId(): string
  /** The configuration in effect. */
  readonly live: LiveConfig
  /** Everything that must never be repeated. */
  readonly secrets: ReturnType<typeof growingSecrets>
  readonly logging: Logging
  readonly metrics: Metrics
  /** Writes the log lines about runs. */
  readonly lines: RunListener
  readonly records: Records
  /** The current snapshot of the configuration for requests. */
  readonly snapshots: Snapshots
  readonly changes: CircuitChanges
  /** Watches upstreams for operators. */
  readonly upstreams: UpstreamWatch
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly budgets: KeyBudgets
  /** Answers that shadow contracts judge. */
  readonly shadows: ShadowQueue
  readonly states: SessionStates
  /** Settles when a large piece of work of a caller may run. */
  readonly turn: TurnQueue['pass']
}

/**
 * Opens every part of the gateway except the server: configuration, listeners, records,
 * services.
 */
export async function openParts({ config, log: destination, ...options }: GatewayOptions): Promise<GatewayParts> {
  const { clock = systemClock, today = Date.now, random: newId = () => crypto.randomUUID() } = options

  const live = createLiveConfig(config)
  const secrets = growingSecrets()
  live.follow((now) => secrets.add(secretsOf(now)))

  const logging = createLogger({ level: config.log.level, destination, secrets: secrets.current })
  const { logger: log } = logging
  live.follow((now) => {
    log.level = now.log.level
  })
  const names = (now: GatewayConfig) => ({ ...namesOf(now), apis: (options.apis ?? apis).map(({ name }) => name) })
  const metrics = createMetrics({ names: names(config), processMetrics: true })
  live.follow((now) => metrics.configure(names(now)))

  const records = await openRecords({
    url: config.store.url,
    folder: config.store.folder,
    ...keepingOf(config),
    isName: contractNames(() => live.current().contracts),
    endsSession: (contract, step) => live.current().contracts.get(contract)?.declared?.step?.last.includes(step) === true,
    onFull: () => live.current().store.onFull,
    now: today,
    secrets: secrets.current,
    clock,
    log,
  })
  const { store } = records
  // At startup too: a gateway that never runs for an hour would keep everything.
  live.follow((now) => records.configure(keepingOf(now)))

  const counts = new JudgingCounts()
  const turnQueue = new TurnQueue()
  const changes = new CircuitChanges()
  const upstreams = new UpstreamWatch(today)
  const logFailure = upstreamListener(log, () => live.current().store.keepText)
  const snapshots = new Snapshots(config, {
    clock,
    today,
    counts,
    turnQueue,
    turn: turnQueue.pass,
    onParser: circuitListener({ metrics, log, changed: (state, service) => changes.add({ at: today(), state }, service) }),
    onRule: ruleListener(log, () => live.current().store.keepText),
    onBreaker: (upstream, state) => {
      upstreams.changed(upstream, state)
      log.warn({ upstream, status: state }, 'circuit breaker')
    },
    onFailure: (upstream, failure) => {
      upstreams.failed(upstream, failure)
      logFailure(upstream, failure)
    },
  })
  watchParts(metrics, { store, counts, logLost: logging.lost, parserState: () => snapshots.current.parsing.state })

  const lines = new RunListener({ log, mask: liveMask(secrets.current), parserChecks: () => snapshots.current.parserChecks })
  const { budgets: ledger } = store
  const limits = () => live.current().server.perKey
  const deadlineMs = () => live.current().server.deadline
  const tell = (error: unknown) => log.warn({ event: 'session', err: error }, "a session's state could not be read")
  return {
    clock,
    today,
    newId,
    live,
    secrets,
    logging,
    metrics,
    lines,
    records,
    snapshots,
    changes,
    upstreams,
    startedAt: today(),
    budgets: new KeyBudgets({ ledger, clock, today, newId, limits, deadlineMs }),
    shadows: new ShadowQueue({
      clock,
      keep: (record) => store.recorder.shadow(record),
      judged(verdict, record) {
        metrics.shadow(verdict, record)
        lines.shadow(verdict, record)
      },
      dropped: (contract) => metrics.shadowDropped(contract),
    }),
    states: new SessionStates({ read: (session, owner) => store.sessionSteps(session, owner), clock, tell }),
    turn: turnQueue.pass,
  }
}

/** What the store keeps under a configuration, and for how long. */
function keepingOf({ store, ask }: GatewayConfig): StoreKeeping {
  return {
    keepText: store.keepText,
    keepAuditText: ask?.audit.answer === true || ask?.audit.question === true,
    retentionDays: store.retentionDays,
    // Also for questions from before `ask` was removed from the configuration.
    auditRetentionDays: ask?.audit.retentionDays ?? usualAuditDays,
    ...(ask === undefined ? {} : { cacheEntries: ask.cache.maxEntries }),
  }
}
