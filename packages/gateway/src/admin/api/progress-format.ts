import * as z from 'zod'

/** How `stickler eval --save` says how far it is, and the dashboard reads it. */
export const progressFiles = {
  prefix: 'run_',
  suffix: '.progress',
  /** How often a command writes its file. */
  everyMs: 2000,
  /** An evaluation that was not continued for so long is neither kept nor listed. */
  keptMs: 7 * 86_400_000,
  /** The longest name of an evaluation or a contract: three of them fit into a file, however JSON escapes them. */
  longestName: 500,
  largestBytes: 16 * 1024,
} as const

const name = z.string().max(progressFiles.longestName)

/** What a file holds; anybody may have written it. */
export const progressSchema = z.object({
  name,
  contract: name,
  against: name.optional(),
  status: z.enum(['running', 'stopped']),
  startedAt: z.number().min(0).max(8.64e15),
  answers: z.int().min(0),
  perSecond: z.int().min(0),
  queued: z.int().min(0).optional(),
  workers: z.int().min(0).optional(),
  share: z.number().min(0).max(1).optional(),
})

/** How far an evaluation is. */
export type EvaluationProgress = z.infer<typeof progressSchema>
