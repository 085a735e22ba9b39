import { isMaskable, maskSecretShapes, redactor } from '@stickler/core/runners'

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

/** The secrets that hold now; a new list after every change. */
export type SecretList = () => readonly string[]

/** Makes a mask of whole secrets that follows the list; `write` tells how a secret stands in the texts. */
export function liveMask(secrets: SecretList, write: (secret: string) => string = (secret) => secret): (text: string) => string {
  let list: readonly string[] | undefined
  let mask = (text: string): string => text
  return (text) => {
    const current = secrets()
    if (current !== list) {
      list = current
      mask = redactor(current.filter(isMaskable).map(write))
    }
    return mask(text)
  }
}
