import type { Clock } from '@stickler/core'
import type { Gateway, GatewayConfig, GatewayOptions, IndexProbe, RuleProbe } from '@stickler/gateway'
import type { WorkerPort } from './workers.ts'

/** What a probe found. */
export type Probe = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** The probe of one upstream. */
export interface UpstreamProbe {
  readonly name: string
  readonly result: Promise<Probe>
}

/** The parts of the gateway and of the machine that `serve` and `doctor` use, passed in so that tests can do without. */
export interface Doors {
  startGateway(options: GatewayOptions): Promise<Gateway>
  /** Asks every upstream whether it is there, all at a time. */
  probeUpstreams(config: GatewayConfig, signal: AbortSignal): Promise<readonly UpstreamProbe[]>
  /** Asks the parser whether it is there; nothing when no contract needs it. */
  probeParser(config: GatewayConfig, signal: AbortSignal): Promise<Probe | undefined>
  /** Reads the files that the settings of the parser name; rejects when one is wrong. */
  checkParserFiles(config: GatewayConfig): Promise<void>
  /** Reads the certificate of gRPC and its key; rejects when they are wrong. */
  checkGrpcFiles(config: GatewayConfig): Promise<void>
  /** Asks the index what it holds; nothing when none is configured. */
  probeIndex(config: GatewayConfig, signal: AbortSignal): Promise<IndexProbe | undefined>
  /** Asks every rule outside of the gateway whether it is there, all at a time. */
  probeRules(config: GatewayConfig, signal: AbortSignal): readonly RuleProbe[]
  /** Opens the store, writes to it, and closes it. */
  probeStore(config: GatewayConfig, signal: AbortSignal): Promise<Probe>
  /** Calls on SIGHUP; returns how to stop that. */
  onHangup(listener: () => void): () => void
  readonly workers: WorkerPort
  readonly clock: Clock
  /** Milliseconds since 1970. */
  today(): number
  readonly nodeVersion: string
}
