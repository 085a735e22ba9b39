import { nodeNames } from '@stickler/ask/internal'
import type { NodeTrace } from '@stickler/ask/pipeline'
import type { FailureKind } from '@stickler/core'
import { engineCodes, relevanceStrategies, runStatuses } from '@stickler/core/internal'
import { type ParserState, parserStates } from '@stickler/core/internal/services'
import { catalogue } from '@stickler/presets'
import { Counter, collectDefaultMetrics, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import type { RequestCount, RequestOutcome } from '../../front/request-count.ts'
import { ownWays, type RunRecord } from '../../records/run/run-record.ts'
import { createInstruments } from './instruments.ts'
import type { MetricsSink } from './metrics-sink.ts'

/** What is read from other parts when metrics are rendered. */
interface Watched {
  /** Bytes of records not yet in the database. */
  readonly storeWaiting: () => number
  /** Batches that could not be written. */
  readonly storeFailures: () => number
  /** Records that were lost. */
  readonly storeLost: () => number
  /** 1 while no record can be saved. */
  readonly storeFailing: () => number
  /** Log lines that could not be written. */
  readonly logLost: () => number
  /** Answers waiting for a judging thread. */
  readonly judgingQueued: () => number
  readonly judgingThreads: () => number
  /** Finished checks and repairs in threads, by outcome. */
  readonly judgingEnded: () => Iterable<readonly [how: string, count: number]>
  /** 1 when the circuit to the parser is in this state. */
  readonly parserState: (state: ParserState) => number
}

/** What metrics are made with. */
interface MetricsOptions {
  readonly names: ConfiguredNames
  /** Whether memory, handles and garbage collection of the process are measured too. */
  readonly processMetrics?: boolean
}

/** The metrics of one process in a form that can be sent to another. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Counts in a separate registry, and renders it. */
export interface Metrics extends MetricsSink {
  readonly contentType: string
  /** The text that Prometheus reads; of this process only. */
  render(): Promise<string>
  /** The same as data, to be merged with those of other workers. */
  snapshot(): Promise<MetricsSnapshot>
  /** Reads a number of another part whenever metrics are rendered. */
  watch<Name extends keyof Watched>(name: Name, read: Watched[Name]): void
  /** Applies the names of a changed configuration. */
  configure(names: ConfiguredNames): void
}

/** Makes metrics whose label values come only from the configuration and the catalogue. */
export function createMetrics({ names, processMetrics = false }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const {
    requests,
    runs,
    attempts,
    retries,
    repairs,
    issues,
    unchecked,
    tokens,
    cost,
    shadows,
    shadowsDropped,
    upstreamFailures,
    parserCalls,
    parserChanges,
    parserTime,
    nodes,
    degradedNodes,
    relevance,
    nodeTime,
    runTime,
    firstText,
    upstreamTime,
  } = createInstruments(registry)

  let inFlight = 0
  const watched: Partial<Watched> = {}
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `stickler_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  const total = (name: string, help: string, read: () => number): void => {
    new Counter({
      name: `stickler_${name}`,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
  gauge('in_flight', 'Requests in progress.', () => inFlight)
  gauge('store_waiting_bytes', 'Bytes of records not yet in the database.', () => sound(watched.storeWaiting))
  total('store_failures_total', 'Batches of records that the database rejected; each is retried.', () => sound(watched.storeFailures))
  gauge('store_full', 'Whether records cannot be saved: the disk or the journal is full, or cannot be written.', () =>
    sound(watched.storeFailing),
  )
  total('store_lost_total', 'Records of runs and questions that were lost.', () => sound(watched.storeLost))
  total('log_lost_total', 'Log lines that could not be written.', () => sound(watched.logLost))
  gauge('judging_queue', 'Answers waiting for a judging thread.', () => sound(watched.judgingQueued))
  gauge('judging_threads', 'Judging threads.', () => sound(watched.judgingThreads))
  new Counter({
    name: 'stickler_judging_jobs_total',
    help: 'Checks and repairs in threads, by outcome.',
    labelNames: ['end'],
    registers,
    collect() {
      this.reset()
      for (const [end, count] of watched.judgingEnded?.() ?? []) this.inc({ end }, count)
    },
  })
  new Gauge({
    name: 'stickler_parser_circuit',
    help: 'Processes whose circuit to the parser service is in this state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of parserStates)
        this.set(
          { state },
          sound(() => watched.parserState?.(state) ?? 0),
        )
    },
  })
  if (processMetrics) collectDefaultMetrics({ register: registry })

  let labels: ClosedLabels = closedLabels(names)
  const countNode = ({ node, ms, degraded, relevance: judged }: NodeTrace): void => {
    const name = labels.node(node)
    nodes(name)(1)
    nodeTime(name)(ms)
    if (degraded !== undefined) degradedNodes(name)(1)
    if (judged !== undefined) relevance(labels.strategy(judged.strategy), judged.relevant ? 'relevant' : 'insufficient')(1)
  }
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    watch(name, read) {
      watched[name] = read
    },
    configure(changed) {
      labels = closedLabels(changed)
    },
    request({ api, status, contract, outcome }: RequestCount) {
      requests(labels.api(api), classOf(status), labels.contract(contract), outcome ?? outcomeOf(status))(1)
    },
    run(record: RunRecord) {
      const contract = labels.contract(record.contract)
      const model = labels.model(record.model)
      runs(contract, labels.status(record.status), model)(1)
      runTime(contract)(record.ms)
      firstText(contract)(record.firstTextMs)
      if (record.attempts.length > 0) attempts(contract, model)(record.attempts.length)
      if (record.attempts.length > 1) retries(contract)(record.attempts.length - 1)
      const upstream = upstreamTime(labels.upstream(record.upstream))
      for (const { ms } of record.attempts) upstream(ms)
      for (const { validator, code } of issuesOf(record)) issues(contract, labels.validator(validator), labels.code(code))(1)
      for (const { rule } of record.repairs) repairs(contract, labels.rule(rule))(1)
      for (const { validator } of record.unchecked) unchecked(contract, labels.validator(validator))(1)
      tokens(contract, 'prompt')(record.usage.promptTokens)
      tokens(contract, 'completion')(record.usage.completionTokens)
      if (record.usage.cost !== undefined) cost(contract)(record.usage.cost)
      const { failure } = record
      // A client that disconnects says nothing about the upstream.
      if (failure !== undefined && failure.kind !== 'aborted')
        upstreamFailures(labels.upstream(record.upstream), labels.kind(failure.kind))(1)
      // Choices of one request share their preparation.
      if (record.pipeline !== undefined && record.choice === 0) for (const node of record.pipeline) countNode(node)
    },
    shadow({ contract: shadow, status, liveStatus }, { contract }) {
      shadows(labels.contract(contract), labels.contract(shadow), labels.status(liveStatus), labels.status(status))(1)
    },
    shadowDropped(contract) {
      shadowsDropped(labels.contract(contract))(1)
    },
    parser(event) {
      if (event.type === 'circuit') return event.scope === undefined ? parserChanges(event.state)(1) : undefined
      parserCalls(event.result)(1)
      if (event.result !== 'open' && event.result !== 'disabled') parserTime(event.result)(event.ms)
    },
    inFlight(current) {
      inFlight = current
    },
  }
}

/** Without attempts an answer was given and not made; then repairs count too. */
function issuesOf({ attempts, issues, fixed }: RunRecord): RunRecord['issues'] {
  if (attempts.length === 0) return fixed.length === 0 ? issues : [...fixed, ...issues]
  return attempts.length === 1 && attempts[0] ? attempts[0].issues : attempts.flatMap((attempt) => attempt.issues)
}

function classOf(status: number): string {
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}

function outcomeOf(status: number): RequestOutcome {
  return status < 400 ? 'ok' : 'error'
}

function sound(read: (() => number) | undefined): number {
  const value = read?.() ?? 0
  return value >= 0 && Number.isFinite(value) ? value : 0
}

const kinds = [
  'aborted',
  'deadline',
  'timeout',
  'connection',
  'http',
  'protocol',
  'exit',
  'empty',
  'crash',
  'circuit_open',
] as const satisfies readonly (FailureKind | 'circuit_open')[]
/** The names under which the engine itself reports issues. */
const ofEngine = ['truncation', 'continuation']
/** Repair rules have no list; a plausible name is accepted until there are this many. */
const mostRules = 128

/** The names that a configuration has. */
interface ConfiguredNames {
  readonly contracts: Iterable<string>
  readonly models: Iterable<string>
  readonly upstreams: Iterable<string>
  /** Validators and codes of the contracts beyond the built-in ones. */
  readonly validators?: Iterable<string>
  readonly codes?: Iterable<string>
  /** The APIs that are served. */
  readonly apis?: Iterable<string>
}

/** Maps any word to a closed set: unknown ones become `other`, empty ones `none`. */
type Label = (word: string | undefined) => string

/** The values that labels may have. */
interface ClosedLabels {
  readonly contract: Label
  readonly model: Label
  readonly upstream: Label
  readonly api: Label
  readonly status: Label
  readonly kind: Label
  readonly validator: Label
  readonly code: Label
  readonly rule: Label
  readonly node: Label
  readonly strategy: Label
}

/** Makes the labels of a configuration; no client input can become a new value. */
function closedLabels({ contracts, models, upstreams, apis = [], validators = [], codes = [] }: ConfiguredNames): ClosedLabels {
  return {
    contract: among([...contracts, ...Object.keys(catalogue.presets).map((name) => `preset:${name}`)]),
    model: among(models),
    upstream: among(upstreams),
    api: among([...ownWays, ...apis]),
    status: among(runStatuses),
    kind: among(kinds),
    validator: among([...ofEngine, ...catalogue.validators.map(({ definition }) => definition.name), ...validators]),
    code: among([
      ...Object.keys(engineCodes),
      ...catalogue.validators.flatMap(({ definition }) => Object.keys(definition.codes)),
      ...codes,
    ]),
    rule: firstSeen(mostRules),
    node: among(nodeNames),
    strategy: among(relevanceStrategies),
  }
}

function among(words: Iterable<string>): Label {
  const known = new Set(words)
  return (word) => (word === undefined || word === '' ? 'none' : known.has(word) ? word : 'other')
}

function firstSeen(most: number): Label {
  const seen = new Set<string>()
  return (word) => {
    if (word === undefined || word === '') return 'none'
    if (seen.has(word)) return word
    if (seen.size >= most || !/^[a-z][a-z0-9_-]{0,63}$/.test(word)) return 'other'
    seen.add(word)
    return word
  }
}
