export { Answer, type AnswerParts } from './answer/answer.ts'
export { positionAt, type TextPosition, type TextSpan } from './answer/span.ts'
export { readToolCalls, type ToolCall } from './answer/tool-calls.ts'
export { catalogue, contract } from './catalogue.ts'
export { type Certificate, type RepairClass, repairClasses } from './contract/certificate.ts'
export { ConfigurationError, type ConfigurationProblem, type SourcePosition, unknownName } from './contract/configuration-error.ts'
export { type Catalogue, type Contract, type ContractInput, instructions, type Preset } from './contract/contract.ts'
export { describeOptions, knowsRepair, type OptionEntry } from './contract/describe-options.ts'
export { type Fact, type Finding, fact, type Issue, type IssueDraft, issue, type Severity } from './contract/issue.ts'
export { type Locale, locales } from './contract/locale.ts'
export type { Policy, PolicyInput } from './contract/policy.ts'
export { type Clock, type FileKind, type FilePort, type Ports, systemClock } from './contract/ports.ts'
export { quote } from './contract/quote.ts'
export type { StandardSchema } from './contract/standard-schema.ts'
export {
  type Check,
  type CheckContext,
  type CodeEntry,
  defineValidator,
  type IncrementalCheck,
  type Progress,
  type Validator,
  type ValidatorDefinition,
} from './contract/validator.ts'
export { ValidatorUnavailable } from './contract/validator-unavailable.ts'
export { readYamlConfig, type YamlConfig } from './contract/yaml-config.ts'
export { type CheckOptions, check } from './engine/check.ts'
export { type Counters, type Counts, createCounters } from './engine/counters.ts'
export { type Decision, type DecisionReason, decide, type Situation } from './engine/decide.ts'
export { type EnforcedStream, enforce, enforceStream } from './engine/enforce.ts'
export { engineCodes } from './engine/engine-codes.ts'
export { feedback } from './engine/feedback.ts'
export type { Failure, Outcome } from './engine/outcome.ts'
export { type RepairOptions, type RepairResult, repair } from './engine/repair.ts'
export { errorsOf, type Report, type Unchecked } from './engine/report.ts'
export type { EnforceOptions } from './engine/run-state.ts'
export type { CallOptions, ContinueOptions, FinishReason, Message, ModelEvent, Prompt, Runner, Usage } from './engine/runner.ts'
export { type FailureKind, RunnerFailure } from './engine/runner-failure.ts'
export { type Settled, settle } from './engine/settle.ts'
export type { Status } from './engine/status.ts'
export type { TraceEvent, TraceListener } from './engine/trace.ts'
export { fromFunction } from './runners/from-function.ts'
export { openai } from './runners/openai.ts'
export { withTransportRetries } from './runners/transport-retries.ts'
export { adrStructure } from './validators/adr-structure.ts'
export { fileExistence } from './validators/file-existence.ts'
export { maxWords } from './validators/max-words.ts'
export { type Step, type StepMarker, steps } from './validators/step-marker/extract.ts'
export { stepMarker } from './validators/step-marker.ts'
