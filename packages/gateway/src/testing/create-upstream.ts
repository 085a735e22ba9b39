import { createConfigured } from '../upstreams/create-upstream.ts'
import { upstreamKinds } from '../upstreams/kinds/index.ts'
import type { UpstreamConfig, UpstreamPorts, UpstreamSettings } from '../upstreams/kinds/upstream-kind.ts'
import type { Upstream } from '../upstreams/upstream.ts'

/** Makes an upstream of a built-in kind from its settings, without a configuration. */
export async function createUpstream(settings: UpstreamSettings, ports?: UpstreamPorts): Promise<Upstream> {
  const kind = upstreamKinds.find(({ name }) => name === settings.kind)
  if (kind === undefined) throw new TypeError(`no kind of upstream is called ${settings.kind}`)
  return createConfigured({ maker: await kind.load(), record: kind, settings } as unknown as UpstreamConfig, ports)
}
