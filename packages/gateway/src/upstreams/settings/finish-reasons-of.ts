import { alwaysTellsFinish } from '@stickler/core/runners'
import type { UpstreamConfig } from '../kinds/upstream-kind.ts'

/** Whether an upstream sends a finish reason with every answer: as it is written, else by its provider's name. */
export function finishReasonsOf({ provider, capabilities }: Pick<UpstreamConfig, 'provider' | 'capabilities'>): 'always' | 'sometimes' {
  return (capabilities.finishReason ?? alwaysTellsFinish(provider)) ? 'always' : 'sometimes'
}
