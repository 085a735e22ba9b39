import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { parserChecks } from './enforcement/parsing/parser-checks.ts'
import { nextParsing } from './enforcement/parsing/parsing.ts'
import { heldContracts } from './enforcement/preparing/held-contracts.ts'
import { nextRetrieving } from './enforcement/retrieving/retrieving.ts'
import { type Lasting, type Snapshot, type SnapshotPorts, takeSnapshot } from './snapshot.ts'

/** The snapshot that new requests begin with, and earlier ones that running requests still use. */
export class Snapshots {
  readonly #ports: SnapshotPorts
  /** Each with how to stop waiting for its requests. */
  readonly #retired = new Map<Snapshot, () => void>()
  #current: Snapshot
  #isClosed = false

  constructor(config: GatewayConfig, ports: SnapshotPorts) {
    this.#ports = ports
    this.#current = takeSnapshot(config, ports)
  }

  get current(): Snapshot {
    return this.#current
  }

  /** Reads files that the settings of the parser name; a service need not be there. */
  async open(): Promise<void> {
    const { parsing, parserChecks } = this.#current
    if (parserChecks.size > 0) await parsing.open()
  }

  /** What another configuration needs before it can be taken over; nothing when the gateway has been closed meanwhile. */
  async prepare(next: GatewayConfig): Promise<Lasting | undefined> {
    const before = this.#current
    const parsing = nextParsing(before.parsing, next.parser, this.#ports)
    // As at the start: files that are missing must not leave all code unchecked.
    if (parserChecks(heldContracts(next)).size > 0) await parsing.open()
    if (!this.#isClosed) return { parsing, retrieving: nextRetrieving(before.retrieving, next.retrieval, this.#ports) }
    await parsing.close()
    return undefined
  }

  /** Lets new requests begin with another configuration; what the one before has opened is closed when no request can use it any more. */
  replace(next: GatewayConfig, lasting: Lasting): void {
    const before = this.#current
    this.#current = takeSnapshot(next, this.#ports, lasting)
    // Requests that began with it may still ask again.
    const cancel = this.#ports.clock.after(before.config.server.deadlineMs, () => {
      this.#retired.delete(before)
      void this.#end([before])
    })
    before.judging.retire()
    before.ruling.retire()
    this.#retired.set(before, cancel)
  }

  /** Closes everything. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const cancel of this.#retired.values()) cancel()
    const all = [...this.#retired.keys(), this.#current]
    this.#retired.clear()
    await this.#end(all)
  }

  async #end(ended: readonly Snapshot[]): Promise<void> {
    const kept = this.#isClosed ? [] : [this.#current, ...this.#retired.keys()]
    // What a reload did not change outlives it.
    const parsers = new Set(ended.map(({ parsing }) => parsing).filter((one) => !kept.some(({ parsing }) => parsing === one)))
    const indexes = new Set(ended.map(({ retrieving }) => retrieving).filter((one) => !kept.some(({ retrieving }) => retrieving === one)))
    await Promise.all([
      ...ended.flatMap(({ judging, ruling, upstreams }) => [
        judging.close(),
        ruling.close(),
        ...[...upstreams.values()].map((one) => one.close().catch(() => {})),
      ]),
      ...[...parsers].map((parsing) => parsing.close()),
      ...[...indexes].map((retrieving) => retrieving?.close().catch(() => {})),
    ])
  }
}
