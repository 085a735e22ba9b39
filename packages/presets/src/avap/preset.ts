import type { Preset } from '@stickler/core'
import { codeSyntax } from './code-syntax.ts'

/** AVAP code generation: code is parsed before it is delivered; one retry with the parser's trace, then it is delivered with its status. */
export const avap: Preset<'code_syntax'> = {
  summary: 'AVAP code: parsed before delivery, one retry with the trace of the parser; always delivered, with a validation status.',
  validators: [codeSyntax],
  checks: [{ code_syntax: { language: 'avap', profile: 'avap' } }],
  mode: 'strict',
  retries: 1,
  // One retry for each request, also when it asks for several choices.
  budget: { attempts: 2 },
  // The design knows two verdicts and one retry; code is not changed on the way.
  repair: 'never',
  // The trace precedes the original prompt.
  askAgain: 'anew',
  // Code is shown only after its verdict, and so is the text before it, which may be code without a fence.
  stream: 'verified',
  unresolved: 'deliver',
  unchecked: 'deliver',
  locale: 'en',
  declares: {
    validationStatus: { validator: 'code_syntax', valid: '', invalid: 'INVALID_UNRESOLVED', unchecked: 'PARSER_UNAVAILABLE' },
  },
}

/** Answers by query type, as the design does. */
export const avapPipeline = {
  summary:
    'Answers by query type: from documents with citations, AVAP code that is parsed first, small talk, and questions about the platform.',
  language: { fence: 'avap', name: 'AVAP' },
  codePreset: 'avap',
  codeCheck: 'code_syntax',
  platformPrefix: 'you are a direct and concise assistant',
}
