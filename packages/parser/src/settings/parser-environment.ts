import { ConfigurationError, type Environment } from '@stickler/core'
import { parserVariables } from '@stickler/presets/internal'
import * as z from 'zod'
import { serviceAddress } from './parser-schema.ts'

const decimal = /^(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/

const numberText = (form: RegExp, least: number, most: number, message: string) =>
  z
    .string()
    .refine((text) => form.test(text) && Number(text) >= least && Number(text) <= most, message)
    .transform(Number)
    .optional()

const { url, timeout, failures, cooldown } = parserVariables
const environmentSchema = z.object({
  [url]: serviceAddress.optional(),
  [timeout]: numberText(decimal, 0, 86_400, 'must be a number of seconds to 86400, such as 2 or 0.5; 0 switches the parser off'),
  [failures]: numberText(/^\d{1,9}$/, 1, 10_000, 'must be a whole number from 1 to 10000'),
  [cooldown]: numberText(decimal, Number.MIN_VALUE, 86_400, 'must be a number of seconds above 0, to 86400, such as 30 or 0.5'),
})

/** Reads the variables of `parserVariables`; an empty one counts as absent, a malformed one throws. */
export function readParserEnvironment(env: Environment) {
  const written = Object.values(parserVariables).flatMap((name) => (Object.hasOwn(env, name) && env[name] ? [[name, env[name]]] : []))
  const { data, error } = environmentSchema.safeParse(Object.fromEntries(written))
  if (data === undefined) throw new ConfigurationError(error.issues.map(({ path, message }) => ({ path: path.map(String), message })))
  return { url: data[url], timeout: data[timeout], failures: data[failures], cooldown: data[cooldown] }
}
