import * as z from 'zod'
import { upstreamKinds } from '../../upstreams/kinds/index.ts'
import type { UpstreamKind } from '../../upstreams/kinds/upstream-kind.ts'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'

/** Upstreams by kind. */
export function upstreamSchemaOf(kinds: readonly UpstreamKind[]): z.ZodType<WrittenUpstream> {
  return z.discriminatedUnion('kind', kinds.map(({ schema }) => schema) as [UpstreamKind['schema'], ...UpstreamKind['schema'][]])
}

/** Upstreams of the built-in kinds. */
export const upstreamSchema = upstreamSchemaOf(upstreamKinds)
