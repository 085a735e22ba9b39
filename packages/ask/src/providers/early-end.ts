import type { Usage } from '@stickler/core'
import type { AskStatus, AuditPipeline } from '../audit/audit-row.ts'
import type { AskSource } from '../reply/envelope.ts'

/** The audit data of a question that ended before it reached a provider. */
export interface EarlyEnd {
  readonly status?: AskStatus | undefined
  /** The kind of failure. */
  readonly kind?: string | undefined
  readonly usage?: Usage
  readonly pipeline?: AuditPipeline | undefined
  /** The sources that were found, when the request had none. */
  readonly sources?: readonly AskSource[]
}
