import type { Clock, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { targetOf, unenforcedContract } from './requests/build-target.ts'
import { findByModel, isPattern } from './requests/model-patterns.ts'
import { embedderOf, type Parts } from './requests/parts.ts'
import type { RouteSettings } from './requests/request-ports.ts'
import { askTargets, type ConfiguredAsk } from './routes/ask/ask-targets.ts'
import { heldContracts } from './services/contracts/pipeline-contracts.ts'
import { createJudging, type JudgingPorts } from './services/judging/judging.ts'
import { createParsing, nextParsing, type ParsingPorts, parserChecks } from './services/parsing/parsing.ts'
import { createRetrieving, nextRetrieving, type RetrievingPorts } from './services/retrieving/retrieving.ts'
import { createRuleClient, type RuleClientPorts } from './services/rules/rule-client.ts'
import { createConfigured } from './upstreams/create-upstream.ts'
import type { UpstreamPorts } from './upstreams/kinds/upstream-kind.ts'

/**
 * Everything that requests need of a configuration, built once; a request keeps the one it started
 * with.
 */
export interface Snapshot extends Parts {
  /** The requests that use it. */
  readonly use: SnapshotUse
  readonly routes: RouteSettings
  readonly ask: ConfiguredAsk | undefined
  /** The checks of each contract that need the parser. */
  readonly parserChecks: ReadonlyMap<string, ReadonlySet<string>>
  /** For answers that clients send to be checked. */
  readonly checking: { readonly executor: Executor; readonly trialExecutor: Executor; readonly ports: Ports }
}

/** What building a snapshot needs. */
interface SnapshotPorts
  extends UpstreamPorts,
    Omit<JudgingPorts, 'clock' | 'parser' | 'rules'>,
    ParsingPorts,
    RetrievingPorts,
    RuleClientPorts {
  readonly clock: Clock
}

/** What survives a reload that does not change it. */
type Lasting = Pick<Snapshot, 'parsing' | 'retrieving'>

/** Builds what requests need from a configuration, with the parser and the index that its settings name. */
export function takeSnapshot(config: GatewayConfig, ports: SnapshotPorts, lasting = createLasting(config, ports)): Snapshot {
  const { parsing } = lasting
  const { deadline: deadlineMs, heartbeat: heartbeatMs } = config.server
  const ruleClient = createRuleClient(config, ports)
  const parts: Parts = {
    config,
    ...lasting,
    upstreams: new Map(config.upstreams.map((upstream) => [upstream.name, createConfigured(upstream, ports)])),
    ruleClient,
    judging: createJudging(config.server, { ...ports, parser: parsing.port, rules: ruleClient.ports }),
    unenforced: unenforcedContract(deadlineMs),
    clock: ports.clock,
  }
  const use = new SnapshotUse()
  return {
    ...parts,
    use,
    parserChecks: parserChecks(heldContracts(config)),
    checking: {
      executor: parts.judging.executor({ parser: true }, true),
      trialExecutor: parts.judging.trialExecutor({ parser: true }, true),
      ports: { parser: parsing.port, ...parts.ruleClient.ports, ...embedderOf(parts) },
    },
    routes: {
      find: findByModel(config.routes.map((route) => [route.model, targetOf(route, parts)])),
      models: config.routes.map(({ model }) => model).filter((model) => !isPattern(model)),
      unenforced: parts.unenforced,
      keepText: config.store.keepText,
      heartbeatMs,
      begin: use.begin,
    },
    ask: askTargets(parts),
  }
}

function createLasting({ parser, retrieval }: GatewayConfig, ports: SnapshotPorts): Lasting {
  return { parsing: createParsing(parser, ports), retrieving: retrieval && createRetrieving(retrieval, ports) }
}

/** Counts the requests that use a snapshot. */
class SnapshotUse {
  #count = 0
  #idle: (() => void) | undefined

  /** Notes a request that uses it; the function returned is called when the request is over. */
  readonly begin = (): (() => void) => {
    let isOver = false
    this.#count++
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#count === 0) this.#idle?.()
    }
  }

  /** Calls back when no request uses it, at once where none does; no request begins to use it after that. */
  whenIdle(idle: () => void): void {
    this.#idle = idle
    if (this.#count === 0) idle()
  }
}

/** The snapshot for new requests, and earlier ones that running requests still use. */
export class Snapshots {
  readonly #ports: SnapshotPorts
  readonly #retired = new Set<Snapshot>()
  #current: Snapshot
  #isClosed = false

  constructor(config: GatewayConfig, ports: SnapshotPorts) {
    this.#ports = ports
    this.#current = takeSnapshot(config, ports)
  }

  get current(): Snapshot {
    return this.#current
  }

  /** Reads the files of the parser settings; a service need not be reachable. */
  async open(): Promise<void> {
    const { parsing, parserChecks } = this.#current
    if (parserChecks.size > 0) await parsing.open()
  }

  /**
   * What another configuration needs before it can be applied; undefined when the gateway was
   * closed meanwhile.
   */
  async prepare(next: GatewayConfig): Promise<Lasting | undefined> {
    const before = this.#current
    const parsing = nextParsing(before.parsing, next.parser, this.#ports)
    // As at startup: missing files must not leave all code unchecked.
    if (parserChecks(heldContracts(next)).size > 0) await parsing.open()
    if (!this.#isClosed) return { parsing, retrieving: nextRetrieving(before.retrieving, next.retrieval, this.#ports) }
    await parsing.close()
    return undefined
  }

  /**
   * Switches new requests to another configuration; the resources of the previous one are closed
   * when no request can use them any more.
   */
  replace(next: GatewayConfig, lasting: Lasting): void {
    const before = this.#current
    this.#current = takeSnapshot(next, this.#ports, lasting)
    this.#retired.add(before)
    before.judging.retire()
    before.ruleClient.retire()
    before.use.whenIdle(() => {
      if (this.#retired.delete(before)) void this.#end([before])
    })
  }

  /** Closes everything. */
  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#retired, this.#current]
    this.#retired.clear()
    await this.#end(all)
  }

  async #end(ended: readonly Snapshot[]): Promise<void> {
    const kept = this.#isClosed ? [] : [this.#current, ...this.#retired]
    // What a reload did not change stays open.
    const parsers = new Set(ended.map(({ parsing }) => parsing).filter((one) => !kept.some(({ parsing }) => parsing === one)))
    const indexes = new Set(ended.map(({ retrieving }) => retrieving).filter((one) => !kept.some(({ retrieving }) => retrieving === one)))
    await Promise.all([
      ...ended.flatMap(({ judging, ruleClient, upstreams }) => [
        judging.close(),
        ruleClient.close(),
        ...[...upstreams.values()].map((one) => one.close().catch(() => {})),
      ]),
      ...[...parsers].map((parsing) => parsing.close()),
      ...[...indexes].map((retrieving) => retrieving?.close().catch(() => {})),
    ])
  }
}
