import * as z from 'zod'

export { environmentName } from '@stickler/core/internal'

/** A name that other parts of the file refer to. */
export const nameSchema = z.string().trim().min(1).max(100)

/** Seconds in a file, at most a day because longer timers do not exist; milliseconds in the configuration that is read from it. */
export const durationSchema = z.number().positive().max(86_400).transform(inMs)

/** Seconds in milliseconds. */
export function inMs(seconds: number): number {
  return seconds * 1000
}
