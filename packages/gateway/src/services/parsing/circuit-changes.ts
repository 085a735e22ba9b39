import type { BreakerState } from '@stickler/core/validators'
import type { Parsing } from './parsing.ts'

/** A change of the circuit to the parser. */
interface CircuitChange {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly state: BreakerState
}

/** What operators see of the parser. */
export interface ParserView {
  readonly kind: Parsing['settings']['kind']
  /** Where the service is. */
  readonly url?: string
  /** Of the circuit to the service, in the process that answers. */
  readonly state?: NonNullable<Parsing['state']>
  /** The newest first. */
  readonly changes: readonly CircuitChange[]
}

/** More changes are not shown. */
const mostChanges = 10

/** Keeps the newest changes of the circuit to each service: a configuration may name another one. */
export class CircuitChanges {
  readonly #newest = new Map<string, readonly CircuitChange[]>()

  add(change: CircuitChange, service = ''): void {
    this.#newest.set(service, [change, ...(this.#newest.get(service) ?? [])].slice(0, mostChanges))
  }

  /** What operators see of a parser, with the changes that are kept. */
  viewOf({ settings: { kind, service }, state }: Parsing): ParserView {
    const url = service === undefined ? {} : { url: service.url }
    return { kind, ...url, ...(state === undefined ? {} : { state }), changes: this.#newest.get(service?.url ?? '') ?? [] }
  }
}
