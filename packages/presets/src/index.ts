import { type Catalogue, catalogue as generic } from '@stickler/core'
import type { Language } from '@stickler/core/validators'
import { avapLanguage } from './avap/language/index.ts'
import { avapPipeline } from './avap/pipeline.ts'
import { avap } from './avap/preset.ts'
import { helix } from './helix/preset.ts'
import type { PipelineDefinition } from './pipeline-definition.ts'
import { reddb } from './reddb/preset.ts'
import { techtime } from './techtime/preset.ts'

export { assistanceService, type WireAnswer, type WireQuestion } from './avap/assistance-service.ts'
export { circuitLines, pipelineLogLines, unvalidatedLine } from './avap/log-lines.ts'
export { parserVariables } from './avap/parser-variables.ts'
export type { PipelineDefinition } from './pipeline-definition.ts'

/** The presets by their names in configuration files. */
export const presets = { avap, helix, reddb, techtime } satisfies Catalogue['presets']

const own = Object.values(presets).flatMap((preset: Catalogue['presets'][string]) => preset.validators ?? [])
const isOwn = (name: string): boolean => own.some(({ definition }) => definition.name === name)

/** Everything that a configuration file may name: the validators of the library, those of the presets, and the presets. */
export const catalogue: Catalogue = {
  validators: [...generic.validators.filter(({ definition }) => !isOwn(definition.name)), ...own],
  presets,
}

/** The languages of the presets that a parser adds to its own. */
export const languages: readonly Language[] = [avapLanguage()]

/** The pipelines that hosts choose by name. */
export const pipelines: Readonly<Record<string, PipelineDefinition>> & { readonly avap: PipelineDefinition } = { avap: avapPipeline }
