import { codeIn } from '@stickler/core/internal'
import type { PipelineDefinition } from './definition.ts'

/** The pipelines that hosts choose by name. */
export const pipelines: Readonly<Record<string, PipelineDefinition>> & { readonly avap: PipelineDefinition } = {
  avap: {
    summary:
      'Answers by query type: from documents with citations, AVAP code that is parsed first, small talk, and questions about the platform.',
    language: { fence: 'avap', name: 'AVAP' },
    codePreset: 'avap',
    codeCheck: 'code_syntax',
    platformPrefix: 'you are a direct and concise assistant',
  },
}

/** The code of an answer that is parsed, its blocks one after the other; empty when there is none. */
export function generatedCode(answer: string, { language }: Pick<PipelineDefinition, 'language'>): string {
  return codeIn(answer, language.fence).join('\n')
}
