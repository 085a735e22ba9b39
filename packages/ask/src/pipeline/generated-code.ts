import { codeIn } from '@stickler/core/internal'
import type { PipelineDefinition } from '@stickler/presets/internal'

/** The code of an answer that is parsed, its blocks one after the other; empty when there is none. */
export function generatedCode(answer: string, { language }: Pick<PipelineDefinition, 'language'>): string {
  return codeIn(answer, language.fence).join('\n')
}
