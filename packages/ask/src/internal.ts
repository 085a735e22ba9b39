export type { AskFailure, AskStatus, AuditCut, AuditPipeline, CacheRequest, FailedProvider } from '@stickler/presets/internal'
export {
  type ByteSpan,
  type CostLimitName,
  contentVersion,
  type DaySpend,
  deriveSeed,
  envelopeBytes,
  errorFrame,
  giveUpBody,
  readCostLimits,
  refusalRow,
  sourcesFingerprint,
} from '@stickler/presets/internal'
export { extractiveRunner } from './extractive/extractive-runner.ts'
export { documentPath, documentsBelow, realPlace } from './indexing/document-paths.ts'
export { type IndexFolderOptions, IndexingStopped } from './indexing/index-folder.ts'
export { contractsByType } from './pipeline/contracts.ts'
export { degradedNodes } from './pipeline/degraded-nodes.ts'
export type { Fits } from './pipeline/fitting.ts'
export { generatedCode } from './pipeline/generated-code.ts'
export type { GraphNode } from './pipeline/pipeline-nodes.ts'
export type { Prepared } from './pipeline/prepared.ts'
export type { RelevanceJudge } from './pipeline/relevance-judge.ts'
export type { CodeVerdict, RetryBudget } from './pipeline/state.ts'
export type { SpendHold } from './ports.ts'
export { askContract } from './providers/ask-contract.ts'
export type { AskPipeline } from './providers/ask-pipeline.ts'
export { type Capabilities, capabilitiesOf } from './providers/capabilities.ts'
export { validationOf } from './providers/judged-answer.ts'
export { leftReply } from './providers/left.ts'
export { isPiped } from './providers/prepare-by-pipeline.ts'
export type { Determinism } from './question/determinism.ts'
export { type ReadRequest, readAskRequest } from './question/request.ts'
export { lastFrame, stepFrame } from './reply/frames.ts'
export { type NodeListener, nodeNames } from './reply/node-trace.ts'
export { queryTypeProblem, queryTypes } from './reply/query-type.ts'
export type { OpenAiEmbedderSettings } from './retrieval/embedders/openai-embedder.ts'
export type { EngineOptions } from './retrieval/engines/open-engine.ts'
export type { HybridOptions } from './retrieval/hybrid-retriever.ts'
export type { IndexFacts } from './retrieval/index-engine.ts'
export { type Headed, passageText } from './retrieval/passage-text.ts'
