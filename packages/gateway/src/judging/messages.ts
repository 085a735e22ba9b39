import type { Job, JobResult } from '@stickler/core/remote'

/** What a thread is told. */
export type ToThread = { readonly id: number; readonly job: Job } | { readonly abort: number }

/** What a thread says: that it has started, or how a job ended. */
export type FromThread =
  | { readonly ready: true }
  | { readonly id: number; readonly result: JobResult }
  | { readonly id: number; readonly error: string }
