import type { UpstreamConfig } from './gateway-config.ts'

/** Commands and scripts have one model, whatever it is called. */
export function askedModel(config: UpstreamConfig | undefined, name: string): string {
  const hasChoice = config?.kind === 'openai' || config?.kind === 'anthropic'
  return config?.model ?? (hasChoice ? '' : name)
}
