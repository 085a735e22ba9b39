import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'

/** Commands and scripts have one model, regardless of its name. */
export function askedModel(config: UpstreamConfig | undefined, name: string): string {
  return config?.model ?? (config?.record.traits.choosesModel ? '' : name)
}
