import { defined } from '@stickler/core/internal'
import { upstreamKinds } from '../../upstreams/kinds/index.ts'
import type { Surroundings, UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import type { PriceList } from '../../upstreams/list-prices.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'

/** Fills in all defaults of an upstream, and its secrets from the environment. */
export async function resolveUpstream(written: WrittenUpstream, around: Surroundings, kinds = upstreamKinds): Promise<UpstreamConfig> {
  const record = kinds.find(({ name }) => name === written.kind)
  // The schema of the configuration is built from the same list.
  if (record === undefined) throw new Error(`unknown kind of upstream ${written.kind}`)
  const { name, kind, provider = record.provider, capabilities = {}, price, models, model } = written
  const shared = { name, kind, provider, capabilities, ...defined({ price, models, model }) }
  const [{ settings, shown = kind, secrets = [] }, maker] = await Promise.all([record.read(written, shared, around), record.load()])
  const listed = settings.listed as PriceList | undefined
  return withSecrets({ ...shared, providerName: written.provider ?? name, shown }, { settings, secrets }, { record, maker, listed })
}
