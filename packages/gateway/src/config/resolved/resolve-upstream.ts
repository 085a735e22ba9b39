import { upstreamKinds } from '../../upstreams/kinds/index.ts'
import type { Surroundings, UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import { listPrices } from '../../upstreams/list-prices.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import { priceIn, type WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'

/** Fills in all defaults of an upstream, and its secrets from the environment. */
export async function resolveUpstream(written: WrittenUpstream, around: Surroundings, kinds = upstreamKinds): Promise<UpstreamConfig> {
  const record = kinds.find(({ name }) => name === written.kind)
  // The schema of the configuration is built from the same list.
  if (record === undefined) throw new Error(`unknown kind of upstream ${written.kind}`)
  const { name, kind, provider = record.provider, capabilities = {}, price, models, model } = written
  const common = {
    name,
    kind,
    provider,
    providerName: written.provider ?? name,
    capabilities: defined(capabilities),
    ...(price === undefined ? {} : { price: priceIn(price) }),
    ...(models === undefined ? {} : { models: new Map(Object.entries(models).map(([other, own]) => [other, priceIn(own)])) }),
    ...(model === undefined ? {} : { model }),
  }
  const [{ open, secrets = {} }, maker] = await Promise.all([record.resolve(written, around), record.load()])
  const { baseUrl } = { ...open, ...secrets } as { readonly baseUrl?: string }
  return withSecrets({ ...common, ...open }, secrets, { record, maker, listed: listPrices(baseUrl) })
}
