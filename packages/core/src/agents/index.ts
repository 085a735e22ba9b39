export { type OutputGuardrail, outputGuardrail } from './output-guardrail.ts'
export { type ToolInputBehavior, type ToolInputGuardrail, toolInputGuardrail } from './tool-input-guardrail.ts'
export type { GuardrailOptions, GuardrailVerdict } from './verdict.ts'
