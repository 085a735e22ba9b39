import { maskSecretShapes } from '@stickler/core/runners'
import { liveMask, type SecretList } from './live-mask.ts'

/** Takes everything out of a line that is a known secret or looks like one; in a harmless line only known secrets are looked for. */
export type Redact = (line: string, isHarmless?: boolean) => string

/** Makes a function that takes everything out of a line that is a known secret or looks like one; `secrets` gives the list that holds now. */
export function createRedactor(secrets: SecretList = noSecrets): Redact {
  // A line is JSON, so secrets stand in it as JSON writes them.
  const mask = liveMask(secrets, (secret) => JSON.stringify(secret).slice(1, -1))
  return (line, isHarmless = false) => {
    const safe = mask(line)
    if (isHarmless && safe === line) return line
    return maskSecretShapes(safe)
  }
}

const none: readonly string[] = []
const noSecrets: SecretList = () => none
