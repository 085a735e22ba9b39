export { Answer, type AnswerParts } from './answer/answer.ts'
export { type HeadedText, type Header, headersOf } from './answer/headers.ts'
export { readAnswer, UnreadableAnswerError } from './answer/read-answer.ts'
export { positionAt, type TextPosition, type TextSpan } from './answer/span.ts'
export { readToolCalls, type ToolCall, writeToolCalls } from './answer/tool-calls.ts'
export {
  type ContractOptions,
  catalogue,
  contract,
  type NamedCheck,
  type PresetName,
  type ValidatorName,
  type WrittenOptions,
} from './catalogue.ts'
export { type Certificate, type RepairClass, repairClasses } from './contract/certificate.ts'
export type { Constant } from './contract/configuration/constant.ts'
export type { Declarations, ErrorText, FactSource, PresetDeclarations, StepSource } from './contract/configuration/declarations.ts'
export { describeOptions, knowsRepair, type OptionEntry, optionsSchema } from './contract/configuration/describe-options.ts'
export { readYamlConfig, type YamlConfig } from './contract/configuration/yaml-config.ts'
export { ConfigurationError, type ConfigurationProblem, type SourcePosition, unknownName } from './contract/configuration-error.ts'
export { buildContract, type Catalogue, type Contract, type ContractInput, instructions, type Preset } from './contract/contract.ts'
export { defineContract } from './contract/define-contract.ts'
export { type Fact, type Finding, fact, type Issue, type IssueDraft, issue, type Severity } from './contract/issue.ts'
export { type Locale, locales } from './contract/locale.ts'
export { type Policy, type PolicyInput, policySchema } from './contract/policy.ts'
export { type Clock, type FileKind, type FilePort, type Ports, systemClock } from './contract/ports.ts'
export { quote } from './contract/quote.ts'
export type { CommandRule, OutsideRule, RemoteRule, RulePort, RuleRequest } from './contract/rules/rule-port.ts'
export type { StandardSchema } from './contract/standard-schema.ts'
export { TooComplex } from './contract/too-complex.ts'
export {
  type Check,
  type CheckContext,
  type CodeEntry,
  defineValidator,
  type FactUse,
  type IncrementalCheck,
  type Progress,
  type Validator,
  type ValidatorDefinition,
  type ValueReader,
} from './contract/validator.ts'
export { ValidatorUnavailable } from './contract/validator-unavailable.ts'
export { type CheckedReport, type CheckOptions, check, type StopSignal } from './engine/check/check.ts'
export { errorsOf, type Report, type Unchecked } from './engine/check/report.ts'
export { type Counters, type Counts, createCounters } from './engine/counters.ts'
export { type Decision, type DecisionReason, decide, type Situation } from './engine/decide/decide.ts'
export { enforce, enforceStream } from './engine/enforce.ts'
export { engineCodes } from './engine/engine-codes.ts'
export { feedback } from './engine/feedback/feedback.ts'
export type {
  AnsweredOutcome,
  FailedOutcome,
  Failure,
  KeptOutcome,
  OpenOutcome,
  Outcome,
  OutcomeBase,
  Status,
  Usage,
  ValuelessOutcome,
} from './engine/outcome.ts'
export { type RepairOptions, type RepairResult, repair } from './engine/repair/repair.ts'
export { certificateData, type Settled, settle, settledData } from './engine/repair/settle.ts'
export type { EnforcedStream } from './engine/results/enforced-stream.ts'
export type { DeepPartial, PartialValue } from './engine/results/partial-value.ts'
export type { ResponseOptions } from './engine/results/response-of.ts'
export { UndeliveredError } from './engine/results/undelivered-error.ts'
export type { EnforceOptions } from './engine/run-state.ts'
export type { CallOptions, ContinueOptions, FinishReason, Message, ModelEvent, ModelEvents, Prompt, Runner } from './engine/runner.ts'
export { type FailureKind, RunnerFailure } from './engine/runner-failure.ts'
export type { TraceEvent, TraceListener } from './engine/trace.ts'
export { JsonStream } from './repairs/json/json-stream.ts'
export { type JsonRepair, repairJson } from './repairs/json/repair-json.ts'
export { fromFunction } from './runners/from-function.ts'
export { openai } from './runners/openai/openai.ts'
export { withTransportRetries } from './runners/transport-retries.ts'
export { adrStructure } from './validators/adr-structure/index.ts'
export { affixes } from './validators/affixes/index.ts'
export { casing } from './validators/casing/index.ts'
export { citations } from './validators/citations/index.ts'
export { command } from './validators/command/index.ts'
export { contains } from './validators/contains/index.ts'
export { fileExistence } from './validators/file-existence/index.ts'
export { json } from './validators/json/index.ts'
export { language } from './validators/language/index.ts'
export { length } from './validators/length/index.ts'
export { links } from './validators/links/index.ts'
export { markdown } from './validators/markdown/index.ts'
export { maxWords } from './validators/max-words.ts'
export { oneOf } from './validators/one-of/index.ts'
export { pattern } from './validators/pattern/index.ts'
export { phantomTools } from './validators/phantom-tools/index.ts'
export { remote } from './validators/remote/index.ts'
export { sensitive } from './validators/sensitive/index.ts'
export { type Step, type StepMarker, stepMarker, steps } from './validators/step-marker/index.ts'
export { toolCalls } from './validators/tool-calls/index.ts'
export { type Suggestion, type SuggestionRules, suggestTool, validateToolCall } from './validators/tool-calls/validate-tool-call.ts'
export { legalNext, toolSequence } from './validators/tool-sequence/index.ts'
