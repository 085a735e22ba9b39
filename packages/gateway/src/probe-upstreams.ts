import { systemClock } from '@stickler/core/internal'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import type { ProbeResult, Upstream } from './upstreams/upstream.ts'

/** The probe of one upstream. */
export interface UpstreamProbe {
  readonly name: string
  readonly result: Promise<ProbeResult>
}

/**
 * Probes every upstream of a configuration, all at a time; those without a probe count as
 * reachable.
 */
export async function probeUpstreams(config: GatewayConfig, signal: AbortSignal): Promise<readonly UpstreamProbe[]> {
  const { takeSnapshot } = await import('./snapshot.ts')
  const { upstreams } = takeSnapshot(config, { clock: systemClock })
  return [...upstreams].map(([name, upstream]) => ({ name, result: probe(upstream, signal) }))
}

async function probe(upstream: Upstream, signal: AbortSignal): Promise<ProbeResult> {
  try {
    return (await upstream.probe?.(signal)) ?? { ok: true }
  } finally {
    await upstream.close()
  }
}
