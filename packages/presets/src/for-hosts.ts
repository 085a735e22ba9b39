import type { Language } from '@stickler/core/validators'
import { avapLanguage } from './avap/language/index.ts'
import { avapPipeline } from './avap/pipeline.ts'
import type { PipelineDefinition } from './pipeline-definition.ts'

/** The languages of the presets that a parser adds to its own. */
export const languages: readonly Language[] = [avapLanguage()]

/** The pipelines that hosts choose by name. */
export const pipelines: Readonly<Record<string, PipelineDefinition>> & { readonly avap: PipelineDefinition } = { avap: avapPipeline }
