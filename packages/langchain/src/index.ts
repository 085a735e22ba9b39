export { UndeliveredError } from '@stickler/core'
export type { EnforcedOptions, SticklerMetadata } from '@stickler/core/internal'
export { enforceRunnable, type RunnableLike } from './enforce-runnable.ts'
export { type ContractMiddleware, sticklerMiddleware } from './middleware.ts'
