import type { PipelineDefinition } from './definition.ts'

/** The pipelines that hosts choose by name. */
export const pipelines: Readonly<Record<string, PipelineDefinition>> = {
  avap: {
    summary: 'Answers by type: from documents with citations, AVAP code that is parsed first, talk, and questions about the platform.',
    language: { fence: 'avap', name: 'AVAP' },
    codePreset: 'avap',
    platformPrefix: 'you are a direct and concise assistant',
  },
}
