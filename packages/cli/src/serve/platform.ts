import type { Clock } from '@stickler/core'
import type { Gateway, GatewayConfig, GatewayOptions } from '@stickler/gateway'
import type { IndexProbe, RuleProbe, SpanExport } from '@stickler/gateway/internal'
import type { Io } from '../io.ts'
import type { WorkerPort } from './workers.ts'

/** The result of a probe. */
export type Probe = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly cause?: unknown }

/** The probe of one upstream. */
export interface UpstreamProbe {
  readonly name: string
  readonly result: Promise<Probe>
}

/** The parts of the gateway and the machine that `serve` and `doctor` use, injected for tests. */
export interface Platform {
  startGateway(options: GatewayOptions): Promise<Gateway>
  /** Sends spans where the variables of OpenTelemetry say so. */
  openSpanExport(env: Io['env'], note: (message: string) => void): Promise<SpanExport | undefined>
  /** Probes all upstreams concurrently. */
  probeUpstreams(config: GatewayConfig, signal: AbortSignal): Promise<readonly UpstreamProbe[]>
  /** Probes the parser; undefined when no contract needs it. */
  probeParser(config: GatewayConfig, signal: AbortSignal): Promise<Probe | undefined>
  /** Reads the files named in the parser settings; rejects when one is invalid. */
  checkParserFiles(config: GatewayConfig): Promise<void>
  /** Reads the gRPC certificate and key; rejects when they are invalid. */
  checkGrpcFiles(config: GatewayConfig): Promise<void>
  /** Probes the index; undefined when none is configured. */
  probeIndex(config: GatewayConfig, signal: AbortSignal): Promise<IndexProbe | undefined>
  /** Probes all remote rules concurrently. */
  probeRules(config: GatewayConfig, signal: AbortSignal): readonly RuleProbe[]
  /** Opens the store, writes to it, and closes it. */
  probeStore(config: GatewayConfig, signal: AbortSignal): Promise<Probe>
  /** Plays the traffic of the demo until it is over or stopped; never rejects. */
  playDemo(url: string, options: { readonly signal: AbortSignal }): Promise<void>
  /** Calls back on SIGHUP; returns a function that stops it. */
  onHangup(listener: () => void): () => void
  readonly workers: WorkerPort
  readonly clock: Clock
  /** Milliseconds since 1970. */
  today(): number
  readonly nodeVersion: string
}
