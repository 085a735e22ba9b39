import { defined } from '@stickler/core/internal'
import type { PriceList } from '../list-prices.ts'
import { withSecrets } from '../settings/hidden-fields.ts'
import type { WrittenUpstream } from '../settings/written-upstream.ts'
import { anthropicKind } from './anthropic.ts'
import { claudeCliKind } from './claude-cli.ts'
import { extractiveKind } from './extractive.ts'
import { openaiKind } from './openai.ts'
import { scriptedKind } from './scripted.ts'
import type { Surroundings, UpstreamConfig, UpstreamKind } from './upstream-kind.ts'

/** Every kind of upstream. */
export const upstreamKinds: readonly UpstreamKind[] = [openaiKind, anthropicKind, claudeCliKind, scriptedKind, extractiveKind]

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
