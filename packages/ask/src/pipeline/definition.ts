/** What a pipeline is for, as data: all that differs between two pipelines of the same graph. */
export interface PipelineDefinition {
  /** What it does, in one sentence. */
  readonly summary: string
  /** The language of generated code: as fences name it, and as people write it. */
  readonly language: { readonly fence: string; readonly name: string }
  /** The preset of generated code; it declares the words of the validation status. */
  readonly codePreset: string
  /** The check that parses code in answers from documents; it takes `languages`. */
  readonly codeCheck: string
  /** The beginning of prompts that the platform itself sends, in small letters. */
  readonly platformPrefix: string
}
