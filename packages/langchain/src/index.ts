export { UndeliveredError } from '@stickler/core'
export { enforceRunnable, type RunnableLike } from './enforce-runnable.ts'
export { type ContractMiddleware, sticklerMiddleware } from './middleware.ts'
export type { EnforcedOptions } from './options.ts'
