export { type DefinitionData, describeDefinition } from '../engine/remote/definition-data.ts'
export { type FoundDefinitions, findDefinition, findDefinitions } from '../engine/remote/find-definitions.ts'
export { rebuild } from '../engine/remote/guard-outside.ts'
export type {
  AnswerData,
  AnswerJob,
  CheckData,
  CheckJob,
  DescribedModule,
  DescribeJob,
  Job,
  JobBase,
  JobResult,
  PrepareJob,
  ProposeJob,
  RepairData,
  RepairJob,
} from '../engine/remote/job.ts'
export { perform } from '../engine/remote/perform.ts'
export { plainLine } from '../engine/remote/plain-line.ts'
export { type Plan, Plans, type ToolsSizes } from '../engine/remote/plan.ts'
export { describePrepared, type PreparedData } from '../engine/remote/prepared-data.ts'
export { RemoteExecutor, RemoteFailure, type RemoteOptions } from '../engine/remote/remote-executor.ts'
export { type FindPrepared, type StandIn, standIn } from '../engine/remote/remote-validator.ts'
export { soundToolCalls } from '../validators/tool-calls/sound-calls.ts'
