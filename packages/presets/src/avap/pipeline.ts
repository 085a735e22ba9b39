import type { PipelineDefinition } from '../pipeline-definition.ts'

/** Answers by query type, as the design does. */
export const avapPipeline: PipelineDefinition = {
  summary:
    'Answers by query type: from documents with citations, AVAP code that is parsed first, small talk, and questions about the platform.',
  language: { fence: 'avap', name: 'AVAP' },
  codePreset: 'avap',
  codeCheck: 'code_syntax',
  platformPrefix: 'you are a direct and concise assistant',
}
