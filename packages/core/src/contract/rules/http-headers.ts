import * as z from 'zod'

/** The name of an environment variable, which is all that a file may say about a secret. */
export const environmentName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'give the name of an environment variable, such as OPENAI_API_KEY; the key itself must not be in a file',
  )

/** Headers that belong to the connection, or that the gateway writes itself. */
const reserved = new Set([
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a header by this name holds a secret. */
function isSecretHeader(name: string): boolean {
  return /auth|key|token|secret|cookie|password/i.test(name)
}

/** Headers with their values as they are. */
export const headersSchema = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = wrongName(name) ?? (isSecretHeader(name) ? secretAdvice(name) : wrongHeaderValue(value))
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] })
  }
})

/** Headers with the environment variables that hold their values. */
export const headersEnvSchema = z.record(z.string(), environmentName).superRefine((headers, context) => {
  for (const name of Object.keys(headers)) {
    const message = wrongName(name)
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] })
  }
})

/** What is wrong with the value of a header, without repeating it. */
export function wrongHeaderValue(value: string): string | undefined {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : 'contains characters that HTTP does not allow'
}

function wrongName(name: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) return 'is not a valid HTTP header'
  return reserved.has(name.toLowerCase()) ? 'is a header that the gateway sets itself' : undefined
}

function secretAdvice(name: string): string {
  return `a header like this holds a secret, which must not be in a file; write headersEnv: { ${name}: VARIABLE }`
}
