import * as z from 'zod'

/** A name for something that other parts of the file refer to. */
export const nameSchema = z.string().trim().min(1).max(100)

/** Seconds, at most a day: longer timers do not exist. */
export const secondsSchema = z.number().positive().max(86_400)

/** The name of an environment variable, which is all that a file may say about a secret. */
export const environmentName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'give the name of an environment variable, such as OPENAI_API_KEY; the key itself must not stand in a file',
  )
