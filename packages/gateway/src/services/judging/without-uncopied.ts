import type { Job, JobResult } from '@stickler/core/remote'

/** The result of a job without what cannot be copied to another thread, such as a function that a validator has yielded. */
export function withoutUncopied(result: JobResult, job: Job): JobResult {
  // Repairs are strings and numbers; one that is not is a crash as a whole.
  if (result.kind !== 'check' || job.kind !== 'check') return result
  const collected = result.collected.map((found, at) => {
    try {
      structuredClone(found)
      return found
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return {
        validator: job.checks[job.run[at] ?? 0]?.name ?? '',
        cause: 'crash' as const,
        message: `what the validator yielded cannot be copied: ${message}`,
      }
    }
  })
  return { kind: 'check', collected }
}
