export { type Answered, answerQuestion, isStillValid, type JudgedSoFar } from './answering/answer-question.ts'
export { answerReply, citationsOf, type Given, validationOf } from './answering/answer-reply.ts'
export { askContract, isPiped, prepareQuestion } from './answering/prepare-question.ts'
export { type AskStep, nodesOf, type QuestionParts } from './answering/question-parts.ts'
export { extractiveRunner } from './extractive/extractive-runner.ts'
export { documentPath, documentsBelow, realPlace } from './indexing/document-paths.ts'
export { type IndexFolderOptions, IndexingStopped } from './indexing/index-folder.ts'
export { contractsByType } from './pipeline/contracts.ts'
export { degradedNodes } from './pipeline/degraded-nodes.ts'
export type { Fits } from './pipeline/fitting.ts'
export { generatedCode } from './pipeline/generation.ts'
export type { GraphNode } from './pipeline/pipeline-nodes.ts'
export type { Prepared } from './pipeline/prepared.ts'
export type { RelevanceJudge } from './pipeline/relevance-judge.ts'
export type { CodeVerdict, RetryBudget } from './pipeline/state.ts'
export { requestFault, sourceTooLarge, tooManySources } from './question/request.ts'
export { type NodeListener, type NodeTrace, nodeNames } from './reply/node-trace.ts'
export { queryTypeProblem, queryTypes } from './reply/query-type.ts'
export { lastValue } from './reply/read-steps.ts'
export {
  auditedFailure,
  exhaustedReply,
  type FailedTarget,
  failureReply,
  leftReply,
  limitReply,
  mayFailOver,
  unavailableReply,
} from './reply/reply.ts'
export type { OpenAiEmbedderSettings } from './retrieval/embedders/openai-embedder.ts'
export type { EngineOptions } from './retrieval/engines/open-engine.ts'
export type { HybridOptions } from './retrieval/hybrid-retriever.ts'
export type { IndexFacts } from './retrieval/index-engine.ts'
export { type Headed, passageText } from './retrieval/passage-text.ts'
