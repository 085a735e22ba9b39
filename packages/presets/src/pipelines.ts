import { avapPipeline } from './avap/pipeline.ts'
import type { PipelineDefinition } from './pipeline-definition.ts'

/** The pipelines that hosts choose by name. */
export const pipelines: Readonly<Record<string, PipelineDefinition>> & { readonly avap: PipelineDefinition } = { avap: avapPipeline }
