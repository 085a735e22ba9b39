import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'

/** Commands and scripts have one model, whatever it is called. */
export function askedModel(config: UpstreamConfig | undefined, name: string): string {
  return config?.model ?? (config?.record.traits.choosesModel ? '' : name)
}
