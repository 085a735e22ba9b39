import type { ConfigurationProblem } from '@stickler/core'
import { isFields, partsOf } from '@stickler/core/internal'
import type { $ZodType, $ZodTypeDef } from 'zod/v4/core'

/** Plain data without the secrets in it. */
interface WithoutSecrets {
  readonly data: unknown
  readonly problems: readonly ConfigurationProblem[]
}

/** Common names of keys that hold secrets. */
const secretKey = /^(?:api|access|secret|operator)?[_-]?(?:keys?|tokens?|secrets?|passwords?)$/i

/**
 * Finds secrets that are written where the schema has a key for their environment variable, before variables are expanded, and removes
 * them: no later message can repeat them.
 */
export function takeOutSecrets(written: unknown, schema: $ZodType): WithoutSecrets {
  const problems: ConfigurationProblem[] = []
  const data = structuredClone(written)
  for (const { schema: one, value, path } of [...partsOf(schema, data)]) {
    const known = Object.keys((one._zod.def as $ZodTypeDef & { shape?: object }).shape ?? {})
    const [variable, ...variables] = known.filter((key) => key.endsWith('Env'))
    if (variable === undefined || !isFields(value)) continue
    for (const [key, given] of Object.entries(value)) {
      const operators = /^operator/i.test(key) ? variables.find((name) => name.startsWith('operator')) : undefined
      const own = known.includes(`${key}Env`) ? `${key}Env` : undefined
      const message = secretKey.test(key) ? secretAdvice(given, operators ?? variable) : own && passwordAdvice(given, own)
      if (message === undefined) continue
      problems.push({ message, path: [...path, key] })
      delete (value as Record<string, unknown>)[key]
    }
  }
  return { data, problems }
}

function passwordAdvice(url: unknown, instead: string): string | undefined {
  // backtracks: the address is the operator's
  const password = typeof url === 'string' ? /^[a-z+]+:\/\/[^/?#]*?:([^/?#]+)@/i.exec(url)?.[1] : undefined
  if (password === undefined || /^\$\{[^}]*\}$/.test(password)) return undefined
  return `a password must not be in a file; put the whole address into the environment and write ${instead}: NAME`
}

function secretAdvice(value: unknown, instead: string): string {
  // backtracks: the value is the operator's
  const name = typeof value === 'string' ? /^\$\{([A-Za-z_][A-Za-z0-9_]*)[^}]*\}$/.exec(value)?.[1] : undefined
  return name === undefined
    ? `a secret must not be in a file; put it into the environment and write ${instead}: NAME`
    : `reference secrets by environment variable; write ${instead}: ${name}`
}
