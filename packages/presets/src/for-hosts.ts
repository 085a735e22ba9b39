import type { Language } from '@stickler/core/validators'
import { avapLanguage } from './avap/language/index.ts'
import { avapPipeline } from './avap/preset.ts'

/**
 * The definition of a pipeline, as data: all that differs between two pipelines of the same graph.
 */
export interface PipelineDefinition {
  /** What it does, in one sentence. */
  readonly summary: string
  /** The language of generated code: as in fences, and as displayed. */
  readonly language: { readonly fence: string; readonly name: string }
  /** The preset of generated code; it declares the values of the validation status. */
  readonly codePreset: string
  /** The check that parses code in answers from documents; it takes `languages`. */
  readonly codeCheck: string
  /** The start of prompts that the platform itself sends, in lower case. */
  readonly platformPrefix: string
}

/** The languages of the presets that a parser adds to its own. */
export const languages: readonly Language[] = [avapLanguage()]

/** The pipelines that hosts choose by name. */
export const pipelines: Readonly<Record<string, PipelineDefinition>> & { readonly avap: PipelineDefinition } = { avap: avapPipeline }
