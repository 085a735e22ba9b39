export { Answer } from './answer/answer.ts'
export { readAnswer, UnreadableAnswerError } from './answer/read-answer.ts'
export type { AnswerOutline } from './answer/reader.ts'
export type { TextSpan } from './answer/span.ts'
export type { ToolCall } from './answer/tool-calls.ts'
export type { ReplyMembers, ReplyPipeline, ReplyVerdict } from './apis/reply/verdict-body.ts'
export type { ModelParameters } from './apis/request/composed-parameters.ts'
export { type ContractOptions, catalogue, contract, type ValidatorName } from './catalogue.ts'
export type { Certificate, RepairClass } from './contract/certificate.ts'
export type { PresetDeclarations } from './contract/configuration/declarations.ts'
export { readYamlConfig, type YamlConfig } from './contract/configuration/yaml-config.ts'
export { ConfigurationError, type ConfigurationProblem, type SourcePosition } from './contract/configuration-error.ts'
export {
  buildContract,
  type Catalogue,
  type Contract,
  type ContractInput,
  instructions,
  type NamedValidator,
  type Preset,
} from './contract/contract.ts'
export { defineContract } from './contract/define-contract.ts'
export { type Fact, type Finding, fact, type Issue, type IssueDraft, issue, type Severity } from './contract/issue.ts'
export type { Locale } from './contract/locale.ts'
export type { Machine, Reading, Wrong } from './contract/machine/machine.ts'
export type { Policy } from './contract/policy.ts'
export type { Clock, Environment, FileKind, FilePort, Ports } from './contract/ports.ts'
export type { RulePort, RuleRequest } from './contract/rules/rule-port.ts'
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
export { type CheckedReport, type CheckOptions, check, type StopSignal } from './engine/check/check.ts'
export { errorsOf, type Report, type Unchecked } from './engine/check/report.ts'
export { type Counters, type Counts, createCounters } from './engine/counters.ts'
export { type Decision, type DecisionReason, decide, type Situation } from './engine/decide/decide.ts'
export { enforce, enforceStream } from './engine/enforce.ts'
export { feedback } from './engine/feedback/feedback.ts'
export type { AnsweredOutcome, FailedOutcome, Failure, Outcome, Status, Usage } from './engine/outcome.ts'
export { type RepairOptions, type RepairResult, repair } from './engine/repair/repair.ts'
export { type Settled, settle } from './engine/repair/settle.ts'
export type { AnsweredSettled } from './engine/repair/settled.ts'
export type { DeepPartial, EnforcedStream, PartialValue } from './engine/results/enforced-stream.ts'
export type { ResponseOptions } from './engine/results/stream-response.ts'
export { UndeliveredError } from './engine/results/undelivered-error.ts'
export type { EnforceOptions } from './engine/run-state.ts'
export type {
  CallOptions,
  ContinueOptions,
  FinishReason,
  Message,
  ModelEvent,
  ModelEvents,
  OtherMessage,
  Prompt,
  Runner,
} from './engine/runner.ts'
export { type FailureKind, RunnerFailure } from './engine/runner-failure.ts'
export type { TraceEvent, TraceListener } from './engine/trace.ts'
export { type AskedModel, type ExtractedValue, type ExtractTerms, extract } from './extract.ts'
export { JsonStream } from './repairs/json/json-stream.ts'
export { type JsonRepair, repairJson } from './repairs/json/repair-json.ts'
export type { JsonEdit, RefusalReason } from './repairs/json/result.ts'
export { type ChatMessage, fromFunction, type ModelFunction, type ModelReply } from './runners/from-function.ts'
