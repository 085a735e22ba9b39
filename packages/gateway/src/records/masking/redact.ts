import { liveMask, type SecretList } from './live-mask.ts'

const mark = '[redacted]'

/** What looks like a secret, also right behind the escape of a line break: keys of providers, web tokens, what follows `Bearer`, credentials and queries of addresses, and named keys; what stands in the first group stays. */
const patterns: readonly RegExp[] = [
  // backtracks: from one start it reads at most 512 characters, and takes them
  /(?:\b|(?<=\\[bfnrt]))()(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|xox[abps])[-_][-_.A-Za-z0-9]{8,512}/g,
  /(?:\b|(?<=\\[bfnrt]))()(?:AKIA|AIza|ya29\.)[-_A-Za-z0-9]{12,512}/g,
  // backtracks: from one start it reads at most 2048 characters in vain
  /(?:\b|(?<=\\[bfnrt]))()eyJ[-_A-Za-z0-9]{8,2048}\.[-_A-Za-z0-9.]{8,4096}/g,
  // backtracks: from one start it reads the word and 4 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Bearer[ =:]{1,4})[-_.~+/=A-Za-z0-9]{6,4096}/gi,
  // backtracks: from one start it reads the word and 16 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Basic[ =:]{1,4})[+/=A-Za-z0-9]{12,4096}/gi,
  // backtracks: from one start it reads at most 512 characters in vain
  /(:\/\/)[^\s"/@]{1,512}(?=@)/g,
  /(\?)[-_.~%A-Za-z0-9]{1,64}=[^\s"\\]{0,4096}/g,
  // backtracks: from one start it reads a name and 40 characters in vain
  /(?:\b|(?<=\\[bfnrt]))((?:api[-_]?key|access[-_]?token|secret|password|authorization|token)(?:\\{0,3}["'])? ?[=:] ?(?:\\{1,3}(?:[bfnrt]|u[0-9a-f]{4})){0,8}(?:\\{0,3}["'])?)[^\s"'&,;}\\]{4,4096}/gi,
]

/** Takes everything out of a line that is a known secret or looks like one; in a harmless line only known secrets are looked for. */
export type Redact = (line: string, isHarmless?: boolean) => string

/** Makes a function that takes everything out of a line that is a known secret or looks like one; `secrets` gives the list that holds now. */
export function createRedactor(secrets: SecretList = noSecrets): Redact {
  // A line is JSON, so secrets stand in it as JSON writes them.
  const mask = liveMask(secrets, (secret) => JSON.stringify(secret).slice(1, -1))
  return (line, isHarmless = false) => {
    let safe = mask(line)
    if (isHarmless && safe === line) return line
    for (const pattern of patterns) safe = safe.replace(pattern, `$1${mark}`)
    return safe
  }
}

const none: readonly string[] = []
const noSecrets: SecretList = () => none
