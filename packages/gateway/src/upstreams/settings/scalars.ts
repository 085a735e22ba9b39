import * as z from 'zod'

export { environmentName } from '@stickler/core/services'

/** A name for something that other parts of the file refer to. */
export const nameSchema = z.string().trim().min(1).max(100)

/** Seconds, at most a day: longer timers do not exist. */
export const secondsSchema = z.number().positive().max(86_400)
