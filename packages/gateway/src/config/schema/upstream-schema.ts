import * as z from 'zod'
import { upstreamKinds } from '../../upstreams/kinds/index.ts'
import type { UpstreamKind } from '../../upstreams/kinds/upstream-kind.ts'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'

/** Models that can be asked, by kind. */
export function upstreamSchemaOf(kinds: readonly UpstreamKind[]): z.ZodType<WrittenUpstream> {
  return z.discriminatedUnion('kind', kinds.map(({ schema }) => schema) as [UpstreamKind['schema'], ...UpstreamKind['schema'][]])
}

/** Models that can be asked, of our own kinds. */
export const upstreamSchema = upstreamSchemaOf(upstreamKinds)
