import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { heldContracts } from './services/contracts/held-contracts.ts'
import { parserChecks } from './services/parsing/parser-checks.ts'
import { nextParsing } from './services/parsing/parsing.ts'
import { nextRetrieving } from './services/retrieving/retrieving.ts'
import { type Lasting, type Snapshot, type SnapshotPorts, takeSnapshot } from './snapshot.ts'

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
