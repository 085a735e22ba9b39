export { type EnforcedOptions, readTerms, type Terms } from './adapters/enforced-options.ts'
export { runVerdict, type SticklerMetadata, undeliveredBy } from './adapters/run-verdict.ts'
export type { Settle } from './adapters/text-judge.ts'
export { type JudgedData, judgeData, withheld, withheldReason } from './adapters/tool-data.ts'
export type { AnswerParts } from './answer/answer.ts'
export { contentText, refusalIn, refusalText } from './answer/content.ts'
export { alwaysTellsFinish, type FinishMissing, finishKindOf, readFinishReason } from './answer/finish-reason.ts'
export { type FinishKind, finishWords } from './answer/finish-reason-table.ts'
export type { BlockScanner, FenceReading } from './answer/markdown/block-scanner.ts'
export { languageOf } from './answer/markdown/code-language.ts'
export type { FenceOpening } from './answer/markdown/fence.ts'
export type { FencedBlock, FencePlace } from './answer/markdown/fenced-block.ts'
export type { HeadedText, Header } from './answer/metadata-headers.ts'
export type { CodeBlock, FrontMatter, Heading, InlineBlock, ListItem, Outline } from './answer/outline.ts'
export { pastContext } from './answer/past-context.ts'
export type { AnswerReader } from './answer/reader.ts'
export { answerShape, bodySchema, readShape, repairField, shortText, type Wrong } from './answer/request/answer-fields.ts'
export { type AnswerRequest, answerFields, readAnswerRequest, wantsValue } from './answer/request/answer-request.ts'
export { positionAt, type TextPosition } from './answer/span.ts'
export { type Fields, isFields } from './answer/tool-shapes/fields.ts'
export { type YamlRefusal, type YamlResult, yamlDepth } from './answer/yaml.ts'
export { parseReply, replyExcess } from './apis/shared/parse-reply.ts'
export { errorObjectFailure, maxErrorBytes, protocolFailure, secretRoom } from './apis/shared/provider-error.ts'
export { chatFormat, mostFormatBytes, placeSchema } from './apis/shared/structured-output.ts'
export { type Price, priced, sumUsage } from './apis/shared/usage.ts'
export type { NamedCheck, WrittenOptions } from './catalogue.ts'
export { hidden, repairClasses, type ToolCallPart } from './contract/certificate.ts'
export { closest } from './contract/closest.ts'
export { type AnswerFormat, answerFormat } from './contract/configuration/answer-format.ts'
export { type CheckTerms, type Condition, isNamedBy, type RequestFacts, termsSchema } from './contract/configuration/condition.ts'
export type { Constant } from './contract/configuration/constant.ts'
export type {
  Declarations,
  ErrorText,
  FactSource,
  PresetDeclarations,
  StepSource,
  ValidationWords,
} from './contract/configuration/declarations.ts'
export { describeOptions, knowsRepair, type OptionEntry, optionsSchema } from './contract/configuration/describe-options.ts'
export { type ActiveValidator, type CheckInput, readChecks, type WrittenCheck } from './contract/configuration/read-checks.ts'
export { writeYaml } from './contract/configuration/write-yaml.ts'
export { inFileOrder } from './contract/configuration/yaml-config.ts'
export { checkNumbers, unknownName } from './contract/configuration-error.ts'
export { applicable, requireAnswer, usesParser } from './contract/contract.ts'
export type { DefinitionOptions } from './contract/define-contract.ts'
export { type KeptAnswer, keptCallFields, type NotKept, notKept, omittedContext } from './contract/kept-answer.ts'
export { locales } from './contract/locale.ts'
export { type PolicyInput, policySchema } from './contract/policy.ts'
export { notify, systemClock } from './contract/ports.ts'
export { clamp, escapeMarkup, maskSecretShapes } from './contract/quote.ts'
export { because, type Called, type Reason, type ReasonCode, ReasonedError, reasonOf, sentenceOfCodes } from './contract/reason.ts'
export { addressProblem } from './contract/rules/address.ts'
export { environmentName, headersEnvSchema, headersSchema, wrongHeaderValue } from './contract/rules/http-headers.ts'
export type { CommandRule, OutsideRule, RemoteRule } from './contract/rules/rule-port.ts'
export type { InputOf, OutputOf, StandardIssue, StandardJsonSchema, StandardResult } from './contract/standard-schema.ts'
export { outcomeStatuses, runStatuses, settledStatuses } from './contract/statuses.ts'
export type {
  AllowedRepairs,
  FactUse,
  PreparedValidator,
  StreamContract,
  StreamFailure,
  ValueOf,
  ValueReader,
} from './contract/validator.ts'
export type { CircuitState, FaultKind, NoVerdict, NoVerdictDetails } from './contract/validator-unavailable.ts'
export { withInstructions, withSchema } from './engine/attempt/instructed-prompt.ts'
export { describeFailure } from './engine/build-outcome.ts'
export type { CheckedBase, KeptReport, OpenReport } from './engine/check/check.ts'
export type { Collected, Complexity } from './engine/check/report.ts'
export { unreadText } from './engine/check/unreadable-content.ts'
export type { RateBucket } from './engine/counters.ts'
export { addUsage, noUsage, Tally } from './engine/decide/budget.ts'
export type { StopReason } from './engine/decide/decide.ts'
export { enforceDirectly } from './engine/enforce.ts'
export { engineCodes } from './engine/engine-codes.ts'
export type { ExecutedRepair, Executor, Surroundings } from './engine/executor.ts'
export { askAnew } from './engine/feedback/restart-prompt.ts'
export { feedbackFor, mostFeedbackBytesOf } from './engine/feedback/validator-feedback.ts'
export { type OptionNames, rejectUnknown, requireContract } from './engine/option-names.ts'
export type { KeptOutcome, OpenOutcome, OpenOutcomeBase, OutcomeBase, ValuelessOutcome } from './engine/outcome.ts'
export type { RepairTerms } from './engine/repair/repair-result.ts'
export { certificateData, firstDecision, settledData, statusAsFirst } from './engine/repair/settle.ts'
export type { KeptSettled, OpenSettled, SettledBase } from './engine/repair/settled.ts'
export { Result, validationStatus } from './engine/results/result.ts'
export type { Answered, KeptMembers, OpenMembers, ResultOf, Unanswered, Valueless } from './engine/results/result-methods.ts'
export type { Narrowing, ValueIn } from './engine/results/typed-value.ts'
export type { Undelivered } from './engine/results/undelivered-error.ts'
export type { EventIterator } from './engine/runner.ts'
export { asRunnerFailure, type FailureDetails, notStarted } from './engine/runner-failure.ts'
export { hideArguments } from './engine/secret-masking.ts'
export { abortSignalOf, Stop } from './engine/stop.ts'
export { estimateTokens, estimateTokensOfBytes, promptTokens, utf8Length } from './engine/tokens/estimate-tokens.ts'
export type { TraceDetail } from './engine/trace.ts'
export { attempting, Deferred, type MaybePromise, whenReady } from './engine/waiting/deferred.ts'
export { type WaitLimit, waitAtMost } from './engine/waiting/wait-at-most.ts'
export { hasDuplicateKeys } from './json/duplicate-keys.ts'
export { excessOf, isDeeperThan, type JsonExtent } from './json/json-extent.ts'
export type { JsonOutline } from './json/json-outline.ts'
export { parseJson } from './json/parse-json.ts'
export { escapeLength, jsonNumber, skipSpace } from './json/scan.ts'
export { withSoundCalls } from './relay/sound-calls.ts'
export { relevanceStrategies } from './relevance/judge.ts'
export type { JsonCut } from './repairs/json/result.ts'
export { type BodyLimits, BodyReader } from './runners/body-reader.ts'
export { type CancelScope, openCancelScope } from './runners/cancel-scope.ts'
export { asMessages, defaultEchoLimit, retryMessages } from './runners/conversation.ts'
export { type Ending, endEvent } from './runners/end-event.ts'
export { failureOf, readRetryAfter } from './runners/failures/failure-of.ts'
export {
  HeldBack,
  isPassing,
  isTurnedAway,
  isUpstreamFault,
  type Patience,
  pause,
  type RepeatableCall,
  type RetryPorts,
  type RetrySettings,
  retryRules,
} from './runners/failures/patience.ts'
export {
  abortedFailure,
  type ConnectionState,
  connectionFailure,
  httpFailure,
  redirectFailure,
} from './runners/failures/provider-failures.ts'
export type { HttpRunnerSettings, RunnerTimeouts } from './runners/http-runner.ts'
export { type Endpoint, endpoint, isOpenAi } from './runners/openai/openai-request.ts'
export { type PostedRequest, post, throwUnlessOk } from './runners/openai/post.ts'
export { isMaskable, redactFailure, redactHeaders, redactor } from './runners/secrets.ts'
export { type SseEvent, SseParser } from './runners/sse.ts'
export { answerEnd, type ReplySettings } from './runners/wire-answer.ts'
export type { CitationAttempt } from './validators/citations/reddb/decide.ts'
export type { CitationWarning } from './validators/citations/reddb/parse.ts'
export { byteSpans } from './validators/citations/reddb/scanner.ts'
export { codeIn } from './validators/code-syntax/choice.ts'
export type { JsonValidator } from './validators/json/index.ts'
export { type LanguageCode, languageCodes } from './validators/language/languages.ts'
export { linkHosts } from './validators/links/index.ts'
export type { OneOfValidator, Trimmed } from './validators/one-of/index.ts'
export type { Detector } from './validators/sensitive/detector.ts'
export { jwtDetector, keyDetector } from './validators/sensitive/keys.ts'
export type { SuggestionKind } from './validators/shared/suggest-tool.ts'
export type { SequenceMatch, SequenceRules, SequenceScope } from './validators/tool-sequence/automaton.ts'
